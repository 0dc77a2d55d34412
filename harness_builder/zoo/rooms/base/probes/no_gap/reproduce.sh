#!/bin/bash
# Wrong: bookings may touch, whatever the gap.
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
