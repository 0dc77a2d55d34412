"""Draws the three splits, always the same ones: python3 make.py"""

import json
import math
import random
from itertools import combinations
from pathlib import Path

TASK = Path(__file__).resolve().parent.parent
FILES = {"public": "public/cases.jsonl", "validation": "splits/validation.jsonl", "test": "splits/test.jsonl"}
SIZES = {"public": 10, "validation": 32, "test": 32}
LETTERS = "abcdefghjkmnpqrstuvwxyz"


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a)) / math.sqrt(sum(y * y for y in b))


def order(query, items):
    """The ids, best first, and their similarities; items of equal similarity stand in the order of their ids."""
    similarity = {item["id"]: round(cosine(query, item["vector"]), 12) for item in items}
    ranking = sorted(similarity, key=lambda name: (-similarity[name], name))
    return {"ranking": ranking, "similarity": [similarity[name] for name in ranking]}


def draw_ids(chance, count):
    names = set()
    while len(names) < count:
        names.add(chance.choice(LETTERS) + chance.choice(LETTERS) + str(chance.randint(1, 9)))
    return chance.sample(sorted(names), count)


def draw(chance, ties):
    """A query and 8 to 12 items. Similarities are equal, `ties` times, or differ by 0.001 at least."""
    while True:
        count, width = chance.randint(8, 12), chance.randint(3, 6)
        query = [chance.randint(-9, 9) for _ in range(width)]
        vectors = [[chance.randint(-9, 9) for _ in range(width)] for _ in range(count - ties)]
        if not any(query) or not all(map(any, vectors)):
            continue
        similarities = [cosine(query, vector) for vector in vectors]
        if any(abs(a - b) < 0.001 for a, b in combinations(similarities, 2)):
            continue
        # A vector of twice or four times the length points to the same place.
        for vector in chance.sample(vectors, ties):
            factor = chance.choice((2, 4))
            vectors.append([factor * v for v in vector])
        return query, vectors


def split(name):
    chance = random.Random(f"rank:{name}")
    for index in range(SIZES[name]):
        query, vectors = draw(chance, ties=(0, 1, 0, 2)[index % 4])
        chance.shuffle(vectors)
        items = [{"id": key, "vector": vector} for key, vector in zip(draw_ids(chance, len(vectors)), vectors)]
        yield {"id": f"{name}-{index}", "input": {"query": query, "items": items}, "expected": order(query, items)}


for name, path in FILES.items():
    (TASK / path).parent.mkdir(exist_ok=True)
    (TASK / path).write_text("".join(json.dumps(case) + "\n" for case in split(name)))
