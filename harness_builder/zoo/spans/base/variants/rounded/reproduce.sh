#!/bin/bash
# Right: five significant digits, offsets as floats, a further key.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
