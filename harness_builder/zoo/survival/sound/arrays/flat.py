import numpy as np


def plain(value):
    """As a float; what is no number (text, true, null, a list) becomes nan, which is near nothing."""
    return float(value) if type(value) in (int, float) and abs(value) < 1e200 else np.nan


def same(got, want, rel=1e-6, absolute=1e-9):
    """Whether `got` is a list as long as `want` with the same numbers."""
    if not isinstance(got, list) or len(got) != len(want):
        return False
    a, b = np.array([plain(g) for g in got]), np.array([plain(w) for w in want])
    return bool(np.all(np.isclose(a, b, rtol=rel, atol=0.0) | np.isclose(a, b, rtol=0.0, atol=absolute)))


def columns(steps):
    """The list of times and that of survivals, or two times None."""
    if not isinstance(steps, list) or any(not isinstance(s, list) or len(s) != 2 for s in steps):
        return None, None
    return [s[0] for s in steps], [s[1] for s in steps]
