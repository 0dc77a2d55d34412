#!/bin/bash
set -eu
python3 -S fit.py "$CASES" "$OUT/outputs.jsonl"
