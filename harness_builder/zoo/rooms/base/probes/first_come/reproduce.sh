#!/bin/bash
# Wrong: by start only, without priorities.
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
