"""What does not deliver: submissions that crash, never end or write no outputs, and outputs that lack a part."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness_builder.shapes import WHOLE, map_leaves, same
from harness_builder.trial import Trial
from tools.files import FileTree

EMPTY: dict[str, Any] = {"null": None, "an empty text": "", "an empty list": [], "an empty object": {}, "false": False}
EMPTY["zero"] = 0


def _script(text: str) -> FileTree:
    return FileTree({"reproduce.sh": text.encode()})


CRASH = _script('head -n 1 "$CASES" > "$OUT/partial.txt"\nexit 3\n')
TIMEOUT = _script("sleep 600\n")
SILENT = _script("true\n")
MALFORMED = _script('echo \'{"id": "x", "output": NaN\' > "$OUT/outputs.jsonl"\n')

ENDLESS = "timeout"
BROKEN = {"crash": CRASH, ENDLESS: TIMEOUT, "silent": SILENT, "malformed": MALFORMED}


def without_a_part(right: Mapping[str, Any], names: Sequence[str]) -> list[Trial]:
    """Trials in which one field is missing or holds nothing, or one kind of nothing stands for another."""
    trials = [
        Trial(f"{what} for {name}", {case: {**output, name: empty} for case, output in right.items()}, formed=False)
        for name in names
        for what, empty in EMPTY.items()
        if name != WHOLE
    ]
    trials += [
        Trial(f"no {gone}", {case: _without(output, gone) for case, output in right.items()}, formed=False)
        for gone in names
        if gone != WHOLE
    ]
    for what, empty in EMPTY.items():
        for other, instead in EMPTY.items():
            outputs = {case: _exchanged(output, empty, instead) for case, output in right.items()}
            trials.append(Trial(f"{other} where {what} is right", outputs, formed=False))
    return [trial for trial in trials if not same(trial.outputs, right)]


def _without(output: Mapping[str, Any], gone: str) -> dict[str, Any]:
    return {name: value for name, value in output.items() if name != gone}


def _exchanged(output: Any, empty: Any, instead: Any) -> Any:
    return map_leaves(output, lambda _, leaf: instead if same(leaf, empty) else leaf)
