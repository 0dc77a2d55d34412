"""What was decided about each booking."""


def test_accepted(cases, outputs):
    assert [c["id"] for c in cases if outputs[c["id"]]["assignment"].keys() != c["expected"]["assignment"].keys()] == []


def test_rooms_given(cases, outputs):
    assert [c["id"] for c in cases if outputs[c["id"]]["assignment"] != c["expected"]["assignment"]] == []


def test_rejected(cases, outputs):
    assert [c["id"] for c in cases if outputs[c["id"]]["rejected"] != c["expected"]["rejected"]] == []


def test_reasons(cases, outputs):
    assert [c["id"] for c in cases if outputs[c["id"]]["reasons"] != c["expected"]["reasons"]] == []
