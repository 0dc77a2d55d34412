import math


def near(got, want):
    """A number to a relative 1e-6 or an absolute 1e-9; True and text are none."""
    if type(got) not in (int, float) or abs(got) > 1e100:
        return False
    return math.isclose(got, want, rel_tol=1e-6, abs_tol=1e-9)
