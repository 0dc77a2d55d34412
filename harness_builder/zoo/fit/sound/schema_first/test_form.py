from metrics import well_formed


def test_form(cases, outputs):
    assert [case["id"] for case in cases if not well_formed(outputs.get(case["id"]))] == []
