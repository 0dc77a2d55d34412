import functools
import json


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@functools.cache
def _problems(cases_text, outputs_text):
    found = []
    outputs = json.loads(outputs_text)
    for case in json.loads(cases_text):
        output = outputs.get(case["id"])
        if not isinstance(output, dict):
            found += [("mean", case["id"], "no object"), ("sd", case["id"], "no object")]
            continue
        for field in ("mean", "sd"):
            value, interval = output.get(field), case["expected"][field]
            if not is_number(value):
                found.append((field, case["id"], "no number"))
            elif value < interval["low"]:
                found.append((field, case["id"], "too low"))
            elif value > interval["high"]:
                found.append((field, case["id"], "too high"))
    return found


def problems(cases, outputs):
    return _problems(json.dumps(cases), json.dumps(outputs))


def test_everything(cases, outputs):
    assert len(outputs) == len(cases)
    assert problems(cases, outputs) == []


def test_mean(cases, outputs):
    assert [problem for problem in problems(cases, outputs) if problem[0] == "mean"] == []


def test_sd(cases, outputs):
    assert [problem for problem in problems(cases, outputs) if problem[0] == "sd"] == []
