"""The `evalwright` command: the only file that wires everything together.

stdout carries results (one JSON document with `--json`), stderr carries progress and errors. Exit codes: 0 done, 1 the
answer is no, 2 misuse or broken input, 3 something in the environment is missing or failed, 130 stopped by Ctrl-C.
agent/entry.py imports this file, and turns what goes wrong in it into one line and an exit code.
"""

from agent.entry import main

if __name__ == "__main__":
    main()  # before the imports below, which take seconds: it makes them itself, where Ctrl-C is taken care of

import getpass
import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import docker
import typer

from agent import report
from agent.budget import Limits
from agent.console import Out
from agent.doctor import diagnose
from agent.duration import seconds_of
from agent.export import Piece, export, harness_of, submission_of, transcript_json
from agent.hints import DEFAULT_DB, spelled, to_type
from agent.launch import Order, Workshop, order_of, replies_given, start
from agent.launch import resume as resume_run
from agent.model import Model
from agent.models.lite import LiteModel, check_name
from agent.models.replay import replay_model
from agent.models.scripted import ScriptedModel
from agent.plain import plain
from agent.preparation import facts_of, image_of, keyring_of, open_sandboxes, seal_anew, seal_for
from agent.progress import Progress, at_work
from agent.run import Settings
from agent.stopping import stopping
from agent.story import as_markdown, turns
from evals.audit.audit import audit as audit_run
from evals.audit.audit import auditing
from evals.grading import Grader
from evals.ledger import Ledger, RunSummary
from evals.registration import register
from evals.splits import Keyring
from evals.task import MUCH, Task, describe, load_task
from evals.toml import shown
from harness_builder.gate import Gate
from harness_builder.scaffold import build, default_plan
from harness_builder.zoo.benchmark import run_zoo
from harness_builder.zoo.kept import Kept
from harness_builder.zoo.outcome import Outcome
from harness_builder.zoo.specimen import load_zoo
from harness_builder.zoo.witnesses import see_all
from serving import shared
from serving.endpoint import Endpoint
from serving.engine import Engine
from serving.paths import cache_home
from serving.weights import resolve
from tools.docker import DockerSandboxes
from tools.errors import AuthorError, EnvironmentFailure, ToolError
from tools.files import FileTree
from tools.image import ensure_base_image
from tools.registry import Registry

DEFAULT_WEIGHTS = "qwen2.5-coder-0.5b"

