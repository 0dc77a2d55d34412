"""The sandbox image holds what tasks are promised; a task's Dockerfile is built on it, or its author told why not."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import docker
import pytest

from tools.errors import AuthorError, EnvironmentFailure
from tools.files import FileTree
from tools.image import WHEELS, build_task_image, ensure_base_image

Build = Callable[..., str]


def run(client: docker.DockerClient, image: str, script: str) -> str:
    """What `script` prints in a box like those of tasks: uid 1000, read-only root, no network."""
    command = ["bash", "-c", script]
    output: bytes = client.containers.run(image, command, user="1000", read_only=True, network_mode="none", remove=True)
    return output.decode().strip()


def from_base(*lines: str) -> FileTree:
    return FileTree({"Dockerfile": "\n".join(["ARG BASE=none", "FROM ${BASE}", *lines, ""]).encode()})


@pytest.fixture
def build(docker_client: docker.DockerClient, image: str) -> Iterator[Build]:
    """build_task_image on the sandbox image; the images made are removed, so that the next test run builds anew."""
    made: set[str] = set()

    def build_and_note(environment: FileTree, base: str = image) -> str:
        image_id = build_task_image(docker_client, environment, base)
        made.add(image_id)
        return image_id

    yield build_and_note
    for image_id in made:
        docker_client.images.remove(image_id, force=True)


def test_the_sandbox_image_has_python_311_with_exactly_the_pinned_packages(
    docker_client: docker.DockerClient, image: str
) -> None:
    names = [wheel.split("==")[0] for wheel in WHEELS]
    script = f"""import sys; from importlib.metadata import version
print(*sys.version_info[:2])
print(*[name + '==' + version(name) for name in {names}])"""
    assert run(docker_client, image, f'python3 -c "{script}"') == f"3 11\n{' '.join(WHEELS)}"


def test_scipy_computes_in_a_read_only_box(docker_client: docker.DockerClient, image: str) -> None:
    # The 97.5 % quantile of the normal distribution, 1.959964 in any table.
    script = "python3 -c 'from scipy.stats import norm; print(round(norm.ppf(0.975), 6))'"
    assert run(docker_client, image, script) == "1.959964"


def test_uid_1000_is_agent_and_starts_in_its_own_workspace(docker_client: docker.DockerClient, image: str) -> None:
    assert run(docker_client, image, "id -un; pwd; stat -c %U .") == "agent\n/workspace\nagent"


def test_python_is_python3_and_the_fetched_wheels_are_not_kept(docker_client: docker.DockerClient, image: str) -> None:
    script = "python -c 'import sys; print(sys.version_info.major)'; ls -d /wheels /installed 2>/dev/null | wc -l"
    assert run(docker_client, image, script) == "3\n0"


def test_an_image_that_is_there_is_not_made_again(docker_client: docker.DockerClient, image: str) -> None:
    said: list[str] = []
    again = ensure_base_image(docker_client, said.append)
    assert (again.tag, said) == (image, [])
    assert again.how.startswith(("pulled python:3.11", "bootstrapped Debian"))


def test_a_task_image_adds_the_tasks_own_files_to_the_base(docker_client: docker.DockerClient, build: Build) -> None:
    environment = from_base("COPY tables /opt/tables").merged(FileTree({"tables/t.csv": b"df,t\n9,2.262\n"}))
    built = build(environment)
    assert run(docker_client, built, "cat /opt/tables/t.csv; python3 -c 'import numpy'") == "df,t\n9,2.262"


def test_the_same_environment_is_the_same_image_and_a_changed_one_another(build: Build) -> None:
    first = build(from_base("RUN echo 1 > /version"))
    assert build(from_base("RUN echo 1 > /version")) == first
    assert build(from_base("RUN echo 2 > /version")) != first


def test_callers_at_the_same_time_get_one_image(build: Build) -> None:
    # Each build would write another random number, so that two builds would be two images.
    environment = from_base("RUN head -c 16 /dev/urandom > /once && sleep 1")
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(build, [environment] * 4))) == 1


def test_a_build_has_no_network(build: Build) -> None:
    assert build(from_base('RUN test "$(ls /sys/class/net)" = lo'))


def test_a_failing_dockerfile_is_the_authors_with_its_last_lines(build: Build) -> None:
    with pytest.raises(AuthorError, match=r"(?s)^environment/Dockerfile: .*no table 7 here.*code: 3.*no network"):
        build(from_base("RUN echo no table 7 here >&2; exit 3"))


def test_a_dockerfile_that_cannot_be_parsed_is_the_authors(build: Build) -> None:
    with pytest.raises(AuthorError, match=r"(?si)^environment/Dockerfile: .*unknown instruction: INSTALL"):
        build(from_base("INSTALL numpy"))


def test_a_missing_dockerfile_is_the_authors(build: Build) -> None:
    with pytest.raises(AuthorError, match=r"^environment/: Dockerfile is missing"):
        build(FileTree({"readme.txt": b""}))


def test_a_full_disk_during_a_build_is_nobodys(build: Build) -> None:
    with pytest.raises(EnvironmentFailure, match="the disk is full"):
        build(from_base("RUN dd if=/dev/zero of=/dev/full count=1"))


def test_a_missing_base_is_nobodys_and_names_the_remedy(build: Build) -> None:
    with pytest.raises(EnvironmentFailure, match=r"no image evalwright/sandbox:gone\. Run `evalwright setup`"):
        build(from_base(), base="evalwright/sandbox:gone")


@pytest.mark.parametrize("cache", ["/proc/x", "/dev/null"])
def test_a_home_that_cannot_be_written_to_is_one_line_with_the_remedy(
    docker_client: docker.DockerClient, monkeypatch: pytest.MonkeyPatch, cache: str
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", cache)
    with pytest.raises(EnvironmentFailure, match=rf"^{cache}/.cache/evalwright/locks: no lock .*Set HOME or XDG"):
        ensure_base_image(docker_client, print)


def test_a_user_without_any_home_is_one_line_with_the_remedy(
    docker_client: docker.DockerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(number: int) -> None:
        raise KeyError(number)

    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    with pytest.raises(EnvironmentFailure, match=r"^HOME: there is no cache directory: .*Set HOME"):
        ensure_base_image(docker_client, print)


def test_no_place_for_temporary_files_is_one_line(
    docker_client: docker.DockerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(*_: object) -> None:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr("tools.image._recipe", lambda: "never-made")
    monkeypatch.setattr("tools.image._python_image", nowhere)
    with pytest.raises(EnvironmentFailure, match=r"^making an image: this machine refused: .*No usable temporary"):
        ensure_base_image(docker_client, print)


def test_no_engine_is_nobodys_and_names_the_remedy() -> None:
    nowhere = docker.DockerClient(base_url="unix:///nonexistent/docker.sock", version="1.41")
    with pytest.raises(EnvironmentFailure, match=r"^docker: .*make setup"):
        ensure_base_image(nowhere, print)
