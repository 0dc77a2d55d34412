"""What a run made, taken out of the ledger: submissions, harnesses, transcript, scores.

Only what the agent wrote and what was found about it: no validation and no test case is in it. Of a failure on
validation only the kind is told, since its details may quote a case.
"""

import base64
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from agent import report
from agent.plain import plain
from agent.story import as_markdown, lines_of, turns
from evals.ledger import Ledger, Payload, RunSummary
from tools.errors import AuthorError, EnvironmentFailure
from tools.files import FileTree

Kind = Literal["submission", "harness"]


@dataclass(frozen=True)
class Piece:
    """One tree of files that the run froze."""

    kind: Kind
    digest: str
    name: str
    """`submission`, or `version 2` of the harness."""
    tree: FileTree

    def as_json(self) -> dict[str, Any]:
        """Texts by path; what is no UTF-8 as base64."""
        texts, binary = {}, {}
        for path, data in self.tree.files.items():
            try:
                texts[path] = data.decode()
            except UnicodeDecodeError:
                binary[path] = base64.b64encode(data).decode()
        facts = {"kind": self.kind, "digest": self.digest, "name": self.name, "files": texts}
        return facts | ({"binary": binary} if binary else {})

    def as_text(self) -> str:
        """All files one after the other, as `tail` shows several."""
        return "\n".join(f"==> {plain(path)} <==\n{_shown(data)}\n" for path, data in self.tree.files.items())


def _shown(data: bytes) -> str:
    try:
        return lines_of(data.decode())
    except UnicodeDecodeError:
        return f"({len(data)} bytes that are no text)"


def submission_of(ledger: Ledger, run: RunSummary, digest: str = "") -> Piece:
    """The best submission, or the one whose digest starts so; AuthorError when there is none."""
    wanted = digest or _promoted(ledger, run).get("digest", "")
    if not wanted:
        raise AuthorError("nothing was promoted", where=f"run {run.id}", remedy="Name a submission with --which")
    found = {each.text("digest"): each for each in _frozen(ledger, run, "submission")}
    matches = [each for each in found if each.startswith(wanted)]
    if len(matches) != 1:
        known = ", ".join(each[:8] for each in list(found)[-12:]) or "none"
        problem = f"{len(matches)} submissions are called {plain(wanted)!r}"
        raise AuthorError(problem, where=f"run {run.id}", remedy=f"There are: {known}")
    return Piece("submission", matches[0], "submission", ledger.get_tree(found[matches[0]].text("blob")))


def harness_of(ledger: Ledger, run: RunSummary, version: str = "") -> Piece:
    """The harness of this version, else the one that graded the best submission, else the newest."""
    found = _frozen(ledger, run, "harness")
    graded_by = _promoted(ledger, run).get("harness")
    wanted = [each for each in found if str(each.whole("version")) == version] if version else found
    graders = [each for each in wanted if each.text("digest") == graded_by]
    if not wanted:
        known = ", ".join(str(each.whole("version")) for each in found) or "none"
        problem = f"there is no harness version {plain(version)!r}" if version else "it has no harness yet"
        raise AuthorError(problem, where=f"run {run.id}", remedy=f"There are: {known}")
    return _harness(ledger, (graders or wanted)[-1])


def _harness(ledger: Ledger, frozen: Payload) -> Piece:
    name = f"version {frozen.whole('version')}"
    return Piece("harness", frozen.text("digest"), name, ledger.get_tree(frozen.text("blob")))


def _frozen(ledger: Ledger, run: RunSummary, kind: Kind) -> list[Payload]:
    return [event.fields for event in ledger.events(run.id, kinds={f"{kind}.frozen"})]


def _promoted(ledger: Ledger, run: RunSummary) -> Mapping[str, Any]:
    events = list(ledger.events(run.id, kinds={"submission.promoted"}))
    return {name: events[-1].fields.text(name) for name in ("digest", "harness")} if events else {}


def export(ledger: Ledger, run: RunSummary, directory: Path) -> list[str]:
    """Write everything below `directory`, which must not be there or be empty; the files' names."""
    tree = _everything(ledger, run)
    target = directory.absolute()
    scratch = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise AuthorError("there is something already", where=plain(directory), remedy="Give a new directory")
        try:
            scratch.mkdir(parents=True)
            tree.write_to(scratch)
            scratch.replace(target)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        problem = f"cannot be written: {error.strerror}"
        raise EnvironmentFailure(problem, where=plain(directory)[:200], remedy="Give another directory") from None
    return list(tree)


def _everything(ledger: Ledger, run: RunSummary) -> FileTree:
    harnesses = [_harness(ledger, each) for each in _frozen(ledger, run, "harness")]
    parts = [each.tree.under(f"harness/{each.name.replace(' ', '-')}") for each in harnesses]
    if run.best_validation is not None:
        parts.append(submission_of(ledger, run).tree.under("submission"))
    texts = {
        "README.md": _readme(ledger, run),
        "transcript.md": as_markdown(run.id, list(turns(ledger, run.id))),
        "run.json": _json(facts_of(ledger, run)),
    }
    audited = list(ledger.events(run.id, kinds={"audit.finished"}))
    if audited:
        texts["audit.json"] = _json({"at": audited[-1].at, **audited[-1].fields.fields})
    tree = FileTree({path: text.encode(errors="backslashreplace") for path, text in texts.items()})
    for part in parts:
        tree = tree.merged(part)
    return tree


def facts_of(ledger: Ledger, run: RunSummary) -> dict[str, Any]:
    """What `show --json` tells, less what a failure on validation may quote of a case."""
    facts = report.details(ledger, run)
    told = [
        each if each["split"] == "public" else {**each, "detail": each["detail"].split(":")[0]}
        for each in facts["submissions"]
    ]
    return {**facts, "submissions": told}


def _readme(ledger: Ledger, run: RunSummary) -> str:
    best = report.number(run.best_validation)
    judge = f"It was graded by harness {harness_of(ledger, run).name}." if run.best_validation is not None else ""
    return (
        f"# {plain(run.id)}\n\n"
        f"Task {plain(run.task)}, model {plain(run.model)}, {run.state}; best validation {best}. {judge}\n\n"
        "- submission/: the best submission, where one was promoted; reproduce.sh runs it\n"
        "- harness/version-N/: the harnesses the agent wrote; run.json has the gate's verdicts\n"
        "- transcript.md: what was said\n"
        "- run.json: harness verdicts, scores, tokens\n"
        "- audit.json: what the last audit found, where there was one\n"
    )


def _json(value: Any) -> str:
    return json.dumps(value, indent=2) + "\n"


def transcript_json(ledger: Ledger, run: RunSummary) -> dict[str, Any]:
    """The transcript for programs."""
    return {"run": run.id, "turns": [asdict(each) for each in turns(ledger, run.id)]}
