#!/bin/bash
# Wrong: only the second quantity of a range.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
