#!/bin/bash
set -eu
python3 -S rank.py "$CASES" "$OUT/outputs.jsonl"
