def score(case, output):
    expected = case["expected"]["label"]
    try:
        given = output["label"]
    except (TypeError, KeyError, IndexError):
        return {"accuracy": 0.0}
    if not isinstance(given, str):
        return {"accuracy": 0.0}
    return {"accuracy": 1.0 if given.strip().lower() == expected else 0.0}
