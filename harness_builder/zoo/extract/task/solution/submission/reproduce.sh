#!/bin/bash
set -eu
python3 extract.py "$CASES" "$OUT/outputs.jsonl"
