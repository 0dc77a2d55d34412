from verdict import path_there


def test_path_is_in_the_graph(cases, outputs):
    answers = {case["id"]: path_there(case, outputs.get(case["id"])) for case in cases}
    assert [name for name, answer in answers.items() if answer is False] == []
