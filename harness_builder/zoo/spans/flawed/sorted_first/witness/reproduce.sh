#!/bin/bash
# Wrong (R5): lists the ranges of a text before its other quantities.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
