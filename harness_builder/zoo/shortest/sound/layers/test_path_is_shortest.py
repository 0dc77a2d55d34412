from verdict import path_shortest


def test_path_is_shortest(cases, outputs):
    answers = {case["id"]: path_shortest(case, outputs.get(case["id"])) for case in cases}
    assert [name for name, answer in answers.items() if answer is False] == []
