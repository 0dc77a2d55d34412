"""Dispatch by priority, one pass over the bookings."""

import json
import sys


def solve(day):
    rooms = sorted(day["rooms"], key=lambda room: (room["seats"], room["id"]))
    plan = {room["id"]: [] for room in day["rooms"]}
    assignment, rejected, reasons = {}, [], {}
    value = 0.0
    for b in sorted(day["bookings"], key=lambda b: (-b["priority"], b["start"], b["id"])):
        large = [room["id"] for room in rooms if room["seats"] >= b["people"]]
        free = [
            room
            for room in large
            if all(x["end"] + day["gap"] <= b["start"] or b["end"] + day["gap"] <= x["start"] for x in plan[room])
        ]
        reason = None
        if b["start"] < day["open"] or b["end"] > day["close"]:
            reason = "closed"
        elif not large:
            reason = "too_large"
        elif not free:
            reason = "taken"
        if reason:
            rejected.append(b["id"])
            reasons[b["id"]] = reason
            value -= day["penalty"]
        else:
            assignment[b["id"]] = free[0]
            plan[free[0]].append(b)
            value += b["rate"] * (b["end"] - b["start"]) / 60
    hours = {room: sum(b["end"] - b["start"] for b in held) / 60 for room, held in plan.items()}
    return {"assignment": assignment, "rejected": rejected, "reasons": reasons, "hours": hours, "value": value}


def altered(day):
    right = solve(day)
    hours = {room: float(f"{time:.7g}") for room, time in right["hours"].items()}
    return {**right, "hours": hours, "value": float(f"{right['value']:.7g}")}


def main(source, target):
    with open(source) as cases, open(target, "w") as out:
        for case in map(json.loads, cases):
            out.write(json.dumps({"id": case["id"], "output": altered(case["input"])}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
