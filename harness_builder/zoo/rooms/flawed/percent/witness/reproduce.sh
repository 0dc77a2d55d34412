#!/bin/bash
# Right: numbers with 7 significant digits are within 5e-7 of the expectation, and a relative 1e-6 is allowed.
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
