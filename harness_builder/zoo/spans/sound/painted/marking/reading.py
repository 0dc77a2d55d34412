"""Outputs as items, or None when anything in them is not of its type."""

from typing import NamedTuple


class Item(NamedTuple):
    start: int
    end: int
    value: float
    unit: str


def plain(value):
    return type(value) in (int, float)


def whole(value):
    return plain(value) and value == value // 1 and 0 <= value < 10**6


def read_item(raw):
    if not isinstance(raw, dict):
        return None
    item = Item(*(raw.get(name) for name in Item._fields))
    if whole(item.start) and whole(item.end) and plain(item.value) and isinstance(item.unit, str):
        return item._replace(start=int(item.start), end=int(item.end))
    return None


def read(output):
    raw = output.get("items") if isinstance(output, dict) else None
    if not isinstance(raw, list):
        return None
    items = [read_item(one) for one in raw]
    return None if None in items else items
