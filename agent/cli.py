"""The `evalwright` command: the only file that wires everything together.

stdout carries results (one JSON document with `--json`), stderr carries progress and errors. Exit codes: 0 done, 1 the
answer is no, 2 misuse or broken input, 3 something in the environment is missing or failed, 130 stopped by Ctrl-C.
"""

import getpass
import json
import platform
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, NoReturn

import docker
import typer
from rich.console import Console

from agent import report
from agent.budget import Limits
from agent.doctor import diagnose
from agent.duration import seconds_of
from agent.launch import Order, Workshop, order_of, replies_given, start
from agent.launch import resume as resume_run
from agent.model import Model
from agent.models.lite import LiteModel
from agent.models.replay import replay_model
from agent.models.scripted import ScriptedModel
from agent.progress import Progress
from agent.run import Settings
from evals.audit.audit import audit as audit_run
from evals.audit.audit import subject_of
from evals.grading import Grader
from evals.ledger import Ledger, Seal
from evals.registration import register
from evals.splits import Keyring
from evals.task import Task, describe, load_task
from harness_builder.gate import Gate
from serving import shared
from serving.engine import Engine
from serving.paths import cache_home
from serving.weights import resolve
from tools.docker import DockerSandboxes
from tools.errors import AuthorError, EnvironmentFailure, EvalwrightError
from tools.files import FileTree
from tools.image import build_task_image, ensure_base_image

DEFAULT_WEIGHTS = "qwen2.5-coder-0.5b"
INTERRUPTED = 130

