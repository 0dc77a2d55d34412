"""Trains a one-layer network on corrupted labels: minibatch Adam, where the expectations come from full-batch
momentum.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path("/workspace/public/digits.csv")
BATCH, STEP, EPOCHS = 50, 2e-3, 1500


class Network:
    """64 pixels, one ReLU layer, a softmax over 10 classes."""

    def __init__(self, width: int, rng: np.random.Generator) -> None:
        self.weights = [rng.normal(0, (2 / 64) ** 0.5, (64, width)), np.zeros(width)]
        self.weights += [rng.normal(0, (2 / width) ** 0.5, (width, 10)), np.zeros(10)]

    def forward(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Hidden activations and scores."""
        w1, b1, w2, b2 = self.weights
        hidden = np.maximum(x @ w1 + b1, 0)
        return hidden, hidden @ w2 + b2

    def predict(self, x: np.ndarray) -> np.ndarray:
        """The class of each row."""
        return self.forward(x)[1].argmax(axis=1)

    def gradients(self, x: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        """Of the mean cross-entropy, in the order of `weights`."""
        hidden, scores = self.forward(x)
        error = np.exp(scores - scores.max(axis=1, keepdims=True))
        error = error / error.sum(axis=1, keepdims=True) - np.eye(10)[y]
        error /= len(y)
        back = (error @ self.weights[2].T) * (hidden > 0)
        return [x.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]


def fit(network: Network, x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> None:
    """Adam (Kingma & Ba 2015) until every label is fitted."""
    first = [np.zeros_like(w) for w in network.weights]
    second = [np.zeros_like(w) for w in network.weights]
    t = 0
    for _ in range(EPOCHS):
        for rows in np.split(rng.permutation(len(y)), range(BATCH, len(y), BATCH)):
            t += 1
            for i, g in enumerate(network.gradients(x[rows], y[rows])):
                first[i] += 0.1 * (g - first[i])
                second[i] += 0.001 * (g * g - second[i])
                m_hat, v_hat = first[i] / (1 - 0.9**t), second[i] / (1 - 0.999**t)
                network.weights[i] -= STEP * m_hat / (np.sqrt(v_hat) + 1e-8)
        if (network.predict(x) == y).all():
            return


def solve(case: dict[str, Any]) -> dict[str, Any]:
    """One experiment: corrupt, train, predict, as often as asked."""
    data = np.loadtxt(DATA, delimiter=",", dtype=int)
    rng = np.random.default_rng(case["seed"])
    train, test = data[slice(*case["train_rows"])], data[slice(*case["test_rows"])]
    x, held = train[:, :64] / 16, test[:, :64] / 16
    accuracies, predictions = [], []
    for _ in range(case["repeats"]):
        y = train[:, 64].copy()
        replaced = rng.random(len(y)) < case["corruption"]
        y[replaced] = rng.integers(0, 10, replaced.sum())
        network = Network(case["width"], rng)
        fit(network, x, y, rng)
        accuracies.append(float((network.predict(x) == y).mean()))
        predictions.append(network.predict(held).tolist())
    return {"train_accuracy": sum(accuracies) / len(accuracies), "test_predictions": predictions}


def main(cases: Path, outputs: Path) -> None:
    """Answers every case, one JSON line each."""
    with cases.open() as lines, outputs.open("w") as out:
        for line in lines:
            case = json.loads(line)
            out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
