"""Compares each output with its expectation, field by field, by the rules in rules.json.

A rule is {"compare": "exact" | "close" | "interval", "tolerance": number, "absolute": number}. "close" allows a
relative difference and an absolute one;
"interval" takes an expectation {"low": a, "high": b}. The whole output is one field, "output", when it is not an
object.
"""

import json
from pathlib import Path

RULES = json.loads((Path(__file__).parent / "rules.json").read_text(encoding="utf-8"))


def score(case, output):
    """1.0 or 0.0 for every field, and their mean as "score"."""
    fields = {name: float(field_agrees(case, output, name)) for name in RULES}
    return {"score": sum(fields.values()) / len(fields), **fields}


def field_agrees(case, output, name):
    expected = case["expected"]
    if isinstance(expected, dict) and name in expected:
        if not isinstance(output, dict) or name not in output:
            return False
        expected, output = expected[name], output[name]
    return agrees(expected, output, RULES[name])


def agrees(expected, output, rule):
    if isinstance(expected, dict) and set(expected) == {"low", "high"}:
        return is_number(output) and expected["low"] <= output <= expected["high"]
    if isinstance(expected, dict):
        return isinstance(output, dict) and all(k in output and agrees(v, output[k], rule) for k, v in expected.items())
    if isinstance(expected, list):
        same_length = isinstance(output, list) and len(output) == len(expected)
        return same_length and all(agrees(left, right, rule) for left, right in zip(expected, output))
    if is_number(expected) and rule["compare"] != "exact":
        # The absolute part lets rounding errors pass where zero is expected. No arithmetic on the output: it may be an
        # integer that no float can hold.
        allowed = rule["tolerance"] * abs(expected) + rule["absolute"]
        return is_number(output) and expected - allowed <= output <= expected + allowed
    return type(output) is type(expected) and output == expected


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)
