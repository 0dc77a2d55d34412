#!/bin/bash
# Wrong (R2): one pass for ranges and one for single quantities both mark the upper end of a range.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
