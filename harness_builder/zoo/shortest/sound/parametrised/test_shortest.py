import pytest
from paths import has_path, near, weight_of


def right_cost(case, output):
    return near(output["cost"], case["expected"]["cost"])


def right_edges(case, output):
    return weight_of(case["input"], output["path"]) is not None


def right_length(case, output):
    return near(weight_of(case["input"], output["path"]), case["expected"]["cost"])


@pytest.mark.parametrize("judge", [right_cost, right_edges, right_length])
def test_paths(judge, cases, outputs):
    assert [case["id"] for case in cases if has_path(case) and not judge(case, outputs[case["id"]])] == []


@pytest.mark.parametrize(("field", "wanted"), [("cost", None), ("path", [])])
def test_no_path(field, wanted, cases, outputs):
    assert [case["id"] for case in cases if not has_path(case) and outputs[case["id"]][field] != wanted] == []
