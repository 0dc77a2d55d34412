"""Outputs just below a share that a requirement states: of right cases, or of right labels where labels count alike."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from harness_builder.leeway import ASKED
from harness_builder.probes.degraded import holds_something, strangers
from harness_builder.shapes import Outputs, leaves

OF_CASES = r"\baccuracy\b|\bf1\b|\bright\b|\bcorrect(?:ly)?\b"
ALIKE = r"\bbalanced\b|\bmacro\b|\bcounts? alike\b|\bmean of the (?:\w+ )?recalls\b|\b(?:each|every) (?:label|class)\b"
MOST_LABELS = 12
"""Different texts, if they are to be labels."""
LEAST = 0.5
MARGIN = 0.01
"""How far below, as a share: a harness may round."""


def below(text: str, right: Outputs) -> Iterator[tuple[str, Outputs]]:
    """What misses the share that a text asks for, if it does and this can be seen from right outputs."""
    bar = asked_share(text)
    if bar is None or not _has_words(right):
        return
    if counts_alike(text):
        yield from _unbalanced(bar, right)
    elif re.search(OF_CASES, text, re.IGNORECASE):
        yield from _too_many(bar, right)


def asked_share(text: str) -> float | None:
    """The share that a text says must be reached, below 1; None if it names none."""
    asked = [float(number) / (100 if percent else 1) for number, percent in ASKED.findall(text)]
    return next((share for share in asked if LEAST <= share < 1), None)


def just_too_many(bar: float, count: int) -> int:
    """Of so many cases how many must be wrong for the rest to miss a share for certain."""
    return math.ceil((1 - bar + MARGIN) * count - 1e-9)


def counts_alike(text: str) -> bool:
    """Whether labels are to count alike, rare ones too."""
    return bool(re.search(ALIKE, text, re.IGNORECASE))


def label_of(output: Any) -> str | None:
    """The label that an output is, if it is one: its only text."""
    texts = [leaf for _, leaf in leaves(output)]
    return texts[0] if len(texts) == 1 and isinstance(texts[0], str) else None


def _has_words(right: Mapping[str, Any]) -> bool:
    """Whether outputs are more than numbers: an accuracy that is itself an output is no share of right cases."""
    return any(isinstance(leaf, str | list) or len(path) > 1 for out in right.values() for path, leaf in leaves(out))


def _too_many(bar: float, right: Outputs) -> Iterator[tuple[str, Outputs]]:
    """So many cases wrong from top to bottom that no mean can reach the bar: usual ones, short ones, long ones."""
    count, other = just_too_many(bar, len(right)), strangers(right)
    often = Counter(map(str, right.values()))
    sizes = {name: len(list(leaves(output))) for name, output in right.items()}
    full = sorted(right, key=lambda name: not holds_something(right[name]))
    orders = {
        "usual": sorted(full, key=lambda name: -often[str(right[name])]),
        "short": sorted(full, key=lambda name: sizes[name]),
        "long": sorted(full, key=lambda name: -sizes[name]),
    }
    for kind, order in orders.items():
        hit = set(order[:count])
        outputs = {name: other[name] if name in hit else output for name, output in right.items()}
        yield f"{count} of {len(right)} cases wrong, {kind} ones first", outputs


def _unbalanced(bar: float, right: Outputs) -> Iterator[tuple[str, Outputs]]:
    """One label missed so often that neither the mean of the recalls nor that of the F1 reaches the bar."""
    labels = {name: label for name, output in right.items() if (label := label_of(output)) is not None}
    found = Counter(labels.values())
    if len(labels) < len(right) or not 2 <= len(found) <= MOST_LABELS:
        return
    usual = next(name for name in labels if labels[name] == found.most_common(1)[0][0])
    for place, (label, _) in enumerate(found.most_common(), start=1):
        holders = [name for name in labels if labels[name] == label]
        for count in range(1, len(holders) + 1):
            given = {**labels, **dict.fromkeys(holders[:count], labels[usual])}
            if label != labels[usual] and max(balanced(labels, given)) < bar - MARGIN:
                missed = {name: right[usual] if name in holders[:count] else output for name, output in right.items()}
                yield f"{count} of {len(holders)} cases of label {place}, by frequency, missed", missed
                break


def balanced(right: Mapping[str, str], given: Mapping[str, str]) -> tuple[float, float]:
    """Balanced accuracy and macro-F1: the means over labels of recall, and of 2 h / (given + right) with h hits."""
    names, hits = sorted(set(right.values())), Counter(right[name] for name in right if right[name] == given[name])
    of_right, of_given = Counter(right.values()), Counter(given.values())
    recalls = [hits[name] / of_right[name] for name in names]
    f1 = [2 * hits[name] / (of_right[name] + of_given[name]) for name in names]
    return sum(recalls) / len(names), sum(f1) / len(names)
