#!/bin/bash
# Wrong: the largest free room.
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
