"""A submission's outputs: read as plain data, checked before any harness sees them.

`outputs.jsonl` comes from a container that ran unknown code. It is parsed strictly (UTF-8, finite numbers, bounded size
and depth, each id known and given once), so that what reaches the harness is JSON and nothing else. A missing id is not
an error here: the grader scores it at the metric's worst bound.
"""

import json
import sys
from collections.abc import Collection
from typing import Any

MAX_BYTES = 32_000_000
MAX_DEPTH = 32
MAX_STRING = 1_000_000


class OutputsError(ValueError):
    """The outputs are not what the contract asks for; the message says where and how."""


def parse_outputs(data: bytes, ids: Collection[str]) -> dict[str, Any]:
    """Read `{"id", "output"}` lines into id → output, or raise OutputsError naming the line."""
    if len(data) > MAX_BYTES:
        raise OutputsError(f"outputs.jsonl has {len(data)} bytes; at most {MAX_BYTES} are read")
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise OutputsError(f"outputs.jsonl is not UTF-8 at byte {error.start}") from None
    outputs: dict[str, Any] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            name, output = _parse_line(line, f"outputs.jsonl line {number}")
            if name not in ids:
                raise OutputsError(f"outputs.jsonl line {number}: id {name[:80]!r} is not among the cases")
            if name in outputs:
                raise OutputsError(f"outputs.jsonl line {number}: id {name!r} is given twice")
            outputs[name] = output
    return outputs


def _parse_line(line: str, where: str) -> tuple[str, Any]:
    try:
        entry = json.loads(line, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise OutputsError(f"{where} is not strict JSON: {error}; it reads {line[:80]!r}") from None
    if not isinstance(entry, dict) or set(entry) != {"id", "output"} or not isinstance(entry["id"], str):
        raise OutputsError(f'{where} is not {{"id": text, "output": value}}; it reads {line[:80]!r}')
    _check_value(entry["output"], where, depth=0)
    return entry["id"], entry["output"]


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is given twice")
    return dict(pairs)


def _check_value(value: Any, where: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise OutputsError(f"{where}: the output is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, int | float) and not abs(value) <= sys.float_info.max:
        raise OutputsError(f"{where}: the output holds a number beyond the range of a double")
    if isinstance(value, str):
        _check_text(value, where)
    elif isinstance(value, list):
        for item in value:
            _check_value(item, where, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_text(key, where)
            _check_value(item, where, depth + 1)


def _check_text(text: str, where: str) -> None:
    if len(text) > MAX_STRING:
        raise OutputsError(f"{where}: a text has {len(text)} characters; at most {MAX_STRING} are taken")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise OutputsError(f"{where}: a text holds a lone surrogate, which is not UTF-8") from None
