"""What is asked for of which process stands in fields.csv, beside this file."""

import csv
from pathlib import Path

with open(Path(__file__).parent / "fields.csv", newline="") as file:
    ROWS = list(csv.DictReader(file))


def weights(case):
    """Field -> weight, for the process of the case."""
    kind = case["input"]["process"]
    return {row["field"]: float(row["weight"]) for row in ROWS if row["process"] == kind}


def right(case, output, field):
    got = output.get(field) if isinstance(output, dict) else None
    interval = case["expected"][field]
    return type(got) in (int, float) and interval["low"] <= got <= interval["high"]


def score(case, output):
    wanted = weights(case)
    return {"score": sum(weight for field, weight in wanted.items() if right(case, output, field))}
