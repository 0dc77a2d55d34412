import random
from statistics import fmean

from metrics import f1

ROUNDS = 1000


def test_bootstrap(cases, outputs):
    ordered = sorted(cases, key=lambda case: case["id"])
    scores = [f1(case["expected"]["dates"], outputs.get(case["id"])) for case in ordered]
    chance = random.Random("dates")
    means = sorted(fmean(chance.choices(scores, k=len(scores))) for _ in range(ROUNDS))
    assert means[ROUNDS // 10] > 0.8
