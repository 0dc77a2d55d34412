#!/usr/bin/env bash
# For a machine with an NVIDIA GPU: sets up, then does the main job once with the engine's GPU build and audits it.
# Usage: scripts/gpu-smoke.sh [WEIGHTS]      a recipe's name, a hub id or a path; the small default model when left out.
set -euo pipefail
cd "$(dirname "$0")/.."
nvidia-smi -L || { echo "no GPU answers here; make demo runs on the CPU" >&2; exit 3; }
weights=${1:-qwen2.5-coder-0.5b}
make setup
.venv/bin/evalwright setup --weights "$weights"
.venv/bin/evalwright doctor
.venv/bin/evalwright run pass_at_k --model "local:$weights" --search tree --budget 10m
.venv/bin/evalwright audit last
