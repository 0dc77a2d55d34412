#!/bin/bash
# Wrong (R3): loses the sign, so -26 V gets the value 26.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
