from metrics import ranking, score


def first_wrong(cases, outputs, right):
    for case in cases:
        got = ranking(outputs.get(case["id"]))
        if not right(got, case["expected"]["ranking"], case):
            return f"{case['id']}: {got} instead of {case['expected']['ranking']}"
    return None


def test_first(cases, outputs):
    assert first_wrong(cases, outputs, lambda got, want, _: got[:1] == want[:1]) is None


def test_order(cases, outputs):
    def right(got, want, case):
        return got == want and score(case, outputs[case["id"]])["score"] == 1

    assert first_wrong(cases, outputs, right) is None


def test_ties(cases, outputs):
    def right(got, want, case):
        similarity = dict(zip(want, case["expected"]["similarity"]))
        for name in want:
            group = [other for other in want if abs(similarity[other] - similarity[name]) < 1e-6]
            if [other for other in got if other in group] != sorted(group):
                return False
        return True

    assert first_wrong(cases, outputs, right) is None


def test_every_id_once(cases, outputs):
    def right(got, want, _):
        return all(got.count(name) == 1 for name in want) and len(got) == len(want)

    assert first_wrong(cases, outputs, right) is None
