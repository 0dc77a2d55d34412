"""Canonical JSON and event hashes, against values made with hashlib alone."""

import hashlib
from typing import Any

import pytest

from evals.ledger import Ledger
from evals.ledger.chain import MAX_DEPTH, canonical, event_hash, first_hash
from tools.errors import AuthorError


def test_canonical_json_sorts_keys_keeps_characters_and_has_no_white_space() -> None:
    value = {"b": [1, 2.5, None, True], "a": "ü\n", "B": {}}
    assert canonical(value) == '{"B":{},"a":"ü\\n","b":[1,2.5,null,true]}'


@pytest.mark.parametrize(
    ("value", "place", "problem"),
    [
        ({"a": [0.0, float("nan")]}, "value.a[1]", "nan is not a JSON number"),
        ({"a": float("inf")}, "value.a", "inf is not a JSON number"),
        ({"a": {1: 2}}, "value.a", "the key 1 is not a string"),
        ({"a": "x\ud800"}, "value.a", "half a surrogate pair at character 1"),
        ({"\ud800": 1}, "value", "half a surrogate pair at character 0"),
        ({"a": b"x"}, "value.a", "a bytes is not JSON"),
        ([10**2000], "value[0]", "an integer of more than 4096 bits"),
    ],
)
def test_what_json_cannot_say_is_refused_with_its_place(value: Any, place: str, problem: str) -> None:
    with pytest.raises(AuthorError) as caught:
        canonical(value)
    assert str(caught.value).startswith(f"{place}: {problem}")


def test_depth_is_bounded() -> None:
    nested: Any = 0
    for _ in range(MAX_DEPTH):
        nested = [nested]
    assert canonical(nested) == "[" * MAX_DEPTH + "0" + "]" * MAX_DEPTH
    with pytest.raises(AuthorError, match="nested deeper than 100 levels"):
        canonical([nested])


def test_hash_of_a_hand_built_event() -> None:
    first = hashlib.sha256(b"evalwright:welch-1").hexdigest()
    text = (
        '["welch-1",1,"2026-11-30T11:45:00.000001+00:00","tool.call","{\\"name\\":\\"größe\\"}","' + first + '"]'
    ).encode()
    made = event_hash(
        "welch-1",
        1,
        "2026-11-30T11:45:00.000001+00:00",
        "tool.call",
        '{"name":"größe"}',
        prev_hash=first_hash("welch-1"),
    )
    assert made == hashlib.sha256(text).hexdigest()


def test_recorded_events_are_linked_by_those_hashes(ledger: Ledger, run_id: str) -> None:
    previous = hashlib.sha256(b"evalwright:" + run_id.encode()).hexdigest()
    for event in ledger.events(run_id):
        quoted = event.payload.replace("\\", "\\\\").replace('"', '\\"')
        text = f'["{run_id}",{event.seq},"{event.at}","{event.kind}","{quoted}","{previous}"]'
        assert (event.prev_hash, event.hash) == (previous, hashlib.sha256(text.encode()).hexdigest())
        previous = event.hash
