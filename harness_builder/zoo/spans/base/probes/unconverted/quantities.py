"""Marks quantities with one regular expression."""

import json
import re
import sys

FACTORS = {
    "m": {"nm": 1e-9, "µm": 1e-6, "mm": 1e-3, "m": 1, "km": 1000, "ft": 0.3048},
    "s": {"µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600},
    "kg": {"mg": 1e-6, "g": 1e-3, "kg": 1, "lb": 0.45359237},
    "V": {"mV": 1e-3, "V": 1, "kV": 1000},
    "A": {"mA": 1e-3, "A": 1},
    "Hz": {"Hz": 1, "kHz": 1000, "MHz": 1e6, "rpm": 1 / 60},
    "Pa": {"Pa": 1, "kPa": 1000, "MPa": 1e6, "bar": 1e5, "psi": 6894.757},
    "K": {"K": 1, "°C": 1, "°F": 5 / 9},
}
OFFSETS = {"°C": 273.15, "°F": 459.67}
UNITS = {unit: (base, factor) for base, units in FACTORS.items() for unit, factor in units.items()}
NUMBER = r"[-−]?\d+(?:\.\d+)?(?:e-?\d+)?"
NAMES = "|".join(sorted(UNITS, key=len, reverse=True))
QUANTITY = re.compile(rf"(?:^|(?<=[ (]))(?:(?P<low>{NUMBER}) to )?(?P<high>{NUMBER}) ?(?P<unit>{NAMES})(?=$|[ ,;.)])")


def item(text, start, end, number, unit):
    base, factor = UNITS[unit]
    value = (float(number.replace("−", "-")) + OFFSETS.get(unit, 0)) * factor
    return {"start": start, "end": end, "value": value, "unit": base}


def solve(model):
    text, items = model["text"], []
    for found in QUANTITY.finditer(text):
        if found["low"]:
            items.append(item(text, *found.span("low"), found["low"], found["unit"]))
        items.append(item(text, found.start("high"), found.end(), found["high"], found["unit"]))
    return {"items": items, "count": len(items)}


def main(source, target):
    with open(source, encoding="utf-8") as cases, open(target, "w", encoding="utf-8") as out:
        for case in map(json.loads, cases):
            out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
