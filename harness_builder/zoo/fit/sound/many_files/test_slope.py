from comparison.line import compare


class TestSlope:
    def test_slope(self, cases, outputs):
        assert all(compare(case, outputs).slope for case in cases)