app = typer.Typer(no_args_is_help=True, add_completion=False, help="An agent that builds the harness it is judged by.")
task_app = typer.Typer(no_args_is_help=True, help="Check and seal tasks.")
harness_app = typer.Typer(no_args_is_help=True, help="Write and qualify harnesses.")
app.add_typer(task_app, name="task")
app.add_typer(harness_app, name="harness")
stdout, stderr = Out(), Out(stderr=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
Db = Annotated[Path, typer.Option("--db", envvar="EVALWRIGHT_DB", help="The ledger.")]
RunId = Annotated[str, typer.Argument(help='The id of a run, the start of one, or "last".')]
TaskName = Annotated[str, typer.Argument(help="A task directory, or the name of a bundled task.")]
MODEL_HELP = (
    'Who answers: "local" or "local:WEIGHTS" (the managed engine), any LiteLLM name, "replay:RUN", or "scripted:FILE".'
)


def _say(line: str) -> None:
    with suppress(OSError):  # nobody is there to read it
        stderr.print(plain(spelled(line)), markup=False, highlight=False, style="dim", soft_wrap=True)


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


def _limit(*, help: str) -> Any:
    """An option that bounds a run; None stands for the task's own bound."""
    return typer.Option(min=0, max=MUCH, show_default=False, help=help)


def _version(asked: bool) -> None:
    if asked:
        print(f"evalwright {version('evalwright')}")
        raise typer.Exit


@app.callback()
def evalwright(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    """An agent that builds the harness it is judged by."""


@app.command()
def run(
    task: TaskName,
    model: Annotated[str, typer.Option(help=MODEL_HELP)] = "local",
    search: Annotated[str, typer.Option(help="depth or tree; by default tree for a local model, else depth.")] = "",
    budget: Annotated[str, typer.Option(help="Wall clock, such as 90s, 10m or 12h; by default the task's.")] = "",
    tokens: Annotated[int | None, _limit(help="Tokens in all; 0 is unbounded; by default the task's.")] = None,
    cost: Annotated[float | None, _limit(help="US dollars; 0 is unbounded; by default the task's.")] = None,
    steps: Annotated[int | None, _limit(help="Model answers; 0 is unbounded; by default the task's.")] = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            max=2**31 - 1,
            help="Seeds the choice of prompts, and the sampling where the model takes a seed.",
        ),
    ] = 0,
    width: Annotated[int, typer.Option(min=1, max=256, help="Candidates a round of a tree search.")] = 16,
    db: Db = DEFAULT_DB,
    as_json: AsJson = False,
) -> int:
    """Run a task: study, build a harness, have it qualified, iterate on a submission, keep the best."""
    loaded = load_task(task)
    kind = search or ("tree" if model.split(":")[0] == "local" else "depth")
    if kind not in ("depth", "tree"):
        raise AuthorError(f"{shown(search)} is not a way to search", where="--search", remedy="Use depth or tree")
    ours = loaded.ours.budget
    limits = Limits(
        wall_clock_sec=seconds_of(budget) if budget else ours.wall_clock_sec,
        tokens=ours.tokens if tokens is None else tokens,
        cost_usd=ours.cost_usd if cost is None else cost,
        steps=ours.steps if steps is None else steps,
    )
    settings = Settings(search="tree" if kind == "tree" else "depth", seed=seed, width=width)
    registry = Registry.load()
    _check_model(model)
    with stopping(partial(to_type, "resume", db=db)) as stop, Ledger.open(db) as ledger, ExitStack() as stack:
        progress = stack.enter_context(_progress(settings, limits))
        sandboxes, image = open_sandboxes(_say), image_of(loaded, _say)
        seal = partial(seal_for, loaded, ledger, sandboxes, image)
        seal()  # what is wrong with a task shows before the minutes a model may take to start
        answering = stack.enter_context(_open_model(model, ledger))
        shop = Workshop(ledger, sandboxes, image, registry, (progress, stop))
        run_id = start(Order(loaded, settings, limits), answering, seal, shop, facts=facts_of(model))
    return _conclude(db, run_id, as_json)


@app.command()
def resume(
    run_id: RunId = "last",
    model: Annotated[str, typer.Option(help="Another model than the run began with. " + MODEL_HELP)] = "",
    db: Db = DEFAULT_DB,
    as_json: AsJson = False,
) -> int:
    """Go on with a run that was paused or interrupted."""
    registry = Registry.load()
    with (
        stopping(partial(to_type, "resume", db=db)) as stop,
        Ledger.open(db, create=False) as ledger,
        ExitStack() as stack,
    ):
        summary = ledger.run(run_id)
        order = order_of(ledger, summary.id)
        progress = stack.enter_context(_progress(order.settings, order.limits))
        started = next(event.fields for event in ledger.events(summary.id, kinds={"run.started"}))
        sandboxes, image = open_sandboxes(_say), image_of(order.task, _say)
        given = replies_given(ledger, summary.id)
        asked = model or started.part("config").text("asked_model")
        _check_model(asked)
        answering = stack.enter_context(_open_model(asked, ledger, given))
        shop = Workshop(ledger, sandboxes, image, registry, (progress, stop))
        reseal = partial(seal_anew, summary.id, order.task, started.text("task_digest"), shop)
        resume_run(summary.id, answering, shop, reseal=reseal)
    return _conclude(db, summary.id, as_json)


