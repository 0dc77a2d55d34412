"""Outputs that carry no knowledge: empty, null, constant, zeroed, majority, random, echoed, and everything at once.

They are built from outputs that are known to be right, so that they have the shape a real submission would have and
nothing of its content. Randomness comes from a fixed seed: the gate must give the same verdict twice.
"""

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harness_builder.shapes import Outputs, Path, is_number, leaves, map_leaves
from harness_builder.trial import Trial


def formed_nulls(right: Mapping[str, Any], *, seed: int = 0) -> list[Trial]:
    """Trials of the right types that know nothing of their cases."""
    chance = random.Random(seed)
    ids, known = list(right), list(right.values())
    constants = {"the first right output everywhere": known[0], "the last right output everywhere": known[-1]}
    constants["the most frequent right output everywhere"] = _most_frequent(known)
    constants["the usual value everywhere"] = _usual(known)
    constants["zeros"] = map_leaves(known[0], lambda _, leaf: _zero(leaf))
    constants["ones"] = map_leaves(known[0], lambda _, leaf: _zero(leaf) + 1 if is_number(leaf) else leaf)
    trials = [Trial(name, dict.fromkeys(ids, value)) for name, value in constants.items()]
    trials.append(Trial("right outputs of other cases", shifted(right)))
    trials.append(Trial("random values", {name: _random(chance.choice(known), chance) for name in ids}))
    return trials


def unformed_nulls(ids: Sequence[str], inputs: Sequence[Any], known: Sequence[Any]) -> list[Trial]:
    """Trials that are not even of the right form."""
    values: dict[str, Any] = {
        "null": None,
        "an empty text": "",
        "an empty list": [],
        "an empty object": {},
        "true": True,
        "false": False,
        "every right output in one list": list(known),
        "every right output in one text": " ".join(json.dumps(value) for value in known),
        'the text "nan" for every value': map_leaves(known[0], lambda *_: "nan"),
        "null for every value": map_leaves(known[0], lambda *_: None),
        "a list around every value": map_leaves(known[0], lambda _, leaf: [leaf]),
        "the largest number for every value": map_leaves(known[0], lambda *_: 1.7e308),
    }
    trials = [Trial(name, dict.fromkeys(ids, value), formed=False) for name, value in values.items()]
    trials.append(Trial("no output at all", {}, formed=False))
    trials.append(Trial("the id as output", {name: name for name in ids}, formed=False))
    trials.append(Trial("the input as output", dict(zip(ids, inputs, strict=True)), formed=False))
    return trials


def shifted(right: Mapping[str, Any]) -> Outputs:
    """Each case gets another's output: the one half the cases away, or the next that differs."""
    ids, values = list(right), list(right.values())
    count = len(ids)
    result = {}
    for place, name in enumerate(ids):
        others = (values[(place + count // 2 + step) % count] for step in range(count))
        result[name] = next((other for other in others if other != values[place]), values[place])
    return result


def _most_frequent(known: Sequence[Any]) -> Any:
    counts = Counter(json.dumps(value, sort_keys=True) for value in known)
    return json.loads(counts.most_common(1)[0][0])


def _usual(known: Sequence[Any]) -> Any:
    """The first right output's shape with the median of every number and the mode of everything else."""
    seen: dict[Path, list[Any]] = {}
    for value in known:
        for path, leaf in leaves(value):
            seen.setdefault(path, []).append(leaf)

    def usual(path: Path, leaf: Any) -> Any:
        there = seen[path]
        if all(map(is_number, there)):
            return sorted(there)[len(there) // 2]
        return _most_frequent(there)

    return map_leaves(known[0], usual)


def _zero(leaf: Any) -> Any:
    if isinstance(leaf, bool):
        return False
    return 0 if is_number(leaf) else "" if isinstance(leaf, str) else leaf


def _random(value: Any, chance: random.Random) -> Any:
    return map_leaves(value, lambda _, leaf: other_leaf(leaf, chance))


def other_leaf(leaf: Any, chance: random.Random) -> Any:
    """A leaf of the same type that is not near the given one."""
    if isinstance(leaf, bool):
        return chance.random() < 0.5
    if is_number(leaf):
        factor = chance.choice([chance.uniform(-0.8, 0.6), chance.uniform(1.6, 3.0)])
        return type(leaf)((leaf or 1.0) * factor)
    return "".join(chance.choice("abcdefgh") for _ in range(8)) if isinstance(leaf, str) else leaf
