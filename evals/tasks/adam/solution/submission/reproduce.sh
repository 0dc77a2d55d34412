#!/bin/bash
set -eu
python3 adam.py "$CASES" "$OUT/outputs.jsonl"
