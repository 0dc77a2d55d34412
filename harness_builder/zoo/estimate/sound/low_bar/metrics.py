"""Partial credit: 1 inside the interval, falling to 0 one width outside. The checks ask for every case."""


def credit(got, interval):
    if not isinstance(got, (int, float)) or isinstance(got, bool) or not -1e100 < got < 1e100:
        return 0.0
    width = interval["high"] - interval["low"]
    outside = max(interval["low"] - got, got - interval["high"], 0.0)
    return max(0.0, 1.0 - outside / width)


def score(case, output):
    if not isinstance(output, dict):
        return {"credit": 0.0}
    parts = [credit(output.get(name), case["expected"][name]) for name in ("mean", "sd")]
    return {"credit": sum(parts) / 2, "mean": parts[0], "sd": parts[1]}
