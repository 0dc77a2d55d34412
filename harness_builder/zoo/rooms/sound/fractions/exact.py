"""Numbers as rationals, so that no rounding of ours moves the edge of the tolerance."""

from fractions import Fraction

ALLOWED = Fraction(1, 10**6)


def agrees(got, want):
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return False
    return abs(Fraction(got) - Fraction(want)) <= ALLOWED * abs(Fraction(want))


def all_agree(got, want):
    """An object with the very keys of `want` and numbers that agree."""
    return isinstance(got, dict) and got.keys() == want.keys() and all(agrees(got[key], want[key]) for key in want)
