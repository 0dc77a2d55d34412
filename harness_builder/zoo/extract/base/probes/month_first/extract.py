"""Finds dates by one pattern a form; days that do not exist are dropped."""

import json
import re
import sys
from datetime import date

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NAME = r"(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
DAY, YEAR = r"(?P<d>\d{1,2})", r"(?P<y>\d{4})"
FORMS = {
    "iso": r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)",
    "slash": rf"{DAY}/(?P<m>\d{{1,2}})/{YEAR}",
    "point": rf"{DAY}\.(?P<m>\d{{1,2}})\.{YEAR}",
    "named": rf"{DAY} {NAME} {YEAR}",
    "ordinal": rf"{DAY}(?:st|nd|rd|th) of {NAME} {YEAR}",
    "month_first": rf"{NAME} {DAY}, {YEAR}",
    "month_first_ordinal": rf"{NAME} {DAY}(?:st|nd|rd|th), {YEAR}",
}


def found(text: str, forms: tuple[str, ...] = tuple(FORMS)) -> list[str]:
    """The dates of these forms in a text, sorted, each once."""
    dates = set()
    for form in forms:
        for match in re.finditer(rf"(?<![\w./-]){FORMS[form]}(?![\w/-])", text, re.IGNORECASE):
            month = match["m"].lower()
            number = MONTHS.index(month) + 1 if month in MONTHS else int(month)
            try:
                dates.add(date(int(match["y"]), number, int(match["d"])).isoformat())
            except ValueError:
                pass
    return sorted(dates)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
        for case in map(json.loads, cases):
            out.write(json.dumps({"id": case["id"], "output": {"dates": found(case["input"]["text"])}}) + "\n")
