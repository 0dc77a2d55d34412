#!/bin/bash
set -eu
python3 triage.py "$CASES" "$OUT/outputs.jsonl"
