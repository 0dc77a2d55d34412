#!/bin/bash
set -eu
python3 solution.py "$CASES" "$OUT/outputs.jsonl"
