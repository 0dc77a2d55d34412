"""Reading cases strictly, keeping splits apart, sealing and opening."""

import dataclasses
import hashlib
from pathlib import Path

import pytest

from evals.ledger import Ledger, Seal
from evals.splits import Case, Keyring, Split, check_disjoint, open_seal, parse_cases, seal_split
from tools.errors import AuthorError, EnvironmentFailure

GOOD = """{"id": "a", "input": {"x": [1, 2.5]}, "expected": 3}

{"input": "ü", "id": "b", "expected": null, "group": "g"}
""".encode()
SPLIT = Split("test", parse_cases(GOOD, "cases.jsonl"))


def split(name: str, *cases: tuple[str, object]) -> Split:
    return Split(name, tuple(Case(id=id_, input=value, expected=0) for id_, value in cases))


class TestParsing:
    """Errors name file, line, key and remedy."""

    def test_cases_are_read_in_order(self) -> None:
        assert parse_cases(GOOD, "cases.jsonl") == (
            Case(id="a", input={"x": [1, 2.5]}, expected=3),
            Case(id="b", input="ü", expected=None, group="g"),
        )

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            (b"{not json}", "not JSON: Expecting property name enclosed in double quotes, at column 2. Write one JSON"),
            (b'{"id": "x", "input": NaN, "expected": 1}', "NaN is not a JSON number. Write what every JSON reader"),
            (b'{"id": "x", "input": 1, "expected": -Infinity}', "-Infinity is not a JSON number"),
            (b'{"id": "x", "input": 1e999, "expected": 1}', "1e999 is too large for a floating-point number"),
            (b'{"id": "x", "input": 1, "input": 2, "expected": 1}', "the key 'input' is there twice"),
            (b'{"input": 1, "expected": 1}', "the key 'id' is missing"),
            (b'{"id": "x", "expected": 1}', "the key 'input' is missing"),
            (b'{"id": "x", "input": 1}', "the key 'expected' is missing. Add it; null is a value too."),
            (b'{"id": "x", "input": 1, "expected": 1, "tol": 2}', "the key 'tol' is unknown. A case has id, input"),
            (b'{"id": 7, "input": 1, "expected": 1}', "id is 7, not a non-empty string"),
            (b'{"id": "", "input": 1, "expected": 1}', "id is '', not a non-empty string"),
            (b'{"id": "x", "input": 1, "expected": 1, "group": null}', "group is None, not a non-empty string"),
            (b'["x", 1, 1]', "a case must be an object"),
            (b'{"id": "a", "input": 1, "expected": 1}', "the id 'a' is on line 1 too. Give every case its own id."),
            (b'{"id": "x", "input": "\xff", "expected": 1}', "byte 23 is not UTF-8. Save the file as UTF-8."),
            (b'{"id": "x", "input": ' + b"[" * 100_000, "nested too deeply to read. Flatten it."),
        ],
    )
    def test_a_bad_line_is_named(self, line: bytes, message: str) -> None:
        with pytest.raises(AuthorError) as caught:
            parse_cases(GOOD + line + b"\n", "splits/validation.jsonl")
        assert str(caught.value).startswith(f"splits/validation.jsonl, line 4: {message}")

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            (b'{"x": "\\ud800"}', "c.jsonl, line 1.input.x: half a surrogate pair at character 0"),
            (b"[" * 120 + b"]" * 120, "nested deeper than 100 levels"),
            (b"1" * 5000, "Exceeds the limit"),
        ],
    )
    def test_what_could_not_be_written_back_is_refused(self, value: bytes, message: str) -> None:
        with pytest.raises(AuthorError) as caught:
            parse_cases(b'{"id": "x", "input": ' + value + b', "expected": 1}', "c.jsonl")
        assert message in str(caught.value)
        assert str(caught.value).startswith("c.jsonl, line 1")

    @pytest.mark.parametrize("data", [b"", b"\n \n"])
    def test_an_empty_file(self, data: bytes) -> None:
        with pytest.raises(AuthorError, match=r"^c.jsonl: there are no cases. Write one"):
            parse_cases(data, "c.jsonl")


