#!/bin/bash
# Keys in another order, whole numbers as integers, a note beside the five keys.
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
