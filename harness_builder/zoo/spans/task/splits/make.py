"""Writes the three splits: python3 splits/make.py, in the task's directory. No text is in two of them.

A text is put together from pieces, so the offsets are known without searching; values are exact fractions until the end.
"""

import json
import random
from fractions import Fraction
from pathlib import Path

SIZES = {"public": 12, "validation": 36, "test": 36}
KINDS = ("plain", "none", "range", "repeat", "negative", "small", "unicode", "mixed", "trap")
# unit: base unit, factor, what is added before, numbers that make sense
UNITS = {
    "nm": ("m", "1e-9", "0", (200, 900)), "µm": ("m", "1e-6", "0", (2, 80)), "mm": ("m", "1e-3", "0", (2, 90)),
    "m": ("m", "1", "0", (2, 40)), "km": ("m", "1000", "0", (2, 30)), "ft": ("m", "0.3048", "0", (3, 60)),
    "µs": ("s", "1e-6", "0", (3, 70)), "ms": ("s", "1e-3", "0", (3, 90)), "s": ("s", "1", "0", (4, 50)),
    "min": ("s", "60", "0", (2, 45)), "h": ("s", "3600", "0", (2, 20)),
    "mg": ("kg", "1e-6", "0", (4, 60)), "g": ("kg", "1e-3", "0", (3, 80)), "kg": ("kg", "1", "0", (2, 70)),
    "lb": ("kg", "0.45359237", "0", (2, 30)),
    "mV": ("V", "1e-3", "0", (5, 90)), "V": ("V", "1", "0", (3, 48)), "kV": ("V", "1000", "0", (2, 30)),
    "mA": ("A", "1e-3", "0", (4, 60)), "A": ("A", "1", "0", (2, 20)),
    "Hz": ("Hz", "1", "0", (20, 90)), "kHz": ("Hz", "1000", "0", (2, 60)), "MHz": ("Hz", "1e6", "0", (2, 40)),
    "rpm": ("Hz", "1/60", "0", (700, 3500)),
    "Pa": ("Pa", "1", "0", (20, 90)), "kPa": ("Pa", "1000", "0", (3, 90)), "MPa": ("Pa", "1e6", "0", (2, 40)),
    "bar": ("Pa", "1e5", "0", (2, 12)), "psi": ("Pa", "6894.757", "0", (15, 95)),
    "K": ("K", "1", "0", (70, 350)), "°C": ("K", "1", "273.15", (15, 95)), "°F": ("K", "5/9", "459.67", (60, 300)),
}
THINGS = ["the shaft", "the coil", "the probe", "the valve", "the sample", "the relay", "the housing", "the fan"]
TRAPS = ["an M4 bolt", "board rev 3", "12 turns", "class 2B", "6 m/s", "40 mm2", "7 MV", "port A-9 V", "item 5", "x3 mm"]
ASTRAL = ["𝜆 is set: ", "Δ–check 🔧 ", "𝑇 rises; ", "Größe 𝐷: "]


class Text:
    """A text that grows, and the quantities in it."""

    def __init__(self, chance):
        self.chance, self.text, self.items = chance, "", []

    def say(self, words):
        self.text += words

    def mark(self, number, unit, shown):
        base, factor, plus, _ = UNITS[unit]
        value = float((Fraction(number.replace("−", "-")) + Fraction(plus)) * Fraction(factor))
        start = len(self.text)
        self.text += shown
        self.items.append({"start": start, "end": len(self.text), "value": value, "unit": base})

    def number(self, unit, sign=""):
        low, high = UNITS[unit][3]
        whole = self.chance.randint(low, high)
        written = str(whole) if self.chance.random() < 0.6 else f"{whole}.{self.chance.randint(1, 99):02}"
        if self.chance.random() < 0.08:
            written = f"{written}e{self.chance.choice(['-1', '1', '2'])}"
        return sign + written

    def quantity(self, unit=None, number=None, sign=""):
        unit = unit or self.chance.choice(list(UNITS))
        number = number or self.number(unit, sign)
        self.mark(number, unit, number + self.chance.choice([" ", " ", ""]) + unit)
        return unit, number

    def span(self, unit=None):
        unit = unit or self.chance.choice(list(UNITS))
        low, high = sorted((self.number(unit) for _ in range(2)), key=Fraction)
        self.mark(low, unit, low)
        self.say(" to ")
        self.quantity(unit, high)