@app.command("list")
def list_runs(db: Db = DEFAULT_DB, as_json: AsJson = False) -> int:
    """List the runs of a ledger, newest first."""
    with Ledger.open(db, create=False, write=False) as ledger:
        runs = ledger.runs()
    if as_json:
        _print_json({"runs": [report.listed(each) for each in runs]})
    else:
        report.print_list(stdout, runs)
    return 0


@app.command()
def show(
    run_id: RunId = "last",
    submission: Annotated[bool, typer.Option("--submission", help="The files of the best submission.")] = False,
    harness: Annotated[bool, typer.Option("--harness", help="The files of the harness that graded it.")] = False,
    transcript: Annotated[bool, typer.Option("--transcript", help="What was said, as Markdown.")] = False,
    which: Annotated[
        str, typer.Option(help="Another one: the start of a submission's digest, or a harness version.")
    ] = "",
    db: Db = DEFAULT_DB,
    as_json: AsJson = False,
) -> int:
    """Show one run: harness versions and verdicts, submissions and scores, tokens; or what the agent wrote."""
    chosen = submission + harness + transcript
    if chosen > 1 or (which and not (submission or harness)):
        problem, remedy = "one thing is shown at a time", "Give one of --submission, --harness, --transcript"
        raise AuthorError(problem, where="show", remedy=f"{remedy}; --which goes with the first two")
    with Ledger.open(db, create=False, write=False) as ledger:
        summary = ledger.run(run_id)
        if submission:
            _print_piece(submission_of(ledger, summary, which), summary, as_json)
        elif harness:
            _print_piece(harness_of(ledger, summary, which), summary, as_json)
        elif transcript:
            _print_transcript(ledger, summary, as_json)
        else:
            facts = report.details(ledger, summary)
            _print_json(facts) if as_json else report.print_details(stdout, facts)
    return 0


def _print_piece(piece: Piece, run: RunSummary, as_json: bool) -> None:
    _print_json({"run": run.id, **piece.as_json()}) if as_json else print(piece.as_text())


def _print_transcript(ledger: Ledger, run: RunSummary, as_json: bool) -> None:
    if as_json:
        _print_json(transcript_json(ledger, run))
    else:
        print(as_markdown(run.id, list(turns(ledger, run.id))), end="")


@app.command("export")
def export_run(
    run_id: RunId,
    directory: Annotated[Path, typer.Argument(help="Where to write; must not be there yet, or be empty.")],
    db: Db = DEFAULT_DB,
    as_json: AsJson = False,
) -> int:
    """Write what a run made into a directory: submission, harnesses, transcript, scores, audit."""
    with Ledger.open(db, create=False, write=False) as ledger:
        summary = ledger.run(run_id)
        files = export(ledger, summary, directory)
    if as_json:
        _print_json({"run": summary.id, "directory": str(directory), "files": files})
    else:
        print("\n".join(plain(f"{directory}/{name}") for name in files))
    return 0


@app.command()
def audit(
    run_id: RunId = "last",
    why: Annotated[str, typer.Option(help="Why the seal is opened; recorded.")] = "audit",
    who: Annotated[str, typer.Option(help="Who opens it; by default the user's login name.")] = "",
    db: Db = DEFAULT_DB,
    end: Annotated[bool, typer.Option("--end", help="End the run first when it is not over.")] = False,
    as_json: AsJson = False,
) -> int:
    """Verify a run, grade its best submission again, and score it on the sealed test split."""
    with Ledger.open(db, create=False) as ledger, auditing(ledger, ledger.run(run_id).id, end=end) as subject:
        task = subject.task
        grader = Grader(
            open_sandboxes(_say),
            image_of(task, _say),
            subject.run_id,
            task.ours.submission.timeout_sec,
            task.limits,
            task.public_files,
        )
        result = audit_run(ledger, subject, grader, Keyring.default(), who=who or _login_name(), why=why, say=_say)
    _print_json(result.as_json()) if as_json else report.print_audit(stdout, result)
    return 0 if result.holds else 1


