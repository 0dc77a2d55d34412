from verdict import cost_right


def test_cost(cases, outputs):
    answers = {case["id"]: cost_right(case, outputs.get(case["id"])) for case in cases}
    assert [name for name, answer in answers.items() if answer is False] == []