class TestSplit:
    """What leaves the trusted side, and what does not."""

    def test_inputs_hold_no_expectations_and_no_groups(self) -> None:
        assert SPLIT.inputs_jsonl().decode() == '{"id":"a","input":{"x":[1,2.5]}}\n{"id":"b","input":"ü"}\n'

    def test_cases_are_canonical_and_read_back(self) -> None:
        written = SPLIT.cases_jsonl()
        expected = '{"expected":3,"id":"a","input":{"x":[1,2.5]}}\n{"expected":null,"group":"g","id":"b","input":"ü"}\n'
        assert written == expected.encode()
        assert parse_cases(written, "again") == SPLIT.cases
        assert SPLIT.digest == hashlib.sha256(expected.encode()).hexdigest()

    def test_splits_that_share_nothing_pass(self) -> None:
        check_disjoint([split("public", ("a", 1)), split("validation", ("b", 2)), split("test", ("c", "1"))])

    def test_a_shared_id_is_a_leak(self) -> None:
        public = split("public", *((str(number), number) for number in range(5)))
        test = split("test", *((str(number), -number - 1) for number in range(5)))
        with pytest.raises(AuthorError, match=r"^public and test: both have the id 0, 1, 2 and 2 more\. "):
            check_disjoint([public, split("validation", ("x", "x")), test])

    def test_an_identical_input_under_another_id_is_a_leak(self) -> None:
        validation, test = split("validation", ("v1", {"x": 1, "y": 2})), split("test", ("t1", {"y": 2, "x": 1}))
        with pytest.raises(AuthorError, match=r"^validation and test: both have the input of v1 = t1\. Draw fresh"):
            check_disjoint([validation, test])


@pytest.fixture
def keyring(tmp_path: Path) -> Keyring:
    return Keyring(tmp_path / "keys")


