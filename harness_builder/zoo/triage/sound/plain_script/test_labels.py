def given(outputs, case):
    output = outputs.get(case["id"])
    if not isinstance(output, dict):
        return ""
    label = output.get("label")
    if not isinstance(label, str):
        return ""
    return label.strip().lower()


def test_known_labels(cases, outputs):
    for case in cases:
        assert given(outputs, case) in ("how_to", "bug", "billing", "security"), case["id"]


def test_accuracy(cases, outputs):
    wrong = 0
    for case in cases:
        if given(outputs, case) != case["expected"]["label"]:
            wrong += 1
    assert 10 * wrong <= len(cases)


def test_balanced_accuracy(cases, outputs):
    totals, hits = {}, {}
    for case in cases:
        label = case["expected"]["label"]
        totals[label] = totals.get(label, 0) + 1
        if given(outputs, case) == label:
            hits[label] = hits.get(label, 0) + 1
    mean = sum(hits.get(label, 0) / total for label, total in totals.items()) / len(totals)
    assert mean > 0.9 - 1e-9


def test_no_security_message_is_missed(cases, outputs):
    for case in cases:
        if case["expected"]["label"] == "security":
            assert given(outputs, case) == "security", case["id"]
