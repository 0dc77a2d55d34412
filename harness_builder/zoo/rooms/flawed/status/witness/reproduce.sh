#!/bin/bash
# Wrong: rejected bookings are in the assignment too, in the largest room; R1 wants exactly the accepted ones there.
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
