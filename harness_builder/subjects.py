"""The field that a requirement is about, and whether the check it is mapped to looks there at all.

Whatever stands in that field, a check that never fails for it answers for another requirement.
"""

import re
from collections.abc import Mapping
from typing import Any

from evals.score import ScoreState
from harness_builder.evidence import Evidence
from harness_builder.naming import named_at
from harness_builder.probes.broken import without_a_part
from harness_builder.shapes import Outputs

LEADING = r"^\s*(?:where|when|whenever|if|unless|for|in|on|of|with|without|given|among)\b[^,;:]*,\s*"
"""A clause before the main one says of which cases it speaks."""
TRAILING = (
    r"\b(?:where|when|whenever|if|unless|except|because|than|equals?|agrees? with|consistent with|same as|add\w* up)\b"
)
"""What follows says of which cases, or what the subject is compared with."""
GONE = object()


def subject_of(text: str, fields: tuple[str, ...]) -> str | None:
    """The first field in the main clause of a requirement; None if it has none."""
    clause = text
    while (rest := re.sub(LEADING, "", clause, flags=re.IGNORECASE)) != clause:
        clause = rest
    clause = re.split(TRAILING, clause, maxsplit=1, flags=re.IGNORECASE)[0]
    standing = {name: place for name in fields if (place := named_at(name, clause)) is not None}
    return min(standing, key=standing.__getitem__, default=None)


def unseen_subject(evidence: Evidence) -> tuple[str, str] | None:
    """Requirement and field, where none of its checks failed for any outputs that were wrong in that field alone.

    It is missing, null and empty here; and far off and barely so in what was judged before.
    """
    spoken_of = {each.id: subject_of(each.text, evidence.fields) for each in evidence.task.ours.requirements}
    fields = {name for name in spoken_of.values() if name}
    if not fields:
        return None
    evidence.try_all(without_a_part(evidence.right_outputs, sorted(fields)))
    red: dict[str, set[str]] = {name: set() for name in fields}
    tried = set()
    for trial, score in evidence.judged:
        field = _only_field(evidence.right_outputs, trial.outputs)
        if field in fields and score.state is ScoreState.SCORED:
            tried.add(field)
            red[field] |= set(score.failed_checks)
    for requirement, field in spoken_of.items():
        if field in tried and not red[field] & set(evidence.harness.requirements[requirement]):
            return requirement, field
    return None


def _only_field(right: Outputs, outputs: Mapping[str, Any]) -> str | None:
    """The field in which alone outputs differ from right ones; None if there is none such."""
    differing: set[str] = set()
    for case, wanted in right.items():
        got = outputs.get(case)
        if got is wanted:
            continue
        if not isinstance(got, Mapping) or not isinstance(wanted, Mapping):
            return None
        differing |= {key for key in {*got, *wanted} if got.get(key, GONE) != wanted.get(key, GONE)}
        if len(differing) > 1:
            return None
    return next(iter(differing), None)
