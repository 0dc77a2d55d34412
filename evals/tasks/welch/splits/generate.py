"""Cases for Welch's t-test: `python3 generate.py SPLIT SEED` prints them, a pure function of the two arguments.

Expectations come from scipy.stats.ttest_ind(equal_var=False). The kinds take turns, so every split has unequal sizes,
tiny variances and tiny samples. p stays between 1e-6 and 0.999: clear of underflow, and of t = 0 where a relative error
means nothing. public/cases.jsonl is `public 1`, validation.jsonl is `validation 2`.
"""

import json
import random
import sys

from scipy import stats

COUNTS = {"public": 10, "validation": 30, "test": 40}
# kind: sizes of a, sizes of b, sd of a, sd of b, centre, decimals kept
KINDS = {
    "alike": ((8, 20), (8, 20), 1.0, 1.5, 10.0, 3),
    "unequal sizes": ((3, 5), (25, 40), 4.0, 1.0, 50.0, 3),
    "tiny variances": ((5, 12), (6, 15), 2e-5, 6e-5, 1.0, 8),
    "tiny samples": ((2, 3), (2, 4), 1.0, 3.0, 0.0, 3),
    "large offset": ((6, 10), (12, 18), 30.0, 5.0, 1e4, 2),
}


def draw(rng: random.Random, kind: str) -> dict[str, list[float]]:
    """Two samples of the given kind, their true means up to two standard errors apart."""
    size_a, size_b, sd_a, sd_b, centre, decimals = KINDS[kind]
    n_a, n_b = rng.randint(*size_a), rng.randint(*size_b)
    shift = rng.uniform(-2.0, 2.0) * (sd_a**2 / n_a + sd_b**2 / n_b) ** 0.5
    return {
        "a": [round(rng.gauss(centre + shift, sd_a), decimals) for _ in range(n_a)],
        "b": [round(rng.gauss(centre, sd_b), decimals) for _ in range(n_b)],
    }


def usable(sample: dict[str, list[float]]) -> bool:
    """Whether both samples vary and p is neither tiny nor next to 1."""
    if len(set(sample["a"])) < 2 or len(set(sample["b"])) < 2:
        return False
    return 1e-6 < float(stats.ttest_ind(sample["a"], sample["b"], equal_var=False).pvalue) < 0.999


def generate(split: str, seed: str) -> list[dict[str, object]]:
    """The cases of one split."""
    rng = random.Random(f"{split}:{seed}")
    kinds, cases = list(KINDS), []
    while len(cases) < COUNTS[split]:
        sample = draw(rng, kinds[len(cases) % len(kinds)])
        if usable(sample):
            result = stats.ttest_ind(sample["a"], sample["b"], equal_var=False)
            expected = {"t": float(result.statistic), "df": float(result.df), "p": float(result.pvalue)}
            cases.append({"id": f"{split}-{len(cases):03d}", "input": sample, "expected": expected})
    return cases


if __name__ == "__main__":
    for case in generate(sys.argv[1], sys.argv[2]):
        print(json.dumps(case))
