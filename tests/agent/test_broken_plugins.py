"""A plugin that cannot be used stops a run before it is made, and is named by whoever is asked."""

from pathlib import Path
from typing import Any

import pytest

CLASH = """
class Thing:
    name = "bash"
    description = "Another bash."
    parameters = {"type": "object", "properties": {}, "additionalProperties": False}

    def run(self, context, **arguments):
        return None
"""


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two distributions as pip leaves them: one takes a name in use, the other cannot be imported."""
    site = tmp_path / "site"
    site.mkdir()
    for name, code in (("clashing", CLASH), ("failing", "raise RuntimeError('no luck')")):
        (site / f"{name}_tool.py").write_text(code)
        metadata = site / f"{name}-2.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n")
        (metadata / "entry_points.txt").write_text(f"[evalwright.tools]\n{name} = {name}_tool:Thing\n")
    monkeypatch.syspath_prepend(str(site))


TAKEN = "plugin clashing 2.0: tool name 'bash' is already taken by evalwright"
FAILED = "plugin failing 2.0: entry point failing = failing_tool:Thing cannot be loaded: RuntimeError: no luck"


@pytest.mark.usefixtures("broken")
def test_a_run_is_refused_before_anything_is_made_for_it(house: Any, script: Any, tiny: Any) -> None:
    done = house.run(tiny.where, script.study())
    assert done.code == 2
    (line,) = done.err.splitlines()
    assert line.startswith(f"evalwright: {TAKEN}")
    assert not house.db.exists()


@pytest.mark.usefixtures("broken")
def test_the_doctor_names_every_broken_plugin(house: Any) -> None:
    done = house.call("doctor", "--json")
    assert done.code == 3
    told = [each["detail"] for each in done.json["findings"] if each["name"] == "plugin"]
    assert [detail.startswith(start) for detail, start in zip(told, (TAKEN, FAILED), strict=True)] == [True, True]


@pytest.mark.usefixtures("broken")
def test_the_list_of_tools_has_those_that_work_and_names_the_others(house: Any) -> None:
    done = house.call("tools", "--json")
    assert done.code == 2
    assert [each["name"] for each in done.json["tools"]][:2] == ["bash", "read_file"]
    assert {each["origin"] for each in done.json["tools"]} == {"evalwright"}
    assert len(done.json["broken"]) == 2
    assert f"broken: {FAILED}" in house.call("tools").out


def test_the_version_is_told(house: Any) -> None:
    done = house.call("--version")
    assert (done.code, done.out, done.err) == (0, "evalwright 0.1.0\n", "")
