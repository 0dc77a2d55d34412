"""The share of places that hold the right id."""

LONGEST = 12


def ranking(output):
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


NOTHING = object()


def at(ids, place):
    return ids[place] if place < len(ids) else NOTHING


def score(case, output):
    got, want = ranking(output), case["expected"]["ranking"]
    places = range(max(len(want), min(len(got), 1000)))
    return {"score": sum(at(got, place) == at(want, place) for place in places) / len(places)}
