"""Writes the three splits: `python3 make.py`. A pure function of the texts below and one seed.

A text is made of sentences with dates, sentences with what only looks like one, and plain ones. Every sentence belongs
to one split. The forms of dates take turns, so that each split has all of them.
"""

import json
import random
from datetime import date, timedelta
from itertools import cycle
from pathlib import Path

SEED = 11
# Numbers of dates in the texts of a split.
PLANS = {
    "public": [0, 0, 1, 2, 1, 3, 1, 2, 1, 2],
    "validation": [0] * 8 + [1] * 14 + [2] * 12 + [3] * 6,
    "test": [0] * 8 + [1] * 14 + [2] * 12 + [3] * 6,
}
# One sentence in so many of those that are left goes to the split.
LEFT = {"public": 5, "validation": 2, "test": 1}
FORMS = ("iso", "slash", "named", "point", "month_first", "ordinal", "short", "slash", "month_first_ordinal")
DATED = (
    "The {thing} was delivered on {date}.", "We met the {who} on {date}.", "Rent for the {thing} is due {date}.",
    "On {date} the {who} resigned.", "A storm hit {place} on {date}.", "Since {date} the {thing} has been out of order.",
    "The bridge near {place} reopened {date}.", "Signed by the {who}, {date}.", "The {thing} must be back by {date}.",
    "{place}'s library closes for good on {date}.", "Please book the {who} for {date}.", "The lease of {place} ends {date}.",
    "He bought the {thing} ({date}) without asking.", "The trial run in {place} starts {date}.",
    "Our {who} was born on {date}.", "The {thing} was last checked {date}, it says.", "Votes were counted in {place} on {date}.",
    "The {who} left a note dated {date}.", "Snow fell in {place} as late as {date}.", "Warranty of the {thing}: until {date}.",
    "Between us, the {who} knew it on {date} already.", "A fair is planned at {place} for {date}.",
    "The {thing} went missing; reported {date}.", "Tickets to {place} are valid from {date}.",
    "By {date} the {who} had answered.", "The old {thing} was sold on {date} at auction.", "Flood level at {place}: see the entry of {date}.",
    "The {who} moved here on {date}.", "First photograph of the {thing}: {date}.", "{place} got its charter on {date}.",
)  # fmt: skip
ALIKE = (
    "The form wrongly says {impossible}.", "Order {order} is still open.", "It runs version {version} now.",
    "Somebody typed {impossible}, which is no day.", "It was some time in {month_year}.", "Come on {day_month} as always.",
    "Parcel {order} was not found.", "Update from {version} first.", "An entry for {impossible} was struck out.",
    "We expect it for {month_year}.", "Every {day_month} they sing.", "Doors open at {time}.",
    "The calendar of the {who} shows {impossible}.", "Ticket {order}, second floor.", "Built with {version}, they say.",
    "Sales rose in {month_year}.", "Her name day is {day_month}.", "The train left at {time}.",
    "{impossible} was printed on the {thing}.", "Part number {order} fits.", "Nothing newer than {version} is known.",
)  # fmt: skip
PLAIN = (
    "Nobody knows why.", "The rest is as before.", "Coffee will be served.", "I wrote to {place} about it.",
    "Bring the {thing}, please.", "The {who} did not mind.", "More of that later.", "It cost less than we feared.",
    "The key is with the {who}.", "All are welcome.", "There was some rain in {place}.", "Mind the {thing}.",
)  # fmt: skip
WORDS = {
    "thing": "boiler piano ladder tractor projector wardrobe lathe canoe freezer telescope loom harp sewing-machine kiln scale".split(),
    "who": "caretaker auditor choirmaster landlord surveyor baker notary ferryman curator midwife gardener referee warden".split(),
    "place": "Aldham Brockley Carrick Dunmore Eastby Farley Glenholm Harwick Inverlee Kelso Lydford Marston Norwell".split(),
}
MONTHS = "January February March April May June July August September October November December".split()


def ordinal(day: int) -> str:
    return f"{day}{'th' if 10 < day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def written(day: date, form: str, chance: random.Random) -> str:
    """The date in one form."""
    name, pad = MONTHS[day.month - 1], chance.choice(("", "02"))
    return {
        "iso": day.isoformat(),
        "slash": f"{day.day:{pad}}/{day.month:{pad}}/{day.year}",
        "point": f"{day.day:{pad}}.{day.month:{pad}}.{day.year}",
        "named": f"{day.day} {name} {day.year}",
        "short": f"{day.day} {name[:3]} {day.year}",
        "ordinal": f"{ordinal(day.day)} of {name} {day.year}",
        "month_first": f"{name} {day.day}, {day.year}",
        "month_first_ordinal": f"{name} {ordinal(day.day)}, {day.year}",
    }[form]


def filled(sentence: str, chance: random.Random) -> str:
    """The sentence with words, and with what only looks like a date."""
    year, month = chance.randint(2014, 2031), chance.choice(MONTHS)
    values = {kind: chance.choice(words) for kind, words in WORDS.items()}
    values |= {
        "impossible": chance.choice(
            (f"31/04/{year}", f"30/02/{year}", f"{year}-02-30", f"{year}-13-05", f"31.11.{year}")
        ),
        "order": chance.choice(
            (f"{year}-{chance.randint(1000, 9999)}-{chance.randint(10, 99)}", f"{chance.randint(100, 999)}/{year}")
        ),
        "version": f"{chance.randint(1, 9)}.{chance.randint(0, 20)}.{chance.randint(0, 9)}",
        "month_year": f"{month} {year}",
        "day_month": f"{chance.randint(1, 28)} {month}",
        "time": f"{chance.randint(6, 23)}:{chance.randint(0, 59):02}",
        "date": "{date}",
    }
    return sentence.format(**values)


def main() -> None:
    """Deals the sentences out to the splits and writes them."""
    chance = random.Random(SEED)
    decks = [chance.sample(sentences, len(sentences)) for sentences in (DATED, ALIKE, PLAIN)]
    here = Path(__file__).resolve().parent
    first = date(2014, 1, 1)
    days = chance.sample(range(6500), 400)
    for split, plan in PLANS.items():
        dated, alike, plain = ([deck.pop() for _ in range(len(deck) // LEFT[split])] for deck in decks)
        forms, alikes, lines = cycle(FORMS), cycle(alike), []
        for count in chance.sample(plan, len(plan)):
            dates, parts = [], []
            for sentence in chance.sample(dated, count):
                form, day = next(forms), first + timedelta(days=days.pop())
                if form == "slash" and chance.random() < 0.7:
                    day = day.replace(day=chance.randint(1, 12))
                dates.append(day.isoformat())
                parts.append(filled(sentence, chance).format(date=written(day, form, chance)))
            if count == 0 or chance.random() < 0.3:
                parts.append(filled(next(alikes), chance))
            if count == 2 and chance.random() < 0.3:
                parts.append(f"Once more: {written(date.fromisoformat(dates[0]), 'named', chance)}.")
            if count == 0:
                parts.append(filled(chance.choice(plain) + " " + next(alikes), chance))
            elif len(parts) < 3:
                parts.append(filled(chance.choice(plain), chance))
            chance.shuffle(parts)
            case = {
                "id": f"{split}-{len(lines):03d}",
                "input": {"text": " ".join(parts)},
                "expected": {"dates": sorted(set(dates))},
            }
            lines.append(json.dumps(case) + "\n")
        folder = here.parent / "public" if split == "public" else here
        folder.mkdir(exist_ok=True)
        (folder / ("cases.jsonl" if split == "public" else f"{split}.jsonl")).write_text("".join(lines))


if __name__ == "__main__":
    main()
