from comparison.line import compare


class TestR2:
    def test_r2(self, cases, outputs):
        assert all(compare(case, outputs).r2 for case in cases)
