#!/bin/bash
# Wrong (R4): gives the units of a text in alphabetical order, not each to its own quantity.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