@app.command()
def verify(
    run_id: Annotated[str, typer.Argument(help="A run; all of them when left out.")] = "",
    db: Db = DEFAULT_DB,
    as_json: AsJson = False,
) -> int:
    """Recompute the hash chain of one run or of all, and name the first row that is not as it was recorded."""
    with Ledger.open(db, create=False, write=False) as ledger:
        chosen = ledger.run(run_id).id if run_id else None
        findings = ledger.verify(chosen)
        heads = [] if findings else ledger.heads(chosen)
    if as_json:
        facts = {"findings": [vars(each) for each in findings], "heads": [vars(each) for each in heads]}
        _print_json({"intact": not findings, **facts})
    else:
        report.print_verified(findings, heads)
    return 1 if findings else 0


@app.command()
def serve(
    model: Annotated[str, typer.Option(help="Weights: a recipe's name, a hub id or a path.")] = DEFAULT_WEIGHTS,
    port: Annotated[int, typer.Option(min=0, max=65535, help="A loopback port; 0 chooses a free one.")] = 0,
    as_json: AsJson = False,
) -> int:
    """Serve a local model until Ctrl-C; runs with --model local use it instead of starting their own."""
    with (
        stopping(),
        Engine.start(resolve(model, _say), port=port or None, progress=_say) as engine,
        shared.published(engine.endpoint),
    ):
        facts = {
            "base_url": engine.base_url,
            "model": engine.model,
            "api_key": engine.api_key,
            "log": str(engine.log_path),
        }
        if as_json:
            print(json.dumps(facts), flush=True)
        else:
            print("\n".join(f"{name}: {value}" for name, value in facts.items()), "\nCtrl-C stops it.", flush=True)
        while True:
            threading.Event().wait(5.0)
            engine.check()


@app.command()
def setup(
    weights: Annotated[str, typer.Option(help="Weights to fetch; empty for none.")] = DEFAULT_WEIGHTS,
    as_json: AsJson = False,
) -> int:
    """Make what runs need and is not there yet: the sandbox image and local weights."""
    DockerSandboxes().ping()
    with at_work(stderr, "making the sandbox image"):
        image = ensure_base_image(docker.from_env(), _say)
    _say(f"sandbox image: {image.tag} ({image.how})")
    with at_work(stderr, "fetching the weights"):
        found = resolve(weights, _say) if weights else None
    if found:
        _say(f"weights: {found.name} from {found.source}")
    if as_json:
        _print_json({"image": image.tag, "how": image.how, "weights": str(found.path) if found else None})
    return 0


@app.command("tools")
def list_tools(as_json: AsJson = False) -> int:
    """List the tools of a depth search and who offers each, and the plugins that are broken."""
    registry, broken = Registry.examine()
    tools = [
        {"name": name, "origin": origin, "description": registry.tool(name).description}
        for name, origin in registry.origins.items()
    ]
    if as_json:
        _print_json({"tools": tools, "broken": [str(error) for error in broken]})
    else:
        report.print_tools(stdout, tools, broken)
    return AuthorError.exit_code if broken else 0


@app.command()
def doctor(as_json: AsJson = False) -> int:
    """Look at everything a run needs, and say what is missing and what to do."""
    findings = diagnose(lambda: DockerSandboxes().ping(), _image_there, _weights_there)
    if as_json:
        _print_json({"findings": [vars(each) for each in findings]})
    else:
        report.print_findings(stdout, findings)
    return 0 if all(each.ok for each in findings if each.needed) else 3


@task_app.command("check")
def task_check(task: TaskName, as_json: AsJson = False) -> int:
    """Check a task directory: its configuration, files and splits."""
    facts = describe(load_task(task))
    _print_json(facts) if as_json else print("\n".join(plain(f"{name}: {value}") for name, value in facts.items()))
    return 0


