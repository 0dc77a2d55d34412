"""All complaints about a set of outputs, as (requirement, what)."""

import re
from datetime import date

from metrics import dates_of, f1


def real(value):
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def slashed(text):
    """(day first, month first) of all dates with slashes."""
    for a, b, year in re.findall(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b", text):
        yield f"{year}-{int(b):02}-{int(a):02}", f"{year}-{int(a):02}-{int(b):02}"


def complaints(cases, outputs):
    total = 0.0
    for case in cases:
        name, want = case["id"], case["expected"]["dates"]
        total += f1(want, outputs.get(name))
        dates = dates_of(outputs.get(name))
        if dates is None:
            yield "R3", f"{name}: no list"
        else:
            if not all(map(real, dates)):
                yield "R3", f"{name}: no date"
            elif len(set(dates)) < len(dates):
                yield "R3", f"{name}: twice"
        if not want and dates != []:
            yield "R2", f"{name}: not empty"
        for right, swapped in slashed(case["input"]["text"]):
            if right in want and right not in (dates or []):
                yield "R4", f"{name}: {right} not found"
            if swapped not in want and swapped in (dates or []):
                yield "R4", f"{name}: {swapped} is month first"
    if total < 0.9 * len(cases) - 1e-9:
        yield "R1", f"mean F1 {total / len(cases):.3f}"
