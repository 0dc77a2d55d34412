#!/bin/bash
set -eu
python3 random_labels.py "$CASES" "$OUT/outputs.jsonl"
