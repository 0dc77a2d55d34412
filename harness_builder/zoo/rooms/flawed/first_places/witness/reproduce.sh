#!/bin/bash
# Wrong: the first rejected booking of a day is listed again at the end; R3 wants each once.
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
