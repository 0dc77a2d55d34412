"""A text as a row of labels, one a code point: None, or (unit, first of its item or not)."""


def paint(length, items):
    row = [None] * length
    for item in items:
        for place in range(item.start, min(item.end, length)):
            row[place] = (item.unit, place == item.start)
    return row
