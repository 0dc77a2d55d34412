#!/bin/bash
# Wrong: accepted bookings of the same length change rooms when they fit; R2 wants the room that the rule gives.
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
