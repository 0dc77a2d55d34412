#!/bin/bash
# Wrong: stops after 15 epochs, before random labels are fitted.
python3 - <<'EOF'
import json
import os

import numpy as np

DATA = np.loadtxt("/workspace/public/digits.csv", delimiter=",", dtype=int)


def softmax_error(scores, y):
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (shifted / shifted.sum(axis=1, keepdims=True) - np.eye(10)[y]) / len(y)


def fit(x, y, width, rng):
    w1, b1 = rng.uniform(-1, 1, (64, width)) * (6 / 64) ** 0.5, np.zeros(width)
    w2, b2 = rng.uniform(-1, 1, (width, 10)) * (6 / (width + 10)) ** 0.5, np.zeros(10)

    def predict(x):
        return (np.maximum(x @ w1 + b1, 0) @ w2 + b2).argmax(axis=1)

    for _ in range(15):
        for rows in np.array_split(rng.permutation(len(y)), max(1, len(y) // 60)):
            hidden = np.maximum(x[rows] @ w1 + b1, 0)
            error = softmax_error(hidden @ w2 + b2, y[rows])
            back = error @ w2.T * (hidden > 0)
            w1 -= 0.3 * (x[rows].T @ back)
            b1 -= 0.3 * back.sum(axis=0)
            w2 -= 0.3 * (hidden.T @ error)
            b2 -= 0.3 * error.sum(axis=0)
        if (predict(x) == y).all():
            break
    return predict


def solve(input):
    rng = np.random.default_rng(input["seed"])
    train, test = DATA[slice(*input["train_rows"])], DATA[slice(*input["test_rows"])]
    x, accuracies, predictions = train[:, :64] / 16, [], []
    for _ in range(input["repeats"]):
        y = train[:, 64].copy()
        replaced = rng.random(len(y)) < input["corruption"]
        y[replaced] = rng.integers(0, 10, replaced.sum())
        predict = fit(x, y, input["width"], rng)
        accuracies.append(float((predict(x) == y).mean()))
        predictions.append(predict(test[:, :64] / 16).tolist())
    return {"train_accuracy": sum(accuracies) / len(accuracies), "test_predictions": predictions}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF
