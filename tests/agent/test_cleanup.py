"""Whatever way a run ends, no container, network, process or temporary file of ours is left."""

import signal
import time
from typing import Any

import pytest


@pytest.fixture
def networks(docker_client: Any) -> set[str]:
    """The networks there are before the test."""
    return {network.name for network in docker_client.networks.list()}


def assert_nothing_is_left(house: Any, client: Any, networks: set[str]) -> None:
    deadline = time.monotonic() + 20  # a killed container takes a moment to remove itself
    while house.containers(client) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert house.containers(client) == []
    assert house.processes() == []
    assert {network.name for network in client.networks.list()} <= networks
    assert list((house.root / "tmp").iterdir()) == []


def assert_it_says_how_to_go_on(house: Any, done: Any) -> None:
    lines = done.err.strip().splitlines()
    assert "stopping; Ctrl-C again to end now" in lines
    assert lines[-2] == "evalwright: stopped"
    assert lines[-1].startswith("next: ")
    assert lines[-1].endswith(f"evalwright resume {house.newest().id}")


def test_after_a_run_and_its_audit(solved: Any, docker_client: Any, networks: set[str]) -> None:
    assert_nothing_is_left(solved, docker_client, networks)
    beside = {path.name for path in solved.root.iterdir()}
    assert beside == {"runs.db", "runs.db.checkpoints", "runs.db.drivers", "script.jsonl", "home", "tmp"}
    assert list((solved.root / "runs.db.drivers").iterdir()) == [], "no lock is left"


def test_after_a_failed_run(house: Any, script: Any, tiny: Any, docker_client: Any, networks: set[str]) -> None:
    script.study()
    for _ in range(10):
        script.say("build_harness", "No.")
    assert house.run(tiny.where, script).code == 1
    assert_nothing_is_left(house, docker_client, networks)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_after_being_stopped_in_a_tool_call_the_run_is_paused(
    house: Any, script: Any, tiny: Any, docker_client: Any, networks: set[str], ending: signal.Signals
) -> None:
    script.study().use("build_harness", "bash", command="sleep 300", timeout=400)
    process = house.start("run", tiny.where, "--model", house.model(script))
    house.wait_for("tool.call", "sleep 300")
    process.send_signal(ending)
    started = time.monotonic()
    done = house.end(process)
    assert time.monotonic() - started < 20
    assert done.code == 130
    assert_it_says_how_to_go_on(house, done)
    assert "Traceback" not in done.err
    assert (house.newest().state, house.events("run.paused")) == ("paused", [{"reason": "stopped by hand"}])
    assert_nothing_is_left(house, docker_client, networks)


def test_after_being_stopped_while_the_harness_is_at_the_gate(
    house: Any, script: Any, tiny: Any, docker_client: Any, networks: set[str]
) -> None:
    house.gate_remembers = False
    script.study().hand_in_the_scaffold()
    process = house.start("run", tiny.where, "--model", house.model(script))
    house.wait_for("phase.entered", "qualify")
    time.sleep(2)
    process.send_signal(signal.SIGTERM)
    done = house.end(process)
    assert done.code == 130
    assert_it_says_how_to_go_on(house, done)
    assert "Traceback" not in done.err
    assert house.newest().state == "paused"
    assert_nothing_is_left(house, docker_client, networks)


def test_a_second_ctrl_c_ends_at_once_and_leaves_nothing_either(
    house: Any, script: Any, tiny: Any, docker_client: Any, networks: set[str]
) -> None:
    script.study().use("build_harness", "bash", command="sleep 300", timeout=400)
    process = house.start("run", tiny.where, "--model", house.model(script))
    house.wait_for("tool.call", "sleep 300")
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    done = house.end(process)
    assert time.monotonic() - started < 5
    assert done.code == 130
    assert "Traceback" not in done.err
    assert house.newest().state in ("interrupted", "paused"), "either can be resumed"
    assert_nothing_is_left(house, docker_client, networks)
