#!/bin/bash
set -eu
python3 estimate.py "$CASES" "$OUT/outputs.jsonl"
