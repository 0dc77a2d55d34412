"""Labels a message by the first rule of the guide whose cue it holds."""

import json
import re
import sys

RULES = (
    (
        "security",
        r"someone else|stranger|hacked|phishing|leaked|stolen|unknown device|suspicious|break in|not me\b",
    ),
    (
        "bug",
        r"\berrors?\b|crash|freez|frozen|blank|broken|\bfails?\b|stopped working|\bhangs?\b|nothing happens"
        r"|wrong totals|spinning|garbled|vanish|twice on screen|does not (?:load|open|respond)",
    ),
    (
        "billing",
        r"charge|refund|invoice|receipt|payment|\bpa(?:id|y)\b|\bprice|discount|credit card|\bbill\b|\bVAT\b|cheaper",
    ),
)


def label(message: str) -> str:
    """The label of one message."""
    for name, cues in RULES:
        if re.search(cues, message, re.IGNORECASE):
            return name
    return "how_to"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
        for case in map(json.loads, cases):
            out.write(json.dumps({"id": case["id"], "output": {"label": label(case["input"]["message"])}}) + "\n")
