"""A run whose process is killed goes on where it was: nothing is lost, nothing is done twice, nothing is left over."""

import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest

from agent.transcript import INTERRUPTED
from evals.ledger import Ledger

SLEEP = "echo once >> submission/marker; sleep 300"


@pytest.fixture(scope="module")
def killed(new_house: Any, new_script: Any, tiny: Any, right: str, image: str) -> Iterator[dict[str, Any]]:
    """A run killed with -9 in the middle of a tool call, and then resumed; what was seen on the way."""
    house, script, seen = new_house(), new_script(), {}
    script.study().use("build_harness", "bash", command="true").hand_in_the_scaffold()
    script.use("attempt", "write_file", path="submission/reproduce.sh", content=right)
    script.use("attempt", "bash", command=SLEEP, timeout=400)
    script.use("attempt", "bash", command="cat submission/marker; pgrep sleep || echo no sleep")
    script.use("attempt", "submit", path="submission")

    process = house.start("run", tiny.where, "--model", house.model(script))
    try:
        house.wait_for("tool.call", SLEEP)
        seen["running"] = house.newest().state
        seen["second driver"] = house.call("resume", "last")
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    seen["killed"] = house.call("list", "--json").json["runs"][0]["state"]
    seen["resumed"] = house.call("resume", "last", "--json")
    yield {"house": house, **seen}


def test_a_second_driver_is_turned_away_with_one_line(killed: dict[str, Any]) -> None:
    assert killed["running"] == "running"
    second = killed["second driver"]
    assert second.code == 2
    assert second.err.count("\n") == 1 and "is being driven by process" in second.err


def test_a_killed_run_shows_as_interrupted(killed: dict[str, Any]) -> None:
    assert killed["killed"] == "interrupted"


def test_a_resumed_run_ends_as_if_nothing_had_happened(killed: dict[str, Any]) -> None:
    resumed = killed["resumed"]
    assert resumed.code == 0, resumed.err
    assert (resumed.json["state"], resumed.json["best_validation"]) == ("finished", 1.0)
    with Ledger.open(killed["house"].db, create=False) as ledger:
        assert ledger.verify() == []


def test_the_harness_is_not_qualified_a_second_time(killed: dict[str, Any]) -> None:
    assert len(killed["house"].events("harness.verdict")) == 1


def test_the_interrupted_call_is_told_as_such_and_not_run_again(killed: dict[str, Any]) -> None:
    house = killed["house"]
    calls = [call for call in house.events("tool.call") if call["arguments"].get("command") == SLEEP]
    results = house.events("tool.result")
    told = [result for result in results if result["text"] == INTERRUPTED]
    assert (len(calls), len(told)) == (1, 1)
    assert told[0]["is_error"]


def test_what_the_model_had_written_is_there_again(killed: dict[str, Any]) -> None:
    """The file written before the kill was never submitted; the resumed life could not have ended at 1.0 without it."""
    house = killed["house"]
    written = [call["arguments"]["path"] for call in house.events("tool.call") if call["name"] == "write_file"]
    assert written == ["submission/reproduce.sh"]


def test_no_container_of_either_life_is_left(killed: dict[str, Any], docker_client: Any) -> None:
    deadline = time.monotonic() + 20
    while killed["house"].containers(docker_client) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert killed["house"].containers(docker_client) == []
    assert killed["house"].processes() == []


def test_a_finished_run_is_not_resumed(killed: dict[str, Any]) -> None:
    again = killed["house"].call("resume", "last")
    assert again.code == 2
    assert again.err.strip().endswith("it has ended (finished). Start a new run")


def test_an_interrupted_request_for_the_scaffold_keeps_the_harness_as_it_was_edited(
    house: Any, script: Any, tiny: Any, image: str
) -> None:
    script.study().use("build_harness", "bash", command="echo '# mine' >> harness/metrics.py")
    script.use("build_harness", "bash", command="sleep 300", timeout=400)
    script.use("build_harness", "bash", command="tail -n 1 harness/metrics.py")
    process = house.start("run", tiny.where, "--model", house.model(script))
    house.wait_for("tool.call", "sleep 300")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    # The script ends there, so the resumed life stops with an error that says so.
    assert "there is no further answer for 'build_harness'" in house.call("resume", "last").err
    assert house.events("tool.result")[-1]["text"] == "# mine"
