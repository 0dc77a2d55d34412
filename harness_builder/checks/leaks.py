"""Q9: no case of one split is known from another."""

from evals.leaks import find_leaks
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, failed, passed, some

ID, TITLE = "Q9", "splits kept apart"
REMEDY = "The task's author must draw these cases afresh, or keep whole groups within one split."


def look(evidence: Evidence) -> Finding:
    leaks = find_leaks([evidence.public, evidence.validation, *evidence.known_test])
    if leaks:
        return failed(
            f"{len(leaks)} cases are known from another split: {some([str(leak) for leak in leaks])}.", REMEDY
        )
    tested = " and test" if evidence.known_test else "; test cases are sealed, and were looked at when they were"
    return passed(f"No near-duplicates and no shared groups between public and validation{tested}.")
