#!/bin/bash
# Wrong: all three labels as the reason of every rejected booking; R4 wants the right one.
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
