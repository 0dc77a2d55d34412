#!/bin/bash
# Puts the oracle where the verifier looks for a submission (Harbor copies this directory to /solution).
set -eu
mkdir -p /workspace/submission
cp -r "$(dirname "$0")/submission/." /workspace/submission/
