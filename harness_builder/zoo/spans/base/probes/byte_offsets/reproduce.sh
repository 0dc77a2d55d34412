#!/bin/bash
# Wrong: offsets in bytes of UTF-8.
set -eu
python3 -B changed.py "$CASES" "$OUT/outputs.jsonl"