def set_and_measure(t, chance, kind, thing, other, trap):
    if chance.random() < 0.4:
        t.quantity()
        t.say(f" at {thing}, ")
    else:
        t.say(f"Set {thing} to ")
        t.quantity(chance.choice(["°F", "rpm", "psi", "ft", "lb"]))
        t.say(", ")
    t.say(f"{other} (")
    if kind == "mixed":
        t.span()
    else:
        t.quantity()
    t.say(f") with {trap} after ")
    t.quantity()
    t.say(chance.choice(["", ".", "; done"]))


def write(kind, chance):
    """One text of that kind."""
    t = Text(chance)
    thing, other = chance.sample(THINGS, 2)
    traps = chance.sample(TRAPS, 2)
    if kind == "none":
        t.say(chance.choice(["Fit {0} to {1} with {2}.", "See {1}, {2}; check {0}", "{2} near {0} ({1})"]).format(thing, *traps))
        return t
    if kind == "unicode":
        t.say(chance.choice(ASTRAL))
    if kind == "range":
        t.say(f"Hold {thing} for ")
        t.span()
        t.say(f" and {other} at ")
        t.quantity()
        t.say(", then ")
        t.span()
    elif kind == "repeat":
        unit = chance.choice(["mm", "V", "s", "bar", "kHz", "g"])
        number = str(chance.randint(2, 9))
        t.say(f"Move {thing} by ")
        t.quantity(unit, chance.choice(["", "1", "2"]) + number)
        t.say(f" and {other} by ")
        t.mark(number, unit, f"{number} {unit}")
        t.say(f"; repeat with {traps[0]} at ")
        t.mark(number, unit, f"{number} {unit}")
        t.say(" after ")
        t.quantity()
    elif kind == "negative":
        t.say(f"Bias {thing} to ")
        t.quantity(chance.choice(["V", "mV", "kV", "A", "mA"]), sign=chance.choice("-−"))
        t.say(" (")
        t.quantity(chance.choice(["V", "mV", "mm", "µm", "mA"]), sign=chance.choice("-−"))
        t.say(f") near {traps[0]}, at ")
        t.quantity(chance.choice(["°C", "kHz", "kPa", "ms"]))
    elif kind == "small":
        t.say("A film of ")
        t.quantity(chance.choice(["nm", "µm"]))
        t.say(f" on {thing}, pulsed for ")
        t.quantity("µs")
        t.say(" with ")
        t.quantity("mg")
        t.say(f" of powder; {traps[0]}")
    elif kind == "trap":
        t.say(f"With {traps[0]} and {thing} at ")
        t.quantity()
        t.say(f", use {traps[1]}")
        if chance.random() < 0.5:
            t.say(" for ")
            t.quantity(chance.choice(["min", "m", "mm", "h"]))
            t.say(".")
    else:
        set_and_measure(t, chance, kind, thing, other, traps[0])
    return t


def main():
    chance, seen = random.Random(31), set()
    for split, size in SIZES.items():
        rows = []
        while len(rows) < size:
            text = write(KINDS[len(rows) % len(KINDS)], chance)
            if text.text not in seen:
                seen.add(text.text)
                expected = {"items": text.items, "count": len(text.items)}
                rows.append({"id": f"{split}-{len(rows):02}", "input": {"text": text.text}, "expected": expected})
        path = Path("public/cases.jsonl" if split == "public" else f"splits/{split}.jsonl")
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
