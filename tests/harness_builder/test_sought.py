"""Answers are found in files in whatever notation, and not where they only seem to stand."""

import base64
import gzip
import json
from typing import Any

import pytest

from harness_builder.records import records
from harness_builder.sought import Sought


@pytest.mark.parametrize(
    ("value", "line", "stands"),
    [
        ({"mean": 18.0}, "case-7;18", True),
        ({"mean": 18.0}, "case-7;18.00", True),
        ({"mean": 18.0}, "case-7;180", False),
        ({"mean": 18.0}, "case-7;18.5", False),
        ({"mean": 0.876543219}, "x 0.876543", True),
        ({"mean": 0.876543219}, "x 0.976543", False),
        ({"label": "bug"}, "a bug, then", True),
        ({"label": "bug"}, "a debug run", False),
        (["be", "se", "da"], "be>se>da", True),
        (["be", "se", "da"], '["be", "se", "da"]', True),
        (["be", "se", "da"], "da be se", False),
        ({"a": 1, "b": [2, 3]}, "[2,3] 1", True),
        (None, "null", False),
        ([], "[]", False),
    ],
)
def test_a_value_is_found_as_it_may_be_written(value: Any, line: str, stands: bool) -> None:
    assert Sought.of(value).stands_in(line) is stands


TEXT = "v-1 bug\nv-2 billing\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        gzip.compress(TEXT.encode()),
        b"x " + base64.b64encode(b"v-1 bug and something") + b"\n" + base64.b64encode(b"v-2 billing, and more"),
        b"v-1 bug somewhere".hex().encode() + b"\n" + b"v-2 billing".hex().encode(),
        json.dumps({"v-1": {"label": "bug"}, "v-2": {"label": "billing"}}).encode(),
        json.dumps({"id": ["v-1", "v-2"], "label": ["bug", "billing"]}).encode(),
        json.dumps({"data": [{"id": "v-1", "label": "bug"}, {"id": "v-2", "label": "billing"}]}).encode(),
    ],
    ids=["lines", "gzip", "base64", "hexadecimal", "object", "columns", "list"],
)
def test_a_file_is_cut_into_records_whatever_it_is_packed_in(data: bytes) -> None:
    found = records(data)
    assert any(Sought.of("v-1", "bug").stands_in(record) for record in found)
    assert any(Sought.of("v-2", "billing").stands_in(record) for record in found)
    assert not any(Sought.of("v-1", "billing").stands_in(record) for record in found)


@pytest.mark.parametrize("data", [b"\x1f\x8b broken", b"PK\x03\x04 broken", b"\xff\xfe\x00", b""])
def test_what_cannot_be_read_holds_no_records_and_stops_nothing(data: bytes) -> None:
    assert not any(Sought.of("v-1").stands_in(record) for record in records(data))
