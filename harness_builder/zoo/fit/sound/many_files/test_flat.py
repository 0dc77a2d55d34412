from comparison.line import compare


class TestFlat:
    def test_flat(self, cases, outputs):
        flat = [case for case in cases if len(set(case["input"]["y"])) == 1]
        assert all(compare(case, outputs).full for case in flat)
