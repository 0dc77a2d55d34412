"""`verify` names each kind of tampering, done by plain sqlite3 with the triggers dropped."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.ledger import Finding, Head, Ledger, Seal
from evals.ledger.chain import event_hash
from tools.errors import AuthorError

Tamper = Callable[..., None]


def test_an_untouched_ledger_has_no_findings(ledger: Ledger, run_id: str) -> None:
    blob = ledger.put_blob(b"evidence")
    ledger.recorder(run_id).append("tool.result", {"output_blob": blob, "digest": "names something else"})
    assert ledger.verify() == []
    assert ledger.verify(run_id) == []


@pytest.mark.parametrize(
    "change",
    [
        "payload = '{\"number\":33}'",
        "payload = '{\"number\": 3}'",
        "payload = CAST(x'7bff7d' AS TEXT)",
        "payload = ''",
        "kind = 'tool.result'",
        "at = '2020-01-01T00:00:00.000000+00:00'",
        "hash = ''",
    ],
)
def test_an_edited_event(ledger: Ledger, run_id: str, tamper: Tamper, change: str) -> None:
    tamper(f"UPDATE event SET {change} WHERE seq = 3")
    assert ledger.verify() == [Finding(run_id, 3, "the content was changed: it does not have the recorded hash")]
    assert str(ledger.verify()[0]).startswith(f"run {run_id}, event 3: ")


def test_an_edited_event_with_its_hash_made_anew(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    event = list(ledger.events(run_id))[2]
    forged = event_hash(run_id, 3, event.at, event.kind, '{"number":33}', prev_hash=event.prev_hash)
    tamper("UPDATE event SET payload = ?, hash = ? WHERE seq = 3", '{"number":33}', forged)
    (finding,) = ledger.verify()
    assert (finding.seq, finding.problem[:42]) == (4, "the event does not follow the one before i")


def test_a_hashed_payload_that_is_not_canonical(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    event = list(ledger.events(run_id))[4]
    forged = event_hash(run_id, 5, event.at, event.kind, '{ "number":5}', prev_hash=event.prev_hash)
    tamper("UPDATE event SET payload = ?, hash = ? WHERE seq = 5", '{ "number":5}', forged)
    assert ledger.verify() == [Finding(run_id, 5, "the payload is not canonical JSON")]


@pytest.mark.parametrize("seq", [2, 4])
def test_a_deleted_event(ledger: Ledger, run_id: str, tamper: Tamper, seq: int) -> None:
    tamper("DELETE FROM event WHERE seq = ?", seq)
    assert ledger.verify() == [Finding(run_id, seq, f"event {seq} is missing")]


def test_a_deleted_event_whose_followers_were_renumbered(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    tamper("DELETE FROM event WHERE seq = 3")
    tamper("UPDATE event SET seq = 3 WHERE seq = 4")
    tamper("UPDATE event SET seq = 4 WHERE seq = 5")
    assert [finding.seq for finding in ledger.verify()] == [3]


def test_reordered_events(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    for old, new in ((3, 99), (4, 3), (99, 4)):
        tamper("UPDATE event SET seq = ? WHERE seq = ?", new, old)
    assert [(finding.run_id, finding.seq) for finding in ledger.verify()] == [(run_id, 3)]


@pytest.mark.parametrize("seq", [0, -4])
def test_an_event_inserted_before_the_first(ledger: Ledger, run_id: str, tamper: Tamper, seq: int) -> None:
    tamper("INSERT INTO event SELECT run_id, ?, at, kind, payload, prev_hash, hash FROM event WHERE seq = 2", seq)
    assert ledger.verify() == [Finding(run_id, seq, f"an event numbered {seq} was inserted")]


def test_an_event_inserted_between_two(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    for seq in (5, 4, 3):
        tamper("UPDATE event SET seq = ? WHERE seq = ?", seq + 1, seq)
    second = list(ledger.events(run_id))[1]
    forged = event_hash(run_id, 3, second.at, "tool.call", "{}", prev_hash=second.hash)
    tamper("INSERT INTO event VALUES (?, 3, ?, 'tool.call', '{}', ?, ?)", run_id, second.at, second.hash, forged)
    # The inserted event is well made; the one it pushed away no longer has its own number.
    assert [(finding.run_id, finding.seq) for finding in ledger.verify()] == [(run_id, 4)]


def test_an_event_moved_to_another_run(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    other = ledger.new_run(task="adam", task_digest="d", model="m", config={})
    tamper("UPDATE event SET run_id = ?, seq = 2 WHERE run_id = ? AND seq = 5", other, run_id)
    assert [(finding.run_id, finding.seq) for finding in ledger.verify()] == [(other, 2)]


@pytest.mark.parametrize("column", ["task", "task_digest", "model", "config", "started_at"])
def test_a_changed_run_row(ledger: Ledger, run_id: str, tamper: Tamper, column: str) -> None:
    tamper(f"UPDATE run SET {column} = 'better'")
    problem = f"the run's row was changed: {column} differ from the first event"
    assert ledger.verify() == [Finding(run_id, 1, problem)]


def test_a_removed_run_row(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    tamper("DELETE FROM run")
    assert ledger.verify() == [Finding(run_id, 0, "the run's row is missing")]


def test_removed_events(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    tamper("DELETE FROM event")
    assert ledger.verify() == [Finding(run_id, 0, "the run's events are missing")]
    assert ledger.run(run_id).events == 0


@pytest.mark.parametrize(
    "change",
    [
        "data = x'00'",
        "data = CAST(data || x'00' AS BLOB)",
        "data = substr(data, 1, length(data) - 6)",
        "size = size + 1",
        "size = -1",
        "size = 9223372036854775807",
        "encoding = 'raw'",
        "encoding = 'other'",
    ],
)
def test_changed_blob_bytes(ledger: Ledger, run_id: str, tamper: Tamper, change: str) -> None:
    blob = ledger.put_blob(b"evidence" * 20)
    ledger.recorder(run_id).append("tool.result", {"files": [{"output_blob": blob}]})
    tamper(f"UPDATE blob SET {change}")
    problem = f"the bytes of blob {blob} were changed"
    assert ledger.verify(run_id) == [Finding(run_id, 6, problem)]
    with pytest.raises(AuthorError, match=problem):
        ledger.get_blob(blob)


def test_a_changed_blob_that_no_event_names(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    blob = ledger.put_blob(b"evidence")
    tamper("UPDATE blob SET data = x'00'")
    assert ledger.verify() == [Finding("", 0, f"the bytes of blob {blob} were changed")]
    assert ledger.verify(run_id) == []


def test_a_missing_blob_is_named_by_every_event_that_needs_it(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    blob = ledger.put_blob(b"evidence")
    for _ in range(2):
        ledger.recorder(run_id).append("tool.result", {"stdout_blob": [blob]})
    tamper("DELETE FROM blob")
    problem = f"there is no blob '{blob}'"
    assert ledger.verify() == [Finding(run_id, 6, problem), Finding(run_id, 7, problem)]


SEAL = Seal("seal-1", "test", 1, "c" * 64, "key-0123456789abcdef", b"sealed")


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("UPDATE seal SET commitment = 'x'", "seal seal-1 has another commitment than was recorded"),
        ("UPDATE seal SET ciphertext = x'00'", "seal seal-1 has another ciphertext_digest than was recorded"),
        ("UPDATE seal SET task_digest = 'x'", "seal seal-1 has another task_digest than was recorded"),
        ("UPDATE seal SET cases = 2, split = 'x'", "seal seal-1 has another split, cases than was recorded"),
        ("UPDATE seal SET key_id = 'x'", "seal seal-1 has another key_id than was recorded"),
        ("DELETE FROM seal", "seal seal-1 is missing"),
    ],
)
def test_a_changed_or_missing_seal(ledger: Ledger, run_id: str, tamper: Tamper, sql: str, problem: str) -> None:
    ledger.add_seal(SEAL, "d" * 64)
    ledger.recorder(run_id).append("seal.committed", SEAL.committed("d" * 64))
    assert ledger.verify() == []
    tamper(sql)
    assert ledger.verify() == [Finding(run_id, 6, problem)]


def test_a_seal_of_which_an_older_ledger_committed_to_less(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    ledger.add_seal(SEAL, "d" * 64)
    ledger.recorder(run_id).append("seal.committed", {"seal": "seal-1", "commitment": "c" * 64, "cases": 1})
    assert ledger.verify() == []
    tamper("UPDATE seal SET cases = 2")
    assert ledger.verify() == [Finding(run_id, 6, "seal seal-1 has another cases than was recorded")]


# ---- whatever stands in a row, it ends as a finding, and hides no other


@pytest.mark.parametrize("seal", ['["x"]', "{}", "1" + "0" * 24, "null", "true", '"x"'])
def test_a_seal_event_that_names_no_seal(ledger: Ledger, run_id: str, tamper: Tamper, seal: str) -> None:
    ledger.recorder(run_id).append("seal.committed", {"seal": "seal-1"})
    tamper("UPDATE event SET payload = ? WHERE seq = 6", f'{{"seal":{seal}}}')
    tamper("UPDATE event SET payload = '{}' WHERE seq = 3")
    changed = "the content was changed: it does not have the recorded hash"
    named = "seal x is missing" if seal == '"x"' else "the payload names no seal"
    assert ledger.verify() == [Finding(run_id, 3, changed), Finding(run_id, 6, named)]


def test_ids_that_are_no_utf8(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    ledger.put_blob(b"evidence")
    tamper("INSERT INTO run SELECT CAST(x'7aff' AS TEXT), task, task_digest, model, config, started_at FROM run")
    tamper("INSERT INTO event SELECT CAST(x'7afe' AS TEXT), 1, at, kind, payload, prev_hash, hash FROM event LIMIT 1")
    tamper("UPDATE blob SET digest = CAST(x'7afd' AS TEXT)")
    assert ledger.verify() == [
        Finding(r"z\xfe", 0, "the run's id is not UTF-8: it was inserted or changed"),
        Finding(r"z\xff", 0, "the run's id is not UTF-8: it was inserted or changed"),
        Finding("", 0, r"the blob's digest z\xfd is not UTF-8: it was inserted or changed"),
    ]
    assert [head.run_id for head in ledger.heads()] == [run_id, r"z\xfe"]


@pytest.mark.parametrize("table", ["run", "event", "blob", "seal"])
def test_a_dropped_table(ledger: Ledger, run_id: str, path: Path, table: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"DROP TABLE {table}")
    finding = Finding("", 0, f"the table {table} is missing or was made anew")
    assert (ledger.verify(), ledger.heads()) == ([finding], [])


def test_a_table_made_anew_so_that_it_takes_anything(ledger: Ledger, run_id: str, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE other (run_id, seq, at, kind, payload, prev_hash, hash)")
        connection.execute("INSERT INTO other SELECT run_id, 'one', at, 7, payload, x'00', hash FROM event")
        connection.execute("DROP TABLE event")
        connection.execute("ALTER TABLE other RENAME TO event")
    assert ledger.verify() == [Finding("", 0, "the table event is missing or was made anew")]


def test_heads_tell_what_was_there_so_that_a_removed_run_is_missed(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    other = ledger.new_run(task="adam", task_digest="d", model="m", config={})
    last = [list(ledger.events(each))[-1] for each in (other, run_id)]
    assert ledger.heads() == [Head(each.run_id, each.seq, each.hash) for each in last]
    assert ledger.heads(run_id) == [Head(run_id, 5, last[1].hash)]
    tamper("DELETE FROM event WHERE run_id = ?", other)
    tamper("DELETE FROM run WHERE id = ?", other)
    assert [head.run_id for head in ledger.heads()] == [run_id]


def test_only_the_broken_run_is_named(ledger: Ledger, run_id: str, tamper: Tamper) -> None:
    other = ledger.new_run(task="adam", task_digest="d", model="m", config={})
    tamper("UPDATE event SET kind = 'tool.result' WHERE run_id = ? AND seq = 2", run_id)
    assert [finding.run_id for finding in ledger.verify()] == [run_id]
    assert ledger.verify(other) == []
