"""Only a container whose owner is certainly gone is one to remove; what cannot be known counts as alive."""

import os
import time

import pytest

from tools import owner
from tools.owner import AT_REST_SEC, is_gone, this_process

OLD = time.time() - 2 * AT_REST_SEC


def container(state="running", created=OLD, without=(), **changed):
    labels = {**this_process(), **{f"evalwright.{name}": value for name, value in changed.items()}}
    labels = {name: value for name, value in labels.items() if name.removeprefix("evalwright.") not in without}
    return {"Labels": labels, "State": state, "Created": created}


@pytest.fixture
def ended():
    """The number of a process that has ended."""
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    return str(pid)


def test_an_owner_in_our_namespace_is_gone_when_no_such_process_runs(ended):
    assert is_gone(container(owner=ended))
    assert is_gone(container(ticks="1"))  # the number went to a later process
    assert not is_gone(container())


def test_an_owner_elsewhere_is_not_gone_whatever_its_number(ended):
    assert not is_gone(container(owner=ended, namespace="1"))
    assert not is_gone(container("created", owner=ended, boot="another", machine="another"))


@pytest.mark.parametrize("name", ["owner", "ticks", "namespace", "boot"])
def test_labels_that_do_not_tell_are_not_judged(name):
    assert not is_gone(container(without=[name]))
    assert not is_gone(container(**{name: "no such thing"})) or name == "ticks"


@pytest.mark.parametrize("number", ["0", "-1", "99999999999999999999", "\u0663", "1.0", ""])
def test_a_number_that_no_process_has_is_not_judged(number):
    assert not is_gone(container(owner=number))


def test_a_process_that_is_hidden_from_us_is_alive(monkeypatch):
    """As with another user's under a /proc mounted with hidepid."""
    monkeypatch.setattr(owner, "_ticks", lambda pid: "")
    assert not is_gone(container(ticks="5"))


def test_without_a_proc_of_our_own_namespace_nothing_is_judged(monkeypatch, ended):
    monkeypatch.setattr(os, "readlink", lambda path: "1")
    assert not is_gone(container(owner=ended))
    assert not is_gone(container("created", boot="another"))


@pytest.mark.parametrize("state", ["created", "exited", "dead"])
def test_what_an_earlier_boot_of_this_machine_left_is_gone_once_it_is_at_rest_for_long(monkeypatch, state):
    monkeypatch.setattr(owner, "_machine", lambda: "this machine")
    assert is_gone(container(state, boot="an earlier one"))
    assert not is_gone(container(state, time.time(), boot="an earlier one"))
    assert not is_gone(container(state, boot="an earlier one", machine="another"))
    assert not is_gone(container(state, boot=""))


def test_what_runs_under_another_boot_is_another_machines_though_it_has_our_name(monkeypatch):
    monkeypatch.setattr(owner, "_machine", lambda: "both machines")
    assert not is_gone(container("running", boot="its own"))


def test_machines_without_a_name_are_not_taken_for_each_other(monkeypatch):
    monkeypatch.setattr(owner, "_machine", lambda: "")
    assert not is_gone(container("created", boot="its own"))


def test_the_start_is_told_as_a_time_of_day_too():
    import psutil  # noqa: PLC0415 - beside its only use

    assert abs(float(this_process()["evalwright.started"]) - psutil.Process().create_time()) < 3