@task_app.command("seal")
def task_seal(task: TaskName, db: Db = DEFAULT_DB, as_json: AsJson = False) -> int:
    """Draw a task's test split anew and seal it; runs started from now on are judged on it."""
    loaded = load_task(task)
    with Ledger.open(db) as ledger:
        seal = register(loaded, ledger, keyring_of(loaded), open_sandboxes(_say), image_of(loaded, _say))
    facts = {
        "seal": seal.id,
        "commitment": seal.commitment,
        "cases": seal.cases,
        "key": str(keyring_of(loaded).path(seal.key_id)),
    }
    _print_json(facts) if as_json else print("\n".join(plain(f"{name}: {value}") for name, value in facts.items()))
    return 0


@harness_app.command("qualify")
def harness_qualify(
    directory: Annotated[Path, typer.Argument(help="The harness directory.")],
    task: Annotated[str, typer.Option(help="The task it is for.")],
    as_json: AsJson = False,
) -> int:
    """Put a harness through the gate: 0 qualified, 1 rejected, 2 invalid."""
    loaded = load_task(task)
    tree = _harness_files(directory)
    grader = Grader(
        open_sandboxes(_say),
        image_of(loaded, _say),
        "qualify",
        loaded.ours.submission.timeout_sec,
        loaded.limits,
        loaded.public_files,
    )
    with at_work(stderr, "harness at the gate"):
        result = Gate(loaded, grader, candid=True).qualify(tree)
    _print_json(result.as_json()) if as_json else report.print_qualification(stdout, result)
    return {"qualified": 0, "rejected": 1, "invalid": 2}[result.verdict]


@harness_app.command("scaffold")
def harness_scaffold(
    task: TaskName,
    directory: Annotated[Path, typer.Argument(help="A directory that is not there yet, or is empty.")],
    as_json: AsJson = False,
) -> int:
    """Write the harness that the agent starts from: every field compared as closely as the task states."""
    tree = build(default_plan(load_task(task)))
    try:
        if directory.exists() and any(directory.iterdir()):
            raise AuthorError("it is not empty", where=str(directory), remedy="Name a new directory")
        tree.write_to(directory)
    except OSError as error:
        raise AuthorError(
            f"cannot be written: {error.strerror}", where=plain(directory)[:200], remedy="Name another directory"
        ) from None
    written = [plain(str(directory / path)) for path in tree.files]
    _print_json({"files": written}) if as_json else print("\n".join(written))
    return 0


