#!/bin/bash
# Wrong: the number as it stands, not converted to the base unit.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
