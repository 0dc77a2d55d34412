#!/bin/bash
# Wrong (R3): rounds values to six decimals, so 328.6 nm is 0.0 and 4.56 µs is 5e-06.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