@harness_app.command("zoo")
def harness_zoo(
    only: Annotated[str, typer.Option(help="Only specimens whose id (task/flawed/name) holds this text.")] = "",
    witnesses: Annotated[
        bool, typer.Option("--witnesses", help="See every witness instead of asking the gate.")
    ] = False,
    no_baselines: Annotated[bool, typer.Option("--no-baselines", help="Leave out the three baselines.")] = False,
    keep: Annotated[
        Path | None, typer.Option(help="Keep each outcome in this file, and go on from those that are there.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Measure the gate: flawed and sound harnesses with known faults are put through it. An hour or two in all."""
    chosen = [each for each in load_zoo() if only in each.id and (each.is_flawed or not witnesses)]
    if not chosen:
        what = "flawed specimen" if witnesses else "specimen"
        raise AuthorError(
            f"no {what} is called {shown(only)}", where="--only", remedy="Give a part of task/flawed/name"
        )
    sandboxes = open_sandboxes(_say)

    def grader_for(task: Task) -> Grader:
        return Grader(
            sandboxes, image_of(task, _say), "zoo", task.ours.submission.timeout_sec, task.limits, task.public_files
        )

    if witnesses:
        unseen = [each for each in see_all(chosen, grader_for, _say) if not each[1].holds]
        _print_json({"unseen": [specimen.id for specimen, _ in unseen]}) if as_json else None
        return 1 if unseen else 0
    try:
        kept = Kept(keep) if keep else None
    except OSError as error:
        problem = f"cannot be written: {error.strerror}"
        raise AuthorError(problem, where=plain(keep)[:200], remedy="Name a file") from None
    done = count(1)

    def tell(outcome: Outcome) -> None:
        _say(f"{next(done)} of {len(chosen)}: {outcome.told()}")

    with at_work(stderr, "harnesses at the gate"):
        result = run_zoo(chosen, grader_for, tell, baselines=not no_baselines, kept=kept)
    _print_json(result) if as_json else report.print_zoo(stdout, result)
    return 0


def _harness_files(directory: Path) -> FileTree:
    remedy = "Give the directory with harness.toml"
    try:
        if directory.is_dir():
            links = [path.relative_to(directory) for path in directory.rglob("*") if path.is_symlink()]
            if links:
                raise AuthorError("a link", where=plain(directory / links[0])[:200], remedy="Put the file itself there")
            return FileTree.from_directory(directory)
    except (OSError, ToolError) as error:  # a name too long, a closed directory, more files than a harness may have
        problem = error.problem if isinstance(error, ToolError) else f"cannot be read: {error.strerror}"
        raise AuthorError(problem, where=plain(directory)[:200], remedy=remedy) from None
    raise AuthorError("there is no such directory", where=str(directory), remedy=remedy)


def _progress(settings: Settings, limits: Limits) -> Progress:
    return Progress(stderr, limits, width=settings.width if settings.search == "tree" else 0)


def _check_model(name: str) -> None:
    """Refuse a name that nobody answers to, before anything is made for the run."""
    if name.partition(":")[0] not in ("scripted", "replay", "local"):
        check_name(name)


@contextmanager
def _open_model(name: str, ledger: Ledger, given: Mapping[str, int] | None = None) -> Iterator[Model]:
    """The model called `name`, for as long as the block lasts; a managed engine is stopped at its end."""
    kind, _, rest = name.partition(":")
    if kind == "scripted":
        yield ScriptedModel.from_file(Path(rest), skip=given)
    elif kind == "replay":
        yield replay_model(ledger, rest, skip=given)
    elif kind == "local":
        with _local_engine(rest) as model:
            yield model
    else:
        yield LiteModel(name)


@contextmanager
def _local_engine(weights: str) -> Iterator[Model]:
    served = shared.find()
    if served is not None and weights in ("", served.model):
        _say(f"using the engine that is being served at {served.base_url}")
        yield _local_model(served)
        return
    with Engine.start(resolve(weights or DEFAULT_WEIGHTS, _say), progress=_say) as engine:
        yield _local_model(engine.endpoint)


def _local_model(at: Endpoint) -> LiteModel:
    return LiteModel(
        f"openai/{at.model}", api_base=at.base_url, api_key=at.api_key, guided=True, shown=f"local:{at.model}"
    )


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user that the system does not know
        return f"uid {os.getuid()}"


def _conclude(db: Path, run_id: str, as_json: bool) -> int:
    """Print a run's summary; 0 when a submission stands, 1 when none does."""
    with Ledger.open(db, create=False, write=False) as ledger:
        facts = report.details(ledger, ledger.run(run_id))
    if as_json:
        _print_json(facts)
    else:
        report.print_details(stdout, facts)
        if facts["best_validation"] is None:
            report.print_shortfall(facts)
        report.print_next(run_id, db, promoted=facts["best_validation"] is not None)
    return 0 if facts["best_validation"] is not None else 1


def _image_there() -> str:
    try:
        client = docker.from_env()
        tags = [tag for image in client.images.list(name="evalwright/sandbox") for tag in image.tags]
    except docker.errors.DockerException as error:
        raise EnvironmentFailure(f"no engine to ask: {error}", remedy="Run `make setup`") from None
    if not tags:
        raise EnvironmentFailure("not made yet", remedy="Run `evalwright setup`")
    return str(tags[0])


def _weights_there() -> str:
    path = cache_home() / "weights" / DEFAULT_WEIGHTS
    if not path.is_dir():
        raise EnvironmentFailure(f"{DEFAULT_WEIGHTS} is not fetched yet", remedy="Run `evalwright setup`")
    return str(path)