class TestSeal:
    """Nobody reads the split without the key; nobody changes it unseen."""

    def test_opening_gives_the_split_back(self, keyring: Keyring) -> None:
        seal = seal_split(SPLIT, keyring)
        assert open_seal(seal, keyring) == SPLIT
        assert (seal.split, seal.cases, seal.id) == ("test", 2, f"seal-{seal.commitment[:16]}")

    def test_the_same_split_sealed_twice_shows_nothing_in_common(self, keyring: Keyring) -> None:
        one, two = seal_split(SPLIT, keyring), seal_split(SPLIT, keyring)
        assert one.commitment != two.commitment
        assert one.ciphertext[12:] != two.ciphertext[12:]
        assert one.key_id != two.key_id
        assert b'"expected"' not in one.ciphertext

    @pytest.mark.parametrize(
        "change",
        [
            {"ciphertext": b""},
            {"ciphertext": b"\x00" * 200},
            {"commitment": "0" * 64},
            {"split": "validation"},
            {"cases": 3},
        ],
    )
    def test_a_changed_seal_does_not_open(self, keyring: Keyring, change: dict[str, object]) -> None:
        seal = dataclasses.replace(seal_split(SPLIT, keyring), **change)
        with pytest.raises(AuthorError, match=f"^{seal.id}: the seal was changed, or .* is not its key"):
            open_seal(seal, keyring)

    def test_every_flipped_ciphertext_byte_is_noticed(self, keyring: Keyring) -> None:
        seal = seal_split(split("test", ("a", 1)), keyring)
        for index in range(len(seal.ciphertext)):
            flipped = bytearray(seal.ciphertext)
            flipped[index] ^= 1
            with pytest.raises(AuthorError, match="the seal was changed"):
                open_seal(dataclasses.replace(seal, ciphertext=bytes(flipped)), keyring)

    def test_another_key_does_not_open_it(self, keyring: Keyring) -> None:
        seal, other = seal_split(SPLIT, keyring), seal_split(SPLIT, keyring)
        keyring.path(other.key_id).replace(keyring.path(seal.key_id))
        with pytest.raises(AuthorError, match="is not its key"):
            open_seal(seal, keyring)

    def test_a_sealer_who_encrypted_other_cases_than_committed_is_caught(
        self, keyring: Keyring, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("evals.splits.sha256", lambda data: "0" * 64)
        seal = seal_split(SPLIT, keyring)
        monkeypatch.undo()
        with pytest.raises(AuthorError, match="the cases inside are not those the commitment was made for"):
            open_seal(seal, keyring)

    def test_a_seal_survives_the_ledger(self, keyring: Keyring, tmp_path: Path) -> None:
        seal = seal_split(SPLIT, keyring)
        with Ledger.open(tmp_path / "runs.db") as ledger:
            ledger.add_seal(seal, "task")
            assert ledger.seal_for("task") == seal
            assert open_seal(ledger.seal(seal.id), keyring) == SPLIT


class TestKeyring:
    """Keys stay private and out of what gets published."""

    def test_directory_and_files_are_the_owners_alone(self, keyring: Keyring) -> None:
        key_id, key = keyring.new_key()
        assert (keyring.directory.stat().st_mode & 0o777, keyring.path(key_id).stat().st_mode & 0o777) == (0o700, 0o600)
        assert (len(key), keyring.key(key_id)) == (32, key)

    def test_default_is_under_evalwright_home_or_the_users_config(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        assert Keyring.default(environ={"EVALWRIGHT_HOME": str(tmp_path / "e")}).directory == tmp_path / "e" / "keys"
        assert Keyring.default(environ={}).directory == tmp_path / ".config" / "evalwright" / "keys"

    def test_a_git_work_tree_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        with pytest.raises(AuthorError, match=f"keys must not lie in a git work tree, and {tmp_path} is one"):
            Keyring(tmp_path / "deep" / "keys")

    def test_a_link_into_a_git_work_tree_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "work").mkdir()
        (tmp_path / "work" / ".git").write_text("gitdir: elsewhere")  # a linked work tree has a file
        (tmp_path / "link").symlink_to(tmp_path / "work")
        with pytest.raises(AuthorError, match="git work tree"):
            Keyring(tmp_path / "link" / "keys")

    def test_the_task_directory_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(AuthorError, match=r"keys must not lie in the task's directory. Set EVALWRIGHT_HOME"):
            Keyring(tmp_path / "welch" / "keys", task_directory=tmp_path / "welch")

    def test_a_missing_key_is_named_by_its_path(self, keyring: Keyring) -> None:
        seal = seal_split(SPLIT, keyring)
        path = keyring.path(seal.key_id)
        path.unlink()
        with pytest.raises(EnvironmentFailure, match=f"^{path}: the key cannot be read: No such file"):
            open_seal(seal, keyring)

    @pytest.mark.parametrize("content", ["", "zz", "00" * 31])
    def test_a_broken_key_file_is_named(self, keyring: Keyring, content: str) -> None:
        key_id, _ = keyring.new_key()
        keyring.path(key_id).write_text(content)
        with pytest.raises(EnvironmentFailure, match=f"{key_id}.hex: this is not a key of 32 hex bytes"):
            keyring.key(key_id)

    def test_a_key_that_others_can_read_is_refused(self, keyring: Keyring) -> None:
        key_id, _ = keyring.new_key()
        path = keyring.path(key_id)
        path.chmod(0o644)
        with pytest.raises(AuthorError, match=f"others can read it .mode 644.. Run: chmod 600 {path}"):
            keyring.key(key_id)

    def test_a_directory_that_others_can_read_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "keys").mkdir()
        (tmp_path / "keys").chmod(0o755)
        with pytest.raises(AuthorError, match="Run: chmod 700"):
            Keyring(tmp_path / "keys").new_key()

    def test_a_place_that_cannot_hold_keys_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("in the way")
        with pytest.raises(EnvironmentFailure, match=r"file/keys: cannot keep a key: "):
            Keyring(tmp_path / "file" / "keys").new_key()

    def test_a_key_id_cannot_leave_the_directory(self, keyring: Keyring) -> None:
        seal = Seal("seal-1", "test", 1, "c" * 64, "../../etc/passwd", b"")
        with pytest.raises(AuthorError, match=r"'../../etc/passwd' is not a key id"):
            open_seal(seal, keyring)
