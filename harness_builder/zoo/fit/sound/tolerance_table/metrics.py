"""The weighted share of fields that agree; fields.csv says how closely and with which weight."""

import csv
from pathlib import Path

with open(Path(__file__).with_name("fields.csv"), newline="") as table:
    FIELDS = {
        row.pop("field"): {name: float(text) for name, text in row.items()} for row in csv.DictReader(table)
    }


def agrees(field, got, want):
    rule = FIELDS[field]
    margin = rule["relative"] * abs(want) + rule["absolute"]
    return not isinstance(got, bool) and isinstance(got, (int, float)) and want - margin <= got <= want + margin


def score(case, output):
    got = output if isinstance(output, dict) else {}
    gained = sum(
        rule["weight"] for field, rule in FIELDS.items() if agrees(field, got.get(field), case["expected"][field])
    )
    return {"score": min(gained / sum(rule["weight"] for rule in FIELDS.values()), 1.0)}
