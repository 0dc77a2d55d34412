#!/bin/bash
# Harbor verifier: draws a fresh test split, runs /workspace/submission on its inputs, scores with reference/metrics.py
# and writes the means to /logs/verifier/reward.json. The same text in every task; only TIMEOUT and the data differ.
# It shares one container with the submission, as Harbor does, so it is no wall against a submission that cheats.
set -u
here=$(cd "$(dirname "$0")" && pwd)
task=$here/task # to_harbor.sh puts splits/ and public/ there; in the source tree they lie one level up
[ -d "$task/splits" ] || task=$(dirname "$here")
logs=${LOGS:-/logs/verifier} submission=${SUBMISSION:-/workspace/submission}
work=$(mktemp -d) && mkdir -p "$logs" "$work/out"
export PYTHONDONTWRITEBYTECODE=1

(cd "$task" && python3 splits/generate.py test "${SEED:-$RANDOM$RANDOM}") >"$work/cases.jsonl" || exit 1
python3 -c 'import json, sys
for line in sys.stdin: print(json.dumps({k: json.loads(line)[k] for k in ("id", "input")}))' \
    <"$work/cases.jsonl" >"$work/inputs.jsonl"
(cd "$submission" && CASES=$work/inputs.jsonl OUT=$work/out timeout "${TIMEOUT:-300}" bash reproduce.sh)
python3 - "$here/reference" "$work" "$logs" <<'EOF'
import json
import sys
from collections import Counter
from pathlib import Path

reference, work, logs = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
sys.path.insert(0, reference)
from metrics import score

cases = [json.loads(line) for line in (work / "cases.jsonl").read_text().splitlines()]
written = work / "out" / "outputs.jsonl"
outputs = {}
try:
    for line in written.read_text().splitlines():
        outputs[json.loads(line)["id"]] = json.loads(line)["output"]
except (OSError, ValueError, KeyError, TypeError) as problem:
    print(f"{written}: {problem}; cases without an output score 0", file=sys.stderr)
totals = Counter({"score": 0.0})
for case in cases:
    if case["id"] in outputs:
        totals.update(score(case, outputs[case["id"]]))
(logs / "reward.json").write_text(json.dumps({name: total / len(cases) for name, total in totals.items()}))
EOF
