"""The share of the weights of those places that hold the right id; weights.csv has a weight for each place."""

import csv
import pathlib

TABLE = pathlib.Path(__file__).parent / "weights.csv"
WEIGHTS = [int(row["weight"]) for row in csv.DictReader(TABLE.read_text().splitlines())]


def ranking(output):
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def score(case, output):
    got, want = ranking(output), case["expected"]["ranking"]
    if len(got) != len(want):
        return {"score": 0.0}
    weights = WEIGHTS[: len(want)]
    gained = sum(weight for weight, one, other in zip(weights, got, want) if one == other)
    return {"score": gained / sum(weights)}
