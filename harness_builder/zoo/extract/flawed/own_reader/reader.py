"""The dates in a text, as the paper lists their forms."""

import re
from datetime import date

NAMES = "jan feb mar apr may jun jul aug sep oct nov dec".split()
NAME = f"({'|'.join(NAMES)})[a-z]*"
NUMBERS = r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})"


def dates_in(text):
    text = text.lower()
    triples = [(y, m, d) for y, m, d in re.findall(r"(\d{4})-(\d\d)-(\d\d)", text)]
    triples += [(y, m, d) for d, m, y in re.findall(NUMBERS, text)]
    triples += [(y, NAMES.index(m) + 1, d) for d, m, y in re.findall(rf"(\d{{1,2}}) {NAME} (\d{{4}})", text)]
    triples += [(y, NAMES.index(m) + 1, d) for m, d, y in re.findall(rf"{NAME} (\d{{1,2}}), (\d{{4}})", text)]
    return {day for triple in triples if (day := iso(*map(int, triple)))}


def iso(year, month, day):
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
