#!/bin/bash
set -eu
python3 pass_at_k.py "$CASES" "$OUT/outputs.jsonl"
