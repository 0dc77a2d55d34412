#!/bin/bash
# Wrong: the unit as it is written in the text.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
