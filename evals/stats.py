"""Statistics of scores."""

import math
from collections.abc import Sequence


def standard_error(values: Sequence[float]) -> float:
    """Standard error of the mean of independent values: s / sqrt(n) with s² = Σ(x - mean)² / (n - 1); 0 below two."""
    count = len(values)
    if count < 2:
        return 0.0
    mean = sum(values) / count
    return math.hypot(*(value - mean for value in values)) / math.sqrt((count - 1) * count)
