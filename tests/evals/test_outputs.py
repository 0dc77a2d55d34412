"""Outputs come from unknown code: what reaches the harness is JSON that every reader reads alike, or nothing."""

import pytest

from evals.outputs import MAX_BYTES, MAX_STRING, OutputsError, parse_outputs

IDS = {"a", "b", "ü"}


def line(output: str, name: str = "a") -> bytes:
    return f'{{"id": "{name}", "output": {output}}}\n'.encode()


def test_valid_values_are_read_as_they_are_written() -> None:
    data = line('{"x": [1, -2.5, 1e3, true, null, "\\u00fc\\ud83d\\ude00"]}') + b"\n  \r\n" + line("0", "b")
    assert parse_outputs(data + line('""', "ü"), IDS) == {
        "a": {"x": [1, -2.5, 1000.0, True, None, "ü\N{GRINNING FACE}"]},
        "b": 0,
        "ü": "",
    }


@pytest.mark.parametrize("data", [b"", b"\n\n"])
def test_no_lines_are_no_outputs(data: bytes) -> None:
    assert parse_outputs(data, IDS) == {}


def test_the_largest_double_and_its_integer_are_numbers() -> None:
    largest = 2**1024 - 2**971  # IEEE 754: (2 - 2^-52) * 2^1023
    assert parse_outputs(line(str(largest)) + line("1.7976931348623157e308", "b"), IDS) == {
        "a": largest,
        "b": float(largest),
    }


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (line("NaN"), "line 1 is not strict JSON: NaN is not a JSON number"),
        (line("[-Infinity]"), "line 1 is not strict JSON: -Infinity is not a JSON number"),
        (line("1e999"), "line 1: the output holds a number beyond the range of a double"),
        (line('{"x": -1e999}'), "line 1: the output holds a number beyond the range of a double"),
        (line("1" + "0" * 309), "line 1: the output holds a number beyond the range of a double"),
        (line("-1" + "0" * 309), "line 1: the output holds a number beyond the range of a double"),
        (line("1" * 5000), "line 1 is not strict JSON: Exceeds the limit"),
        (line("1") + line("1"), "line 2: id 'a' is given twice"),
        (line("1", "c"), "line 1: id 'c' is not among the cases"),
        (line("1", "c" * 200), f"line 1: id '{'c' * 80}' is not among the cases"),
        (line("1")[:-2], "line 1 is not strict JSON: Expecting ',' delimiter"),
        (line("01"), "line 1 is not strict JSON"),
        (b'{"id": "a", "output": 1, "output": 2}', "line 1 is not strict JSON: a key is given twice"),
        (line('{"x": 1, "x": 2}'), "line 1 is not strict JSON: a key is given twice"),
        (b'{"id": "a"}', 'line 1 is not {"id": text, "output": value}; it reads'),
        (b'{"id": 7, "output": 1}', 'line 1 is not {"id": text, "output": value}'),
        (b'{"id": "a", "output": 1, "note": ""}', 'line 1 is not {"id": text, "output": value}'),
        (b'["a", 1]', 'line 1 is not {"id": text, "output": value}'),
        (b"\xef\xbb\xbf" + line("1"), "line 1 is not strict JSON"),
        (line('"\xff"').replace("\xff".encode(), b"\xff"), "is not UTF-8 at byte 23"),
        (line('"\\ud800"'), "line 1: a text holds a lone surrogate, which is not UTF-8"),
        (line('{"\\udfff": 1}'), "line 1: a text holds a lone surrogate, which is not UTF-8"),
        (line("1", "\\ud800"), "line 1: id '\\ud800' is not among the cases"),
        (line("[" * 33 + "1" + "]" * 33), "line 1: the output is nested deeper than 32 levels"),
        (line('{"x": ' * 33 + "1" + "}" * 33), "line 1: the output is nested deeper than 32 levels"),
        (line("[" * 100_000 + "]" * 100_000), "line 1 is not strict JSON: maximum recursion depth exceeded"),
        (line(f'"{"x" * (MAX_STRING + 1)}"'), f"line 1: a text has {MAX_STRING + 1} characters"),
        (b" " * (MAX_BYTES + 1), f"has {MAX_BYTES + 1} bytes; at most {MAX_BYTES} are read"),
    ],
    ids=lambda value: value[:50] if isinstance(value, str) else "",
)
def test_anything_else_is_refused_by_line(data: bytes, message: str) -> None:
    with pytest.raises(OutputsError) as caught:
        parse_outputs(data, IDS)
    assert str(caught.value).startswith("outputs.jsonl")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300
    str(caught.value).encode()  # what it quotes can be stored and shown


def test_32_levels_are_not_too_deep() -> None:
    value = parse_outputs(line("[" * 32 + "7" + "]" * 32), IDS)["a"]
    for _ in range(32):
        (value,) = value
    assert value == 7
