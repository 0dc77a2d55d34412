#!/bin/bash
# Wrong (R1, R2): looks every quantity's words up with str.find, which marks the first place they occur at.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
