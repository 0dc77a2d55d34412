"""Claims about random labels: `python3 generate.py SPLIT SEED` prints them, a pure function of the two arguments.

Run in the task directory: it reads public/digits.csv for the images and splits/labels.txt (one character a row) for
the labels the public file withholds. An interval of test accuracy comes from RUNS ground-truth trainings on the same
rows with fresh label draws and initial weights: mean +- (WIDTH standard errors of the difference of two means, ours
over RUNS and the submission's over REPEATS trainings, plus OTHER, by which another way of gradient descent may
differ). Draws whose interval is wider than WIDEST are dropped: they would claim nothing. Each split tests on rows of
its own. About half a minute on one core.
public/cases.jsonl is `public 1`, validation.jsonl is `validation 2`.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np

COUNTS = {"public": 3, "validation": 6, "test": 6}
TEST_ROWS = {"public": (1000, 1200), "validation": (1200, 1500), "test": (1500, 1797)}
TRAIN_SIZE, TEST_SIZE = 300, 150
CORRUPTIONS = (0.0, 1.0, 0.5)
RUNS, REPEATS, WIDTH, OTHER, WIDEST = 25, 5, 4.0, 0.08, 0.5


def corrupt(labels: np.ndarray, probability: float, rng: np.random.Generator) -> np.ndarray:
    """Each label replaced, with the given probability, by a uniform one."""
    return np.where(rng.random(len(labels)) < probability, rng.integers(0, 10, len(labels)), labels)


def train(x: np.ndarray, y: np.ndarray, width: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Full-batch gradient descent with momentum until every label is fitted; returns W1, b1, W2, b2."""
    weights = [rng.normal(0, (2 / 64) ** 0.5, (64, width)), np.zeros(width)]
    weights += [rng.normal(0, (2 / width) ** 0.5, (width, 10)), np.zeros(10)]
    speed = [np.zeros_like(w) for w in weights]
    for _ in range(5000):
        hidden = np.maximum(x @ weights[0] + weights[1], 0)
        scores = hidden @ weights[2] + weights[3]
        if (scores.argmax(axis=1) == y).all():
            return weights
        error = np.exp(scores - scores.max(axis=1, keepdims=True))
        error /= error.sum(axis=1, keepdims=True)
        error[np.arange(len(y)), y] -= 1
        error /= len(y)
        back = error @ weights[2].T * (hidden > 0)
        for i, gradient in enumerate((x.T @ back, back.sum(0), hidden.T @ error, error.sum(0))):
            speed[i] = 0.9 * speed[i] - 0.3 * gradient
            weights[i] += speed[i]
    raise RuntimeError(f"labels not fitted after 5000 steps, width {width}: lower the step size")


def test_accuracy(weights: list[np.ndarray], x: np.ndarray, y: np.ndarray) -> float:
    """Share of rows predicted right."""
    scores = np.maximum(x @ weights[0] + weights[1], 0) @ weights[2] + weights[3]
    return float((scores.argmax(axis=1) == y).mean())


def interval(values: list[float]) -> dict[str, float]:
    """Where the mean test accuracy of REPEATS further trainings lies, cut to 0..1."""
    mean, spread = float(np.mean(values)), float(np.std(values, ddof=1))
    margin = OTHER + WIDTH * spread * (1 / RUNS + 1 / REPEATS) ** 0.5
    return {"low": max(0.0, round(mean - margin, 2)), "high": min(1.0, round(mean + margin, 2))}


def draw(rng: random.Random, split: str, corruption: float) -> dict[str, object]:
    """Rows, width and seed of one experiment."""
    low, high = TEST_ROWS[split]
    train_start, test_start = rng.randint(0, 1000 - TRAIN_SIZE), rng.randint(low, high - TEST_SIZE)
    return {
        "train_rows": [train_start, train_start + TRAIN_SIZE],
        "test_rows": [test_start, test_start + TEST_SIZE],
        "corruption": corruption,
        "width": rng.choice([128, 192, 256]),
        "repeats": REPEATS,
        "seed": rng.randrange(10**6),
    }


def generate(split: str, seed: str) -> list[dict[str, object]]:
    """The claims of one split; the three corruptions take turns."""
    rng = random.Random(f"{split}:{seed}")
    images = np.loadtxt(Path("public/digits.csv"), delimiter=",")[:, :64] / 16
    labels = np.array([int(c) for c in Path("splits/labels.txt").read_text().strip()])
    cases: list[dict[str, object]] = []
    while len(cases) < COUNTS[split]:
        given = draw(rng, split, CORRUPTIONS[len(cases) % 3])
        fit, held = slice(*given["train_rows"]), slice(*given["test_rows"])
        noise = np.random.default_rng(rng.randrange(2**32))
        accuracies = []
        for _ in range(RUNS):
            weights = train(images[fit], corrupt(labels[fit], given["corruption"], noise), given["width"], noise)
            accuracies.append(test_accuracy(weights, images[held], labels[held]))
        reached = interval(accuracies)
        if given["corruption"] == 0.0:
            reached["high"] = 1.0  # generalizing better than the ground truth contradicts no claim
        expected = {
            "train_accuracy": {"low": 0.99, "high": 1.0},
            "test_accuracy": reached,
            "test_labels": labels[held].tolist(),
        }
        if reached["high"] - reached["low"] <= WIDEST:
            cases.append({"id": f"{split}-{len(cases):03d}", "input": given, "expected": expected})
    return cases


if __name__ == "__main__":
    for case in generate(sys.argv[1], sys.argv[2]):
        print(json.dumps(case))
