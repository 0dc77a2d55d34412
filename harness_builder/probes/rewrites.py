"""Right outputs written otherwise: what a sound harness accepts all the same."""

import json
import math
import random
from collections.abc import Callable, Collection, Mapping
from typing import Any

from evals.splits import Case
from harness_builder.leeway import Leeway
from harness_builder.places import of_floats, steps
from harness_builder.shapes import Outputs, Path, at, field_of, fields, is_number, map_leaves, map_lists
from harness_builder.trial import Trial
from harness_builder.truth import Tolerance, barely_right, point_paths

ROUNDING = 1e-12
"""Relative; what another order of the same sums may well change."""


def rewrites(
    right: Mapping[str, Any], cases: Mapping[str, Case], tolerance: Tolerance, leeway: Leeway, *, seed: int = 0
) -> list[Trial]:
    """Trials that mean the same as the right outputs."""
    trials = [
        Trial("the same outputs, last case first", dict(reversed(list(right.items())))),
        Trial("the same outputs, keys in another order", {name: _reversed(value) for name, value in right.items()}),
        Trial("the same outputs, 2.0 written as 2", {name: map_leaves(value, _whole) for name, value in right.items()}),
        Trial(
            "the same outputs with rounding errors of 1e-12", _noisy(right, cases, lambda x: ROUNDING * abs(x), seed)
        ),
    ]
    if tolerance.stated:
        off = _noisy(right, cases, lambda x: tolerance.least(x) / 2, seed + 1, around_expected=True)
        trials.append(Trial("the same outputs, off by half the stated tolerance", off))
    trials += _otherwise(right, leeway)
    for sign, end in ((-1, "lower"), (1, "upper")):
        outputs = {name: barely_right(cases[name].expected, value, sign) for name, value in right.items()}
        trials.append(Trial(f"outputs near the {end} end of every interval", outputs))
    return [trial for trial in trials if json.dumps(trial.outputs) != json.dumps(right)]


def _otherwise(right: Mapping[str, Any], leeway: Leeway) -> list[Trial]:
    """Ways to write the outputs that the instruction says make no difference."""
    names = fields(list(right.values()))

    def texts(where: Collection[str], change: Callable[[str], str]) -> Outputs:
        def changed(path: Path, leaf: Any) -> Any:
            return change(leaf) if isinstance(leaf, str) and field_of(path, names) in where else leaf

        return {name: map_leaves(output, changed) for name, output in right.items()}

    def turned(output: Any) -> Any:
        if not isinstance(output, Mapping):
            return _turned(output) if leeway.order else output
        return {key: _turned(part) if key in leeway.order else part for key, part in output.items()}

    trials = [
        Trial("the same outputs in upper case", texts(leeway.case, str.upper)),
        Trial("the same outputs, capitalised", texts(leeway.case, str.title)),
        Trial("the same outputs with spaces around texts", texts(leeway.spaces, lambda text: f"  {text} ")),
        Trial("the same outputs, lists in another order", {name: turned(output) for name, output in right.items()}),
    ]
    if leeway.further_keys:
        further = {"note": "of no meaning", "seconds": 0.5}
        more = {name: {**further, **out} if isinstance(out, Mapping) else out for name, out in right.items()}
        trials.append(Trial("the same outputs with further keys", more))
    return trials


def _turned(value: Any) -> Any:
    return map_lists(value, lambda items: items[::-1])


def _reversed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _reversed(item) for key, item in reversed(list(value.items()))}
    return [_reversed(item) for item in value] if isinstance(value, list) else value


def _whole(_: Path, leaf: Any) -> Any:
    return int(leaf) if isinstance(leaf, float) and leaf.is_integer() and abs(leaf) < 2**53 else leaf


def _noisy(
    right: Mapping[str, Any],
    cases: Mapping[str, Case],
    size: Callable[[float], float],
    seed: int,
    *,
    around_expected: bool = False,
) -> Outputs:
    """Numbers that the expectation gives as points, off by up to the `size` for each.

    Whole numbers stay, and the others move towards zero: neither leaves a bound like 0, 1 or a count. A zero itself
    moves up, where its size says that it may.
    """
    chance, floats = random.Random(seed), of_floats(right.values())

    def noisy(name: str) -> Any:
        expected = cases[name].expected
        points = point_paths(expected, right[name])

        def moved(path: Path, leaf: Any) -> Any:
            if path not in points or not is_number(leaf) or not math.isfinite(leaf):
                return leaf
            if steps(path) in floats and leaf == at(expected, path) == 0:
                return size(0.0) * chance.uniform(0.5, 1.0)
            if float(leaf).is_integer():
                return leaf
            center = at(expected, path) if around_expected else leaf
            return center - math.copysign(size(center) * chance.uniform(0.5, 1.0), center)

        return map_leaves(right[name], moved)

    return {name: noisy(name) for name in right}
