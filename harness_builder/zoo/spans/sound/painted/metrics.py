from marking.paint import paint
from marking.reading import plain, read


def score(case, output):
    """The share of code points with the right label; 0 for an output that cannot be read."""
    items = read(output)
    if items is None or not plain(output.get("count")):
        return {"score": 0.0}
    length = len(case["input"]["text"])
    ours, theirs = (paint(length, some) for some in (read(case["expected"]), items))
    return {"score": sum(a == b for a, b in zip(ours, theirs, strict=True)) / length}
