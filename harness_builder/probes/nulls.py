"""Outputs that carry no knowledge: empty, null, constant, zeroed, and random ones of the right shape.

They are built from outputs that are known to be right (`known`), so that they have the shape a real submission would
have and nothing of its content. Randomness comes from a fixed seed: the gate must give the same verdict twice.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

Outputs = dict[str, Any]


def null_outputs(ids: Sequence[str], known: Sequence[Any], *, seed: int = 0) -> dict[str, Outputs]:
    """Name → outputs for every id; `known` are right outputs of other cases, which give the shape."""
    chance = random.Random(seed)
    return {
        "empty": {},
        "null": dict.fromkeys(ids),
        "constant": dict.fromkeys(ids, known[0]),
        "zero": {name: _map_leaves(known[0], _zero) for name in ids},
        "random": {name: _map_leaves(chance.choice(known), lambda leaf: _other(leaf, chance)) for name in ids},
        "echo": {name: name for name in ids},
    }


def _map_leaves(value: Any, change: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _map_leaves(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_map_leaves(item, change) for item in value]
    return change(value)


def _zero(leaf: Any) -> Any:
    if isinstance(leaf, bool):
        return False
    return 0 if isinstance(leaf, int | float) else ""


def _other(leaf: Any, chance: random.Random) -> Any:
    """A leaf of the same type that is not near the given one."""
    if isinstance(leaf, bool):
        return chance.random() < 0.5
    if isinstance(leaf, int | float):
        factor = chance.choice([chance.uniform(-0.8, 0.6), chance.uniform(1.6, 3.0)])
        return type(leaf)((leaf or 1.0) * factor)
    return "".join(chance.choice("abcdefgh") for _ in range(8)) if isinstance(leaf, str) else leaf
