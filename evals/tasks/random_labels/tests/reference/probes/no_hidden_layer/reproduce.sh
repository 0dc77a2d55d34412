#!/bin/bash
# Wrong: a linear classifier, which cannot memorize random labels.
python3 - <<'EOF'
import json
import os

import numpy as np

DATA = np.loadtxt("/workspace/public/digits.csv", delimiter=",", dtype=int)


def softmax_error(scores, y):
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (shifted / shifted.sum(axis=1, keepdims=True) - np.eye(10)[y]) / len(y)


def fit(x, y, width, rng):
    w, b = np.zeros((64, 10)), np.zeros(10)
    for _ in range(1000):
        error = softmax_error(x @ w + b, y)
        w -= 0.5 * (x.T @ error)
        b -= 0.5 * error.sum(axis=0)
    return lambda x: (x @ w + b).argmax(axis=1)


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
