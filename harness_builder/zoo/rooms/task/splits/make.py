"""Writes the three splits: python3 splits/make.py, in the task's directory. No day is in two of them.

The oracle counts in whole minutes and exact fractions, and keeps a table of the blocked minutes of each room.
"""

import json
import random
from fractions import Fraction
from pathlib import Path

SIZES = {"public": 10, "validation": 36, "test": 36}
KINDS = ("busy", "mixed", "calm", "costly", "busy", "mixed", "shut", "whole", "large")


def oracle(day):
    """The one right output."""
    blocked = {room["id"]: set() for room in day["rooms"]}
    minutes = dict.fromkeys(blocked, 0)
    seats = {room["id"]: room["seats"] for room in day["rooms"]}
    out = {"assignment": {}, "rejected": [], "reasons": {}}
    value = Fraction(0)
    queue = sorted(day["bookings"], key=lambda b: b["id"])
    queue.sort(key=lambda b: b["start"])
    queue.sort(key=lambda b: b["priority"], reverse=True)
    for b in queue:
        wanted = set(range(b["start"], b["end"]))
        large = {room for room in seats if seats[room] >= b["people"]}
        free = {room for room in large if not wanted & blocked[room]}
        if not day["open"] <= b["start"] < b["end"] <= day["close"]:
            reason = "closed"
        elif not large:
            reason = "too_large"
        elif not free:
            reason = "taken"
        else:
            room = min(free, key=lambda room: (seats[room], room))
            out["assignment"][b["id"]] = room
            blocked[room] |= set(range(b["start"] - day["gap"], b["end"] + day["gap"]))
            minutes[room] += len(wanted)
            value += Fraction(str(b["rate"])) * len(wanted) / 60
            continue
        out["rejected"].append(b["id"])
        out["reasons"][b["id"]] = reason
        value -= Fraction(str(day["penalty"]))
    out["hours"] = {room: float(Fraction(n, 60)) for room, n in minutes.items()}
    out["value"] = float(value)
    return out


def draw(kind, chance):
    """A random day of that kind."""
    opens, closes = chance.choice([480, 510, 540]), chance.choice([1020, 1050, 1080])
    count = {"calm": 6, "shut": 5, "large": 8}.get(kind, 12) + chance.randint(0, 4)
    sizes = [chance.choice([4, 6, 8, 8, 10, 12, 16, 20]) for _ in range(chance.randint(3, 5))]
    names = chance.sample(["Ash", "Beech", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Oak", "Pine", "Rowan"], len(sizes))
    step = 60 if kind == "whole" else chance.choice([5, 15])
    numbers = chance.sample(range(1, 30), count)
    bookings = []
    for number in numbers:
        length = 60 * chance.randint(1, 3) if kind == "whole" else chance.choice([30, 45, 50, 60, 80, 90, 120, 150])
        if kind == "shut":
            start = chance.choice([opens - 30, closes - length + 20])
        elif kind in ("mixed", "costly") and chance.random() < 0.3:
            start = chance.choice([opens - 5, opens - 30, closes - length + 5, closes - length + 40])
        else:
            start = opens + step * chance.randint(0, (closes - opens - length) // step)
            if kind in ("busy", "whole") and chance.random() < 0.6:
                start = opens + (start - opens) // step // 2 * step
        people = chance.randint(1, max(sizes))
        if kind in ("mixed", "costly", "large") and chance.random() < 0.25:
            people = max(sizes) + chance.randint(1, 6)
        if kind == "calm":
            people = chance.randint(1, min(sizes) + 1)
        rate = chance.randint(8, 60) if kind == "whole" else chance.randint(600, 6000) / 100
        bookings.append({"id": f"b{number}", "start": start, "end": start + length, "people": people,
                         "priority": chance.randint(1, 4), "rate": rate})
    penalty = {"costly": chance.choice([90, 120.5, 160]), "whole": 10, "shut": chance.choice([0, 7.25])}
    return {"open": opens, "close": closes, "gap": chance.choice([0, 5, 10, 15, 30]),
            "penalty": penalty.get(kind, chance.choice([4, 7.5, 12.25])),
            "rooms": [{"id": name, "seats": size} for name, size in zip(names, sizes)], "bookings": bookings}


def fits(kind, right):
    """Whether a day shows what its kind is for."""
    if kind == "calm":
        return right["rejected"] == [] and 0 in right["hours"].values()
    if kind == "shut":
        return right["assignment"] == {}
    if kind == "costly":
        return right["value"] < -50
    return {"busy": "taken", "whole": "taken", "large": "too_large"}.get(kind, "closed") in right["reasons"].values() \
        and right["value"] > 1 and right["rejected"] != sorted(right["rejected"])


def main():
    chance, seen = random.Random(31), set()
    for split, size in SIZES.items():
        rows = []
        while len(rows) < size:
            kind = KINDS[len(rows) % len(KINDS)]
            day = draw(kind, chance)
            right = oracle(day)
            if fits(kind, right) and json.dumps(day) not in seen:
                seen.add(json.dumps(day))
                rows.append({"id": f"{split}-{len(rows):02}", "input": day, "expected": right})
        folder = "public/cases" if split == "public" else f"splits/{split}"
        Path(f"{folder}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
