"""Turn a GGUF file into plain weights that every vLLM build loads: `python convert.py MODEL.gguf DIRECTORY`.

A process of its own, because transformers and torch take seconds and a gigabyte that the orchestrator should not spend.
The quantised numbers are written out as bfloat16; what quantisation lost stays lost.
"""

import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig


def convert(gguf: Path, directory: Path) -> None:
    """Write config, tokenizer and safetensors of `gguf` into `directory`."""
    plain = GgufConfig(dequantize=True)
    model = AutoModelForCausalLM.from_pretrained(
        gguf.parent, gguf_file=gguf.name, quantization_config=plain, dtype=torch.bfloat16
    )
    # Left in place, it would have vLLM look for quantised tensors that are no longer there.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.save_pretrained(directory)
    AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name).save_pretrained(directory)


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
