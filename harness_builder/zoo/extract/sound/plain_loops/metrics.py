def score(case, output):
    if not isinstance(output, dict) or not isinstance(output.get("dates"), list):
        return {"f1": 0.0}
    given = set()
    count = 0
    for value in output["dates"]:
        if isinstance(value, str) and value in given:
            continue
        count += 1
        if isinstance(value, str):
            given.add(value)
    want = case["expected"]["dates"]
    if count == 0 and len(want) == 0:
        return {"f1": 1.0}
    hits = 0
    for value in want:
        if value in given:
            hits += 1
    return {"f1": 2 * hits / (count + len(want))}
