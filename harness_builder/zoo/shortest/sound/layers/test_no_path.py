from verdict import silent


def test_no_path(cases, outputs):
    answers = {case["id"]: silent(case, outputs.get(case["id"])) for case in cases}
    assert [name for name, answer in answers.items() if answer is False] == []
