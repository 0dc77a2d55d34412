"""The life of a box: files in and out, errors, parallel use, and that none is left behind."""

import queue
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import docker
import pytest
import requests

from tools.channel import Channel
from tools.docker import SERVER, DockerSandbox, DockerSandboxes
from tools.errors import AuthorError, EnvironmentFailure, SandboxLimit, ToolError
from tools.files import FileTree
from tools.owner import this_process
from tools.sandbox import BoxLost

ROOT = Path(__file__).parents[2]


def boxes_of(docker_client, run_id):
    return docker_client.containers.list(all=True, ignore_removed=True, filters={"label": f"evalwright.run={run_id}"})


def wait_until(condition, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not (reached := condition()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return reached


# ---- run


def test_run_passes_arguments_environment_folder_and_input(box):
    box.put(FileTree({"here": b""}), "/workspace/sub")
    script = 'ls; echo "$1 $COLOUR"; cat; exit 3'
    done = box.run(
        ["bash", "-c", script, "_", "a b"], timeout=5, cwd="/workspace/sub", env={"COLOUR": "red"}, stdin=b"in\n"
    )
    assert (done.stdout, done.exit_code, done.timed_out) == (b"here\na b red\nin\n", 3, False)


def test_an_input_larger_than_a_pipe_arrives_whole(box):
    assert box.run(["wc", "-c"], timeout=10, stdin=b"x" * 5_000_000).stdout == b"5000000\n"


def test_a_command_that_cannot_start_is_a_tool_error_and_the_box_goes_on(box):
    with pytest.raises(ToolError, match="no-such-program: No such file"):
        box.run(["no-such-program"], timeout=5)
    with pytest.raises(ToolError, match="/nowhere: No such file"):
        box.run(["true"], timeout=5, cwd="/nowhere")
    assert box.run(["true"], timeout=5).exit_code == 0


@pytest.mark.parametrize("timeout", [3_000_000, 10**400, float("inf")], ids=["2^31 ms and more", "10^400", "endless"])
def test_a_very_long_timeout_is_one(box, timeout):
    assert box.run(["echo", "done"], timeout=timeout).stdout == b"done\n"


def test_a_long_wait_is_waited_in_pieces_on_both_sides(monkeypatch, spec):
    monkeypatch.setattr("tools.channel.LONGEST_WAIT_SEC", 0.05)
    source = SERVER.read_text().replace("LONGEST_WAIT_SEC = 3_600.0", "LONGEST_WAIT_SEC = 0.05")
    assert source != SERVER.read_text()
    with DockerSandboxes(server=source).open(spec) as box:
        done = box.run(["bash", "-c", "sleep 0.5; wc -c"], timeout=30, stdin=b"x" * 3_000_000)
        assert (done.stdout, done.timed_out) == (b"3000000\n", False)
        assert box.run(["sleep", "30"], timeout=0.5).timed_out


# ---- put and get


def test_files_come_back_as_they_went_in(box):
    tree = FileTree({"a.txt": b"\x00\xff", "deep/er/reproduce.sh": b"#!/bin/sh\n", "leer": b"", "uml\u00e4ut": b"x"})
    box.put(tree, "/workspace/new/folder")
    assert box.get("/workspace/new/folder").digest == tree.digest
    assert box.get("/workspace/new/folder/a.txt") == FileTree({"a.txt": b"\x00\xff"})
    assert box.run(["new/folder/deep/er/reproduce.sh"], timeout=5).exit_code == 0


def test_links_and_special_files_are_dropped_on_the_way_out(box, bash):
    bash("mkdir d; echo real > d/real; ln -s /etc/passwd d/link; ln -s /etc d/folder; mkfifo d/fifo; ln -s . d/loop")
    assert dict(box.get("/workspace/d").files) == {"real": b"real\n"}
    with pytest.raises(ToolError, match="neither a file nor a directory"):
        box.get("/workspace/d/folder")


def test_a_link_planted_where_a_file_is_put_is_replaced_and_not_followed(box, bash):
    bash("mkdir d; echo old > target; ln -s /workspace/target d/file")
    box.put(FileTree({"file": b"new"}), "/workspace/d")
    assert bash("cat target; cat d/file").stdout == b"old\nnew"


def test_too_many_or_too_large_files_are_refused(box, bash):
    bash("mkdir d; for i in 1 2 3; do echo 12345 > d/$i; done; truncate -s 10G sparse")
    with pytest.raises(SandboxLimit, match="more than 2 files"):
        box.get("/workspace/d", max_files=2)
    with pytest.raises(SandboxLimit, match="more than 17 bytes"):
        box.get("/workspace/d", max_bytes=17)
    assert len(box.get("/workspace/d", max_files=3, max_bytes=18)) == 3
    with pytest.raises(SandboxLimit, match="more than 1000 bytes"):
        box.get("/workspace/sparse", max_bytes=1000)


def test_some_files_of_a_directory(box, bash):
    bash("mkdir -p d/e; echo 1 > d/a; echo 2 > d/e/b; echo 3 > d/c; ln -s a d/link")
    names = ["a", "e/b", "link", "not there", "e"]
    assert box.get("/workspace/d", names=names) == FileTree({"a": b"1\n", "e/b": b"2\n"})
    assert len(box.get("/workspace/d", names=[])) == 0


def test_stamps_change_when_files_do(box, bash):
    bash("mkdir -p d/e; echo 1 > d/a; echo 2 > d/e/b; ln -s a d/link; mkfifo d/fifo")
    before = box.stamps("/workspace/d")
    assert (sorted(before), before["a"].size, before["a"].executable) == (["a", "e/b"], 2, 0)
    assert box.stamps("/workspace/d") == before
    for change in ("echo 3 > d/a", "chmod +x d/a", "rm d/a; echo 3 > d/a", "touch -r d/e/b d/a"):
        bash(change)
        after = box.stamps("/workspace/d")
        assert after["a"] != before["a"] and after["e/b"] == before["e/b"], change
        before = after
    with pytest.raises(SandboxLimit, match="more than 1 files"):
        box.stamps("/workspace/d", max_files=1)
    with pytest.raises(ToolError, match="No such file"):
        box.stamps("/workspace/none")


def test_a_tree_that_does_not_fit_is_a_limit_and_leaves_the_old_file(box):
    box.put(FileTree({"a": b"old"}), "/workspace")
    with pytest.raises(SandboxLimit, match="No space left"):
        box.put(FileTree({"a": b"x" * 70_000_000}), "/workspace")
    assert dict(box.get("/workspace").files) == {"a": b"old"}


def test_names_that_are_not_utf8_and_endless_folders_are_errors_not_crashes(box, bash):
    nest = "import os; [(os.mkdir('d'), os.chdir('d')) for _ in range(1500)]"
    assert bash(f"mkdir a b; touch a/$'\\xff'; cd b; python3 -c \"{nest}\"").exit_code == 0
    with pytest.raises(ToolError, match=r"\\udcff' is not UTF-8") as caught:
        box.get("/workspace/a")
    str(caught.value).encode()
    with pytest.raises(SandboxLimit, match="too deeply nested"):
        box.get("/workspace/b")
    assert bash("echo alive").stdout == b"alive\n"


NOT_UTF8 = "$'x\\xff'"
UNREADABLE = {
    "get a file": (f"mkdir d; touch d/{NOT_UTF8}; chmod 0 d/{NOT_UTF8}", lambda box: box.get("/workspace/d")),
    "get a folder": ("true", lambda box: box.get("/workspace/x\udcff")),
    "put below a file": (f"touch {NOT_UTF8}", lambda box: box.put(FileTree({"a": b""}), "/workspace/x\udcff/d")),
    "start": ("true", lambda box: box.run(["no-such-\udcff"], timeout=5)),
    "half a pair as a path": ("true", lambda box: box.get("/workspace/\ud800")),
    "half a pair as an argument": ("true", lambda box: box.run(["echo", "\ud800"], timeout=5)),
}


@pytest.mark.parametrize(("command", "act"), UNREADABLE.values(), ids=UNREADABLE)
def test_an_error_about_a_name_that_is_not_utf8_is_text_that_utf8_can_hold(box, bash, command, act):
    bash(command)
    with pytest.raises(ToolError, match=r"\\ud") as caught:
        act(box)
    str(caught.value).encode()
    assert bash("echo alive").stdout == b"alive\n"


def test_a_forged_error_holds_no_half_surrogate_pairs(spec):
    with DockerSandboxes(server=LIAR % r"""say(b'{"error": "x\\ud800 \xed\xa0\x80"}')""").open(spec) as box:
        with pytest.raises(ToolError) as caught:
            box.run(["true"], timeout=1)
        assert str(caught.value) == r"run in the box: x\ud800 \ud800"


def test_commands_that_cannot_be_passed_on_leave_no_pipe_open_in_the_server(spec):
    # The server ends itself when it holds more than a few descriptors.
    source = SERVER.read_text().replace("def serve() -> NoReturn:", SMALL_TABLE)
    with DockerSandboxes(server=source).open(spec) as box:
        for _ in range(20):
            with pytest.raises(ToolError, match="null byte"):
                box.run(["a\0b"], timeout=5)
        assert box.run(["true"], timeout=5).exit_code == 0


SMALL_TABLE = """def serve() -> NoReturn:
    import resource
    resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))"""


def test_a_missing_path_is_a_tool_error(box):
    with pytest.raises(ToolError, match="/workspace/none: No such file"):
        box.get("/workspace/none")


# ---- opening and losing


def test_a_missing_image_is_the_authors_to_mend(sandboxes, spec):
    with pytest.raises(AuthorError, match=r"evalwright/no-such-image:1.*no such image"):
        sandboxes.open(replace(spec, image="evalwright/no-such-image:1"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [([], "it has no python3"), (["VOLUME /data"], "it declares volumes")],
    ids=["no Python", "a volume"],
)
def test_an_image_no_box_can_be_made_of_is_the_authors_to_mend(docker_client, sandboxes, spec, changes, message):
    tag = f"evalwright-test:{uuid.uuid4().hex[:12]}"
    files = FileTree({"hello": b""}).to_tar()
    docker_client.api.import_image_from_data(files, *tag.split(":"), changes=changes)
    try:
        with pytest.raises(AuthorError, match=message):
            sandboxes.open(replace(spec, image=tag, run_id="test-image"))
        assert boxes_of(docker_client, "test-image") == []
    finally:
        docker_client.images.remove(tag)


def test_no_engine_is_an_environment_failure_that_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(EnvironmentFailure, match=r"does not answer.*Start Docker"):
        DockerSandboxes().ping()


def test_a_box_stopped_from_outside_is_lost_and_not_blamed_on_its_code(docker_client, sandboxes, spec):
    with sandboxes.open(spec) as box:
        docker_client.containers.get(box.name).kill()
        with pytest.raises(BoxLost, match="stopped from outside") as lost:
            box.run(["true"], timeout=5)
    assert not lost.value.by_code_inside


def test_a_box_whose_server_ran_out_of_memory_says_so(spec):
    # 256 MB for processes and 2 x 64 MB for files cannot hold 1 GB.
    with DockerSandboxes(server=LIAR % "x = b'x' * 10**9").open(spec) as box:
        with pytest.raises(BoxLost, match=r"out of memory \(limit 256 MB\)") as lost:
            box.run(["true"], timeout=20)
        assert lost.value.cause == "memory"
        assert lost.value.by_code_inside


def test_a_closed_box_refuses_and_is_gone(docker_client, sandboxes, spec):
    box = sandboxes.open(replace(spec, run_id="test-close"))
    box.close()
    box.close()
    assert boxes_of(docker_client, "test-close") == []
    with pytest.raises(BoxLost, match="closed"):
        box.run(["true"], timeout=5)


@pytest.mark.parametrize("refusals", [1, 99])
def test_an_engine_too_busy_to_remove_a_box_is_asked_again(monkeypatch, docker_client, spec, refusals):
    """Docker answers 500 where a killed process was not reaped within its ten seconds."""
    monkeypatch.setattr("tools.docker.REMOVAL_WAITS_SEC", (0.01, 0.01))
    own = DockerSandboxes()
    box, asked = own.open(replace(spec, run_id="test-busy")), []
    remove = own._api.remove_container

    def busy(*args, **options):
        asked.append(args)
        if len(asked) > refusals:
            return remove(*args, **options)
        refused = requests.Response()
        refused.status_code = 500
        raise docker.errors.APIError("refused", refused, "Could not kill running container")

    monkeypatch.setattr(own._api, "remove_container", busy)
    if refusals == 1:
        box.close()
    else:
        with pytest.raises(EnvironmentFailure, match="Could not kill"):
            box.close()
    assert wait_until(lambda: boxes_of(docker_client, "test-busy") == [])
    assert len(asked) == min(refusals + 1, 3)


def test_an_exception_in_the_block_closes_the_box(docker_client, sandboxes, spec):
    with pytest.raises(KeyboardInterrupt), sandboxes.open(replace(spec, run_id="test-raise")):
        raise KeyboardInterrupt
    assert boxes_of(docker_client, "test-raise") == []


def test_a_box_that_fails_to_greet_is_removed(docker_client, spec):
    silent = DockerSandboxes(server="raise SystemExit('cannot start here')")
    with pytest.raises(BoxLost, match="ended with code 1: cannot start here"):
        silent.open(replace(spec, run_id="test-greet"))
    assert boxes_of(docker_client, "test-greet") == []


def test_two_boxes_work_at_the_same_time(sandboxes, spec):
    meet = threading.Barrier(2, timeout=30)

    def work(number):
        with sandboxes.open(spec) as box:
            meet.wait()
            started = time.monotonic()
            text = box.run(["bash", "-c", f"sleep 1; echo {number} > n; cat n"], timeout=20).stdout
            return text, started, time.monotonic()

    with ThreadPoolExecutor(2) as pool:
        (first, start_1, end_1), (second, start_2, end_2) = pool.map(work, [1, 2])
    assert (first, second) == (b"1\n", b"2\n")
    assert max(start_1, start_2) < min(end_1, end_2)


# ---- strays

ORCHESTRATOR = """
import sys, threading
from tools.docker import DockerSandboxes
from tools.sandbox import BoxSpec
with DockerSandboxes().open(BoxSpec(sys.argv[1], "workspace", sys.argv[2])) as box:
    threading.Timer(0.5, print, ["busy"], {"flush": True}).start()
    box.run(["bash", "-c", sys.argv[3]], timeout=300)
    sys.stdin.read()
"""


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
@pytest.mark.parametrize("command", ["sleep 200", "yes", "true"], ids=["busy", "writing", "idle"])
def test_no_container_outlives_its_orchestrator(docker_client, image, ending, command):
    run_id = f"test-{ending.name}-{command.split(maxsplit=1)[0]}"
    orchestrator = subprocess.Popen(
        [sys.executable, "-c", ORCHESTRATOR, image, run_id, command],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert orchestrator.stdout.readline() == b"busy\n"
        assert len(boxes_of(docker_client, run_id)) == 1
    finally:
        orchestrator.send_signal(ending)
        orchestrator.wait(30)
    assert wait_until(lambda: not boxes_of(docker_client, run_id))


def test_a_container_whose_owner_is_gone_is_a_stray_and_no_other_is(docker_client, sandboxes, image, box):
    gone = subprocess.Popen(["true"])
    gone.wait()
    ours = {"evalwright.run": "test-stray", "evalwright.role": "grading", **this_process()}
    # A later process of the same number is not the owner either: its start differs.
    strays = [{"evalwright.owner": str(gone.pid)}, {"evalwright.ticks": "1"}]
    elsewhere = {"evalwright.owner": str(gone.pid), "evalwright.namespace": "1"}
    others = [{}, elsewhere, {"evalwright.boot": "another"}, {"evalwright.namespace": ""}]
    made = {
        docker_client.containers.create(image, ["true"], labels=ours | changed).id: changed in strays
        for changed in strays + others
    }
    try:
        removed = {stray.container for stray in sandboxes.remove_strays() if stray.run_id == "test-stray"}
        assert removed == {container for container, is_stray in made.items() if is_stray}
        assert {container.id for container in boxes_of(docker_client, "test-stray")} == set(made) - removed
    finally:
        for container in boxes_of(docker_client, "test-stray"):
            container.remove(force=True)
    assert box.run(["true"], timeout=5).exit_code == 0


@pytest.mark.parametrize("proc", [["--mount-proc"], []], ids=["its own /proc", "our /proc"])
def test_an_evalwright_in_another_pid_namespace_takes_no_container_of_ours_for_a_stray(box, proc):
    code = "from tools.docker import DockerSandboxes as D; print('strays:', D().strays())"
    namespace = ["unshare", "--user", "--map-root-user", "--pid", "--fork", *proc]
    if subprocess.run([*namespace, "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("this machine lets nobody make a PID namespace")
    done = subprocess.run([*namespace, sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout == b"strays: []\n"
    assert box.run(["true"], timeout=5).exit_code == 0


# ---- boxes with a server that lies: what code in the box could do if it got hold of the channel

LIAR = """
import json, os, struct, time
def say(header, body=b"", sizes=None):
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    os.write(1, struct.pack(">II", *(sizes or (len(head), len(body)))) + head + body)
say({"ready": 1})
os.read(0, 1 << 20)
GOOD = {"exit_code": 0, "kept": [0, 0], "totals": [0, 0]}
%s
time.sleep(1000)
"""

LIES = {
    "a frame of 4 GB": "say(b'', sizes=(10, 0xffffffff))",
    "a header of 4 GB": "say(b'', sizes=(0xffffffff, 0))",
    "no JSON": "say(b'{')",
    "JSON nested without end": "say(b'[' * 60000)",
    "no object": "say([1])",
    "no fields": "say({})",
    "an exit code that is text": "say(GOOD | {'exit_code': '0'})",
    "an exit code that is true": "say(GOOD | {'exit_code': True})",
    "more than was asked for": "say(GOOD | {'kept': [150, 0], 'totals': [150, 0]}, b'x' * 150)",
    "less than announced": "say(GOOD | {'kept': [50, 0], 'totals': [50, 0]}, b'x')",
    "negative sizes": "say(GOOD | {'kept': [-1, 1]})",
    "totals below what is there": "say(GOOD | {'kept': [2, 0], 'totals': [1, 0]}, b'xx')",
    "fractions": "say(GOOD | {'totals': [0.5, 0]})",
    "an error that is no text": "say({'error': [1]})",
    "a result nested deeply": "say(b'{\"exit_code\": ' + b'[' * 900 + b']' * 900 + b'}')",
    "plain text": "os.write(1, b'all tests passed, score 1.0')",
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_forged_answer_is_an_error_and_ends_the_box(docker_client, spec, lie):
    with DockerSandboxes(server=LIAR % lie).open(replace(spec, run_id="test-forged")) as box:
        with pytest.raises(BoxLost) as lost:
            box.run(["true"], timeout=1, output_limit=100)
        assert lost.value.cause == "forged"
        assert lost.value.by_code_inside
        assert boxes_of(docker_client, "test-forged") == []


def test_silence_is_an_error_and_not_a_hang(monkeypatch, docker_client, spec):
    monkeypatch.setattr("tools.docker.GRACE_SEC", 1.0)
    with DockerSandboxes(server=LIAR % "").open(replace(spec, run_id="test-silent")) as box:
        started = time.monotonic()
        with pytest.raises(BoxLost, match="did not answer in time"):
            box.run(["true"], timeout=1)
        assert time.monotonic() - started < 10
    assert boxes_of(docker_client, "test-silent") == []


@pytest.mark.parametrize("name", ["../../escape", "/tmp/evalwright-escape", "a/../../escape"])
def test_a_forged_tar_cannot_name_a_path_outside_of_its_tree(spec, name):
    lie = (
        "import io, tarfile; b = io.BytesIO(); t = tarfile.open(fileobj=b, mode='w');"
        f"e = tarfile.TarInfo({name!r}); e.size = 1; t.addfile(e, io.BytesIO(b'x')); t.close(); say({{}}, b.getvalue())"
    )
    with DockerSandboxes(server=LIAR % lie).open(spec) as box, pytest.raises(ToolError, match="not inside the tree"):
        box.get("/workspace")


@pytest.mark.parametrize("seconds", [0, 0.002, 0.01, 0.05, 0.5])
def test_who_waits_for_a_box_is_told_at_once_when_it_is_abandoned(spec, seconds):
    """A thread that has to be waited for must not keep a person who has pressed Ctrl-C, wherever it is."""
    sandboxes, problems = DockerSandboxes(), queue.Queue()

    def wait(box):
        try:
            problems.put(box.run(["sleep", "300"], timeout=300))
        except BaseException as problem:
            problems.put(problem)

    with sandboxes.open(spec) as box:
        threading.Thread(target=wait, args=(box,), daemon=True).start()
        time.sleep(seconds)
        sandboxes.abandon()
        assert isinstance(problems.get(timeout=20), BoxLost)


def test_what_was_abandoned_opens_no_further_box(spec):
    """Or a grading whose box was taken from it would begin again in a fresh one."""
    sandboxes = DockerSandboxes()
    sandboxes.abandon()
    with pytest.raises(BoxLost, match="no further box"):
        sandboxes.open(spec)


def test_a_box_that_was_being_opened_when_all_were_abandoned_is_removed(spec, docker_client, monkeypatch):
    sandboxes, ready = DockerSandboxes(), DockerSandbox.wait_until_ready
    opened = []

    def abandon_meanwhile(box):
        ready(box)
        sandboxes.abandon()
        opened.append(box.name)

    monkeypatch.setattr(DockerSandbox, "wait_until_ready", abandon_meanwhile)
    with pytest.raises(BoxLost, match="no further box"):
        sandboxes.open(spec)
    names = {"name": opened[0]}
    assert wait_until(lambda: not docker_client.containers.list(all=True, ignore_removed=True, filters=names))


def test_a_stream_that_was_hung_up_is_a_lost_box_wherever_a_thread_is():
    ours, theirs = socket.socketpair()
    channel = Channel(ours, "a box")
    channel.hang_up()
    with theirs, pytest.raises(BoxLost):
        channel.send({}, deadline=time.monotonic() + 5)
    with pytest.raises(BoxLost):
        channel.receive(max_body=0, deadline=time.monotonic() + 5)
    channel.close()


@pytest.mark.parametrize("lie", ["[1]", "{}x", "[[1, 2]]", '[["a", 1, 2, 3, 4, "x"]]', "null"])
def test_stamps_that_are_none_end_the_box(spec, lie):
    with DockerSandboxes(server=LIAR % f"say({{}}, {lie.encode()!r})").open(spec) as box:
        with pytest.raises(BoxLost, match="stamps that are none"):
            box.stamps("/workspace")
        with pytest.raises(BoxLost, match="closed"):
            box.run(["true"], timeout=1)


def test_files_that_are_no_tar_end_the_box(spec):
    with DockerSandboxes(server=LIAR % "say({}, b'x' * 2000)").open(spec) as box:
        with pytest.raises(BoxLost, match="no tar"):
            box.get("/workspace")
        with pytest.raises(BoxLost, match="closed"):
            box.run(["true"], timeout=1)
