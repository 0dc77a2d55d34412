#!/bin/bash
# Wrong: a room without bookings gets the opening hours of the house; R5 wants its booked hours, 0.
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
