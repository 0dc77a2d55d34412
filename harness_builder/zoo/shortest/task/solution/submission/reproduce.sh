#!/bin/bash
set -eu
python3 shortest.py "$CASES" "$OUT/outputs.jsonl"
