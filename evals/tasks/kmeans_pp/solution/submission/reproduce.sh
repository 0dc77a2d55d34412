#!/bin/bash
set -eu
python3 kmeans.py "$CASES" "$OUT/outputs.jsonl"
