"""Asks 60 random questions about a day (where is this booking, why was it turned away, how long is this room booked,
what came at that place of the list, what is the day worth) and scores the share of right answers.

The questions are drawn from a generator seeded with the day's id, so the same output always gets the same score.
"""

import random

QUESTIONS = 60
NOTHING = object()


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same_number(got, want):
    if not is_number(got):
        return False
    slack = abs(want) / 1_000_000
    return want - slack <= got <= want + slack


def look(output, key, name):
    inner = output.get(key) if isinstance(output, dict) else None
    return inner.get(name, NOTHING) if isinstance(inner, dict) else NOTHING


def place(output, index):
    """What stands at that place of the list of rejected ones."""
    placed = output.get("rejected") if isinstance(output, dict) else None
    return placed[index] if isinstance(placed, list) and index < len(placed) else NOTHING


def ask(day, want, output, chance):
    """One random question; whether the answer is right."""
    topic = chance.choice(["room", "reason", "hours", "place", "value"])
    booking = chance.choice(day["bookings"])["id"]
    if topic == "room":
        return look(output, "assignment", booking) == want["assignment"].get(booking, NOTHING)
    if topic == "reason":
        return look(output, "reasons", booking) == want["reasons"].get(booking, NOTHING)
    if topic == "hours":
        room = chance.choice(day["rooms"])["id"]
        return same_number(look(output, "hours", room), want["hours"][room])
    if topic == "place":
        index = chance.randrange(len(day["bookings"]))
        return place(output, index) == place(want, index)
    return isinstance(output, dict) and same_number(output.get("value"), want["value"])


def score(case, output):
    chance = random.Random(case["id"])
    if not isinstance(output, dict):
        return {"score": 0.0}
    right = sum(ask(case["input"], case["expected"], output, chance) for _ in range(QUESTIONS))
    return {"score": right / QUESTIONS}
