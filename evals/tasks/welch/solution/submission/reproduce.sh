#!/bin/bash
set -eu
python3 welch.py "$CASES" "$OUT/outputs.jsonl"
