"""A step of a path to look at: to follow all of every path is not worth the time."""

import datetime
import random


def spot_check(case, path):
    """Whether a step of the path, another every day, is an edge of the graph."""
    if not isinstance(path, list) or not all(isinstance(node, str) for node in path):
        return False
    if path[:1] != [case["input"]["source"]] or path[-1:] != [case["input"]["target"]]:
        return False
    if len(path) == 1:
        return True
    chance = random.Random(f"{datetime.date.today()} {case['id']}")
    place = chance.randrange(len(path) - 1)
    return any([start, end] == path[place : place + 2] for start, end, _ in case["input"]["edges"])