app = typer.Typer(no_args_is_help=True, add_completion=False, help="An agent that builds the harness it is judged by.")
task_app = typer.Typer(no_args_is_help=True, help="Check and seal tasks.")
harness_app = typer.Typer(no_args_is_help=True, help="Qualify harnesses.")
app.add_typer(task_app, name="task")
app.add_typer(harness_app, name="harness")
stdout, stderr = Console(), Console(stderr=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
Db = Annotated[Path, typer.Option("--db", envvar="EVALWRIGHT_DB", help="The ledger.")]
RunId = Annotated[str, typer.Argument(help='The id of a run, the start of one, or "last".')]
TaskName = Annotated[str, typer.Argument(help="A task directory, or the name of a bundled task.")]
DEFAULT_DB = Path("runs.db")
MODEL_HELP = (
    'Who answers: "local" or "local:WEIGHTS" (the managed engine), any LiteLLM name, "replay:RUN", or "scripted:FILE".'
)


def main() -> NoReturn:
    """Entry point: turns what went wrong into one clear line and an exit code."""
    signal.signal(signal.SIGTERM, _stop)
    try:
        code = app(standalone_mode=False) or 0
        if code == INTERRUPTED:  # what typer makes of Ctrl-C
            raise KeyboardInterrupt
        sys.exit(code)
    except typer.TyperException as misuse:
        _complain(f"{misuse.format_message().rstrip('.')}. Try --help.")
        sys.exit(2)
    except (KeyboardInterrupt, typer.Abort):
        _complain("stopped; a run that was under way goes on with: evalwright resume last")
        sys.exit(INTERRUPTED)
    except EvalwrightError as error:
        _complain(str(error))
        sys.exit(error.exit_code)


def _stop(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _complain(line: str) -> None:
    print(f"evalwright: {line}", file=sys.stderr)
    if "--json" in sys.argv:
        print(json.dumps({"error": line}))


def _say(line: str) -> None:
    stderr.print(line, markup=False, highlight=False, style="dim")


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


@app.command()
def run(
    task: TaskName,
    model: Annotated[str, typer.Option(help=MODEL_HELP)] = "local",
    search: Annotated[str, typer.Option(help="depth or tree; by default tree for a local model, else depth.")] = "",
    budget: Annotated[str, typer.Option(help="Wall clock, such as 90s, 10m or 12h; by default the task's.")] = "",
    tokens: Annotated[
        int, typer.Option(min=-1, show_default=False, help="Tokens in all; 0 is unbounded; by default the task's.")
    ] = -1,
    cost: Annotated[
        float, typer.Option(min=-1, show_default=False, help="US dollars; 0 is unbounded; by default the task's.")
    ] = -1.0,
    steps: Annotated[
        int, typer.Option(min=-1, show_default=False, help="Model answers; 0 is unbounded; by default the task's.")
    ] = -1,
    seed: Annotated[
        int, typer.Option(help="Seeds the choice of prompts, and the sampling where the model takes a seed.")
    ] = 0,
    width: Annotated[int, typer.Option(min=1, max=256, help="Candidates a round of a tree search.")] = 16,
    db: Db = DEFAULT_DB,
    as_json: AsJson = False,
) -> int:
    """Run a task: study, build a harness, have it qualified, iterate on a submission, keep the best."""
    loaded = load_task(task)
    kind = search or ("tree" if model.split(":")[0] == "local" else "depth")
    if kind not in ("depth", "tree"):
        raise AuthorError(f"{search!r} is not a way to search", where="--search", remedy="Use depth or tree")
    ours = loaded.ours.budget
    limits = Limits(
        wall_clock_sec=seconds_of(budget) if budget else ours.wall_clock_sec,
        tokens=ours.tokens if tokens < 0 else tokens,
        cost_usd=ours.cost_usd if cost < 0 else cost,
        steps=ours.steps if steps < 0 else steps,
    )
    settings = Settings(search="tree" if kind == "tree" else "depth", seed=seed, width=width)
    with Ledger.open(db) as ledger, ExitStack() as stack:
        sandboxes, image = _sandboxes(), _image(loaded)
        seal = _seal(loaded, ledger, sandboxes, image)
        answering = stack.enter_context(_open_model(model, ledger))
        progress = stack.enter_context(Progress(stderr, limits))
        shop = Workshop(ledger, sandboxes, image, (progress,))
        run_id = start(Order(loaded, settings, limits), answering, seal, shop, facts=_facts(model))
    return _conclude(db, run_id, as_json)


@app.command()
def resume(
    run_id: RunId = "last",
    model: Annotated[str, typer.Option(help="Another model than the run began with. " + MODEL_HELP)] = "",
    db: Db = DEFAULT_DB,
    as_json: AsJson = False,
) -> int:
    """Go on with a run that was paused or interrupted."""
    with Ledger.open(db, create=False) as ledger, ExitStack() as stack:
        summary = ledger.run(run_id)
        order = order_of(ledger, summary.id)
        recorded = next(
            event.data["config"]["asked_model"] for event in ledger.events(summary.id, kinds={"run.started"})
        )
        sandboxes, image = _sandboxes(), _image(order.task)
        given = replies_given(ledger, summary.id)
        answering = stack.enter_context(_open_model(model or recorded, ledger, given))
        progress = stack.enter_context(Progress(stderr, order.limits))
        resume_run(summary.id, answering, Workshop(ledger, sandboxes, image, (progress,)))
    return _conclude(db, summary.id, as_json)


@app.command("list")
def list_runs(db: Db = DEFAULT_DB, as_json: AsJson = False) -> int:
    """List the runs of a ledger, newest first."""
    with Ledger.open(db, create=False) as ledger:
        runs = ledger.runs()
    if as_json:
        _print_json({"runs": [report.listed(each) for each in runs]})
    else:
        report.print_list(stdout, runs)
    return 0


@app.command()
def show(run_id: RunId = "last", db: Db = DEFAULT_DB, as_json: AsJson = False) -> int:
    """Show one run: harness versions and verdicts, submissions and scores, tokens."""
    with Ledger.open(db, create=False) as ledger:
        facts = report.details(ledger, ledger.run(run_id))
    _print_json(facts) if as_json else report.print_details(stdout, facts)
    return 0


@app.command()
def audit(
    run_id: RunId = "last",
    why: Annotated[str, typer.Option(help="Why the seal is opened; recorded.")] = "audit",
    who: Annotated[str, typer.Option(help="Who opens it; by default the user's login name.")] = "",
    db: Db = DEFAULT_DB,
    as_json: AsJson = False,
) -> int:
    """Verify a run, grade its best submission again, and score it on the sealed test split."""
    with Ledger.open(db, create=False) as ledger:
        subject = subject_of(ledger, ledger.run(run_id).id)
        task = subject.task
        grader = Grader(
            _sandboxes(), _image(task), subject.run_id, task.ours.submission.timeout_sec, task.limits, task.public_files
        )
        result = audit_run(ledger, subject, grader, Keyring.default(), who=who or getpass.getuser(), why=why, say=_say)
    _print_json(result.as_json()) if as_json else report.print_audit(stdout, result)
    return 0 if result.holds else 1


@app.command()
def verify(
    run_id: Annotated[str, typer.Argument(help="A run; all of them when left out.")] = "",
    db: Db = DEFAULT_DB,
    as_json: AsJson = False,
) -> int:
    """Recompute the hash chain of one run or of all, and name the first row that is not as it was recorded."""
    with Ledger.open(db, create=False) as ledger:
        findings = ledger.verify(ledger.run(run_id).id if run_id else None)
    if as_json:
        _print_json({"intact": not findings, "findings": [vars(each) for each in findings]})
    else:
        for each in findings:
            print(f"{each.run_id} event {each.seq}: {each.problem}")
        print("broken" if findings else "intact")
    return 1 if findings else 0


@app.command()
def serve(
    model: Annotated[str, typer.Option(help="Weights: a recipe's name, a hub id or a path.")] = DEFAULT_WEIGHTS,
    port: Annotated[int, typer.Option(min=0, max=65535, help="A loopback port; 0 chooses a free one.")] = 0,
    as_json: AsJson = False,
) -> int:
    """Serve a local model until Ctrl-C; runs with --model local use it instead of starting their own."""
    with (
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
    image = ensure_base_image(docker.from_env(), _say)
    _say(f"sandbox image: {image.tag} ({image.how})")
    found = resolve(weights, _say) if weights else None
    if found:
        _say(f"weights: {found.name} from {found.source}")
    if as_json:
        _print_json({"image": image.tag, "how": image.how, "weights": str(found.path) if found else None})
    return 0


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
    _print_json(facts) if as_json else print("\n".join(f"{name}: {value}" for name, value in facts.items()))
    return 0


@task_app.command("seal")
def task_seal(task: TaskName, db: Db = DEFAULT_DB, as_json: AsJson = False) -> int:
    """Draw a task's test split anew and seal it; runs started from now on are judged on it."""
    loaded = load_task(task)
    with Ledger.open(db) as ledger:
        seal = register(loaded, ledger, _keyring(loaded), _sandboxes(), _image(loaded))
    facts = {
        "seal": seal.id,
        "commitment": seal.commitment,
        "cases": seal.cases,
        "key": str(_keyring(loaded).path(seal.key_id)),
    }
    _print_json(facts) if as_json else print("\n".join(f"{name}: {value}" for name, value in facts.items()))
    return 0


@harness_app.command("qualify")
def harness_qualify(
    directory: Annotated[Path, typer.Argument(help="The harness directory.")],
    task: Annotated[str, typer.Option(help="The task it is for.")],
    as_json: AsJson = False,
) -> int:
    """Put a harness through the gate: 0 qualified, 1 rejected, 2 invalid."""
    loaded = load_task(task)
    if not directory.is_dir():
        raise AuthorError(
            "there is no such directory", where=str(directory), remedy="Give the directory with harness.toml"
        )
    grader = Grader(
        _sandboxes(), _image(loaded), "qualify", loaded.ours.submission.timeout_sec, loaded.limits, loaded.public_files
    )
    result = Gate(loaded, grader).qualify(FileTree.from_directory(directory))
    _print_json(result.as_json()) if as_json else report.print_qualification(stdout, result)
    return {"qualified": 0, "rejected": 1, "invalid": 2}[result.verdict]


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
        yield LiteModel(f"openai/{served.model}", api_base=served.base_url, api_key=served.api_key, guided=True)
        return
    with Engine.start(resolve(weights or DEFAULT_WEIGHTS, _say), progress=_say) as engine:
        yield LiteModel(f"openai/{engine.model}", api_base=engine.base_url, api_key=engine.api_key, guided=True)


def _sandboxes() -> DockerSandboxes:
    sandboxes = DockerSandboxes()
    sandboxes.ping()
    for stray in sandboxes.remove_strays():
        _say(f"removed a container that a dead run left: {stray}")
    return sandboxes


def _image(task: Task) -> str:
    client = docker.from_env()
    return build_task_image(client, task.environment, ensure_base_image(client, _say).tag)


def _keyring(task: Task) -> Keyring:
    directory = Path(task.where)
    return Keyring.default(task_directory=directory if directory.is_dir() else None)


def _seal(task: Task, ledger: Ledger, sandboxes: DockerSandboxes, image: str) -> Seal:
    """The task's newest seal in this ledger, unless an audit has opened it; without one the task is registered now."""
    seal = ledger.seal_for(task.digest)
    if seal is not None and not ledger.was_opened(seal.id):
        return seal
    return register(task, ledger, _keyring(task), sandboxes, image)


def _facts(model: str) -> dict[str, Any]:
    packages = ("evalwright", "langgraph", "litellm", "docker", "sqlmodel")
    versions = {"python": platform.python_version(), **{name: version(name) for name in packages}}
    return {"asked_model": model, "versions": versions}


def _conclude(db: Path, run_id: str, as_json: bool) -> int:
    """Print a run's summary; 0 when a submission stands, 1 when none does."""
    with Ledger.open(db, create=False) as ledger:
        facts = report.details(ledger, ledger.run(run_id))
    if as_json:
        _print_json(facts)
    else:
        report.print_details(stdout, facts)
        at = "" if db == DEFAULT_DB else f" --db {db}"
        if facts["best_validation"] is not None:
            print(f"\nnext: evalwright audit {run_id}{at}   (open the sealed test split)")
        print(f"      evalwright show {run_id}{at}    evalwright verify {run_id}{at}")
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


if __name__ == "__main__":
    main()
