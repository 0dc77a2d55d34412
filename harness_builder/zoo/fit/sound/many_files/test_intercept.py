from comparison.line import compare


class TestIntercept:
    def test_intercept(self, cases, outputs):
        assert all(compare(case, outputs).intercept for case in cases)
