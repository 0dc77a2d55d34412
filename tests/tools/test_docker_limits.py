"""What code in a box cannot do: use more than its share, get at the host, or outlive the box."""

import time

from tools.sandbox import BoxSpec


def test_a_fork_bomb_is_stopped_at_its_deadline_and_the_box_goes_on(bash):
    done = bash("bomb() { bomb | bomb & bomb; }; bomb", timeout=3)
    assert done.timed_out
    assert done.exit_code is None
    assert b"Resource temporarily unavailable" in done.stderr
    assert bash("echo alive").stdout == b"alive\n"


def test_processes_that_left_their_session_die_at_the_deadline_too(bash):
    assert bash("setsid sleep 1000 & setsid nohup sleep 1000 & sleep 1000", timeout=1).timed_out
    assert bash("cat /proc/[0-9]*/comm | grep -c sleep").stdout == b"0\n"


def test_a_10_gb_write_ends_at_the_size_of_the_disk(bash):
    done = bash("head -c 10G /dev/zero > big; stat -c %s big", timeout=60)
    assert b"No space left on device" in done.stderr
    assert int(done.stdout) == 64 * 1024 * 1024


def test_tmp_and_home_and_shared_memory_are_bounded_and_the_rest_is_read_only(bash):
    for folder, megabytes in {"/tmp": 32, "/home": 32, "/dev/shm": 64}.items():
        done = bash(f"head -c 10G /dev/zero > {folder}/big; stat -c %s {folder}/big; rm {folder}/big", timeout=60)
        assert int(done.stdout) == megabytes * 1024 * 1024
    find = "find / -xdev -writable -not -path '/proc/*' -not -type l -not -type c 2>/dev/null | sort"
    assert bash(find).stdout == b"/home\n/tmp\n/workspace\n"
    assert b"Read-only file system" in bash("touch /var/tmp/x").stderr


def test_a_million_files_end_at_the_number_of_inodes(bash):
    program = "i=0; while : > f$i; do i=$((i+1)); done 2> /tmp/error; echo $i; cat /tmp/error"
    done = bash(program, timeout=60)
    count, error = done.stdout.split(b"\n", 1)
    assert 1_990 <= int(count) <= 2_000
    assert b"No space left on device" in error


def test_a_memory_hog_is_killed_and_the_box_goes_on(bash):
    assert bash("python3 -c 'x = [bytearray(10**6) for _ in range(2000)]'").exit_code == 137
    assert bash("echo alive").stdout == b"alive\n"


def test_infinite_output_is_counted_and_only_the_limit_is_kept(box):
    done = box.run(["yes"], timeout=1, output_limit=1_000)
    assert done.timed_out
    assert done.stdout == b"y\n" * 500
    assert done.stdout_total > 1_000_000


def test_both_streams_are_kept_apart_and_cut_apart(box):
    done = box.run(["bash", "-c", "echo -n 12345; echo -n abcdefgh >&2"], timeout=5, output_limit=4)
    assert (done.stdout, done.stdout_total, done.stderr, done.stderr_total) == (b"1234", 5, b"abcd", 8)


def test_a_command_that_never_returns_is_stopped(bash):
    started = time.monotonic()
    done = bash("trap '' TERM INT HUP; while true; do sleep 1; done", timeout=1)
    assert done.timed_out
    assert 1 <= done.seconds < 10
    assert time.monotonic() - started < 10


def test_a_background_child_that_holds_the_pipe_does_not_hold_the_call(bash):
    done = bash("sleep 1000 & yes & echo started", timeout=60)
    assert done.exit_code == 0
    assert b"started\n" in done.stdout
    assert done.seconds < 10


def test_code_in_the_box_is_an_ordinary_user_without_capabilities_or_ways_to_get_them(bash):
    assert bash("id -u; id -g").stdout == b"1000\n1000\n"
    status = bash("grep -E 'Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp:' /proc/self/status").stdout.split()
    assert status == [
        b"CapPrm:", b"0000000000000000", b"CapEff:", b"0000000000000000", b"CapBnd:", b"0000000000000000",
        b"CapAmb:", b"0000000000000000", b"NoNewPrivs:", b"1", b"Seccomp:", b"2",
    ]  # fmt: skip


def test_without_network_there_is_only_loopback_and_no_way_out(bash):
    assert bash("ls /sys/class/net").stdout == b"lo\n"
    connect = "import socket; socket.create_connection(('192.0.2.1', 80), timeout=5)"
    assert b"Network is unreachable" in bash(f'python3 -c "{connect}"').stderr


def test_with_network_there_is_an_interface(sandboxes, image):
    with sandboxes.open(BoxSpec(image, "workspace", "test-tools", network=True)) as box:
        assert b"eth0" in box.run(["ls", "/sys/class/net"], timeout=5).stdout


def test_no_docker_socket_and_no_host_mount(bash):
    assert bash("find / -name 'docker*.sock' -not -path '/proc/*' 2>/dev/null").stdout == b""
    kinds = bash("awk '{ print $3, $2 }' /proc/mounts | sort -u").stdout.decode().splitlines()
    disks = [line for line in kinds if line.split()[0] in ("ext4", "xfs", "btrfs", "virtiofs", "9p", "nfs", "fuse")]
    # Docker itself mounts these three small files, read-only here, from its own folder.
    assert {line.split()[1] for line in disks} <= {"/etc/hosts", "/etc/hostname", "/etc/resolv.conf"}


def test_nothing_of_the_orchestrators_environment_gets_in(monkeypatch, sandboxes, spec):
    monkeypatch.setenv("EVALWRIGHT_TEST_SECRET", "hush-hush")
    monkeypatch.setenv("HTTPS_PROXY", "http://user:hush-hush@127.0.0.1:1")
    with sandboxes.open(spec) as box:
        seen = box.run(["bash", "-c", "env; cat /proc/*/environ 2>/dev/null"], timeout=5).stdout
    assert b"HOME=/home" in seen
    assert b"hush-hush" not in seen


def test_no_signal_from_inside_reaches_the_server_and_commands_still_get_theirs(bash):
    everyone = bash("for round in 1 2 3; do for number in $(seq 1 64); do kill -$number 1; done; done; kill -INT -1")
    assert everyone.stderr.count(b"invalid signal") <= 3 * 2, "the two that the C library keeps for itself"
    assert bash("echo alive").stdout == b"alive\n"
    assert bash("bash -c 'kill -INT $$; echo went on'").exit_code == 130


def test_code_in_the_box_can_neither_kill_nor_trace_nor_speak_for_the_server(bash):
    assert b"Permission denied" in bash("echo forged > /proc/1/fd/1").stderr
    attach = "import ctypes; print(ctypes.CDLL(None).ptrace(16, 1, 0, 0))"
    assert bash(f'python3 -c "{attach}"').stdout == b"-1\n"
    assert bash("echo alive").stdout == b"alive\n"
