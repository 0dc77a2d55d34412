"""Q15: the metric does arithmetic right: direction, bounds, and hand-worked examples if the harness brings some."""

from evals.score import ScoreState
from evals.splits import Case, Split
from harness_builder.evidence import Evidence, metrics_by_case
from harness_builder.finding import Finding, failed, passed
from harness_builder.fixtures import FixtureError, read_fixtures
from harness_builder.shapes import same

ID, TITLE = "Q15", "metric right on known values"
CLOSE = 1e-9


def look(evidence: Evidence) -> Finding:
    for part in (_fixtures, _never_beaten, _every_case_can_be_solved):
        finding = part(evidence)
        if finding.verdict == "fail":
            return finding
    return passed(f"No wrong output beats a right one in {len(evidence.judged)} trials.")


def _fixtures(evidence: Evidence) -> Finding:
    try:
        fixtures = read_fixtures(evidence.harness.tree)
    except FixtureError as error:
        return failed(str(error), 'Write {"case", "output", "score"} a line.')
    name = evidence.harness.metric.name
    for number, fixture in enumerate(fixtures, start=1):
        case = Case(f"fixture-{number}", fixture.input, fixture.expected)
        score = evidence.judge({case.id: fixture.output}, Split("public", (case,)))
        evidence.decided(score, f"fixture {number}", Split("public", (case,)))
        found = metrics_by_case(score, evidence.harness)[case.id]
        if abs(found - fixture.score) > CLOSE:
            told = f"Fixture {number}: {name} is {found:.9g}, worked out by hand {fixture.score:.9g}."
            return failed(told, "Mend the metric, or the fixture.")
    return passed()


def _never_beaten(evidence: Evidence) -> Finding:
    """No output may score better than the expectation itself does, where that is an output; else than a right one."""
    metric, best = evidence.harness.metric, metrics_by_case(evidence.reached, evidence.harness)
    for trial, score in evidence.judged:
        if score.state is ScoreState.SCORED:
            beaten = [
                case
                for case, value in metrics_by_case(score, evidence.harness).items()
                if case in best and metric.better(value, best[case]) and _perfect(evidence, case)
            ]
            if beaten:
                told = f"{trial.name}: scores better than the expected output itself in {len(beaten)} cases."
                return failed(told, "Nothing can be better than what is expected; check direction and arithmetic.")
    return passed()


def _perfect(evidence: Evidence, case: str) -> bool:
    return same(evidence.right_outputs[case], evidence.cases[case].expected)


def _every_case_can_be_solved(evidence: Evidence) -> Finding:
    metric = evidence.harness.metric
    lost = [
        name
        for name, value in metrics_by_case(evidence.reached, evidence.harness).items()
        if value == metric.worst and name in evidence.cases and _perfect(evidence, name)
    ]
    if lost:
        told = f"The expected output itself gets the worst score in {len(lost)} cases: {', '.join(lost[:3])}."
        return failed(told, "Look at these cases: a division by zero or an empty list may be behind it.")
    return passed()
