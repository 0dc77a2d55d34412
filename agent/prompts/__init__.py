"""Prompts as files; `render` fills in the `$names`."""

from importlib.resources import files
from string import Template


def render(name: str, **values: object) -> str:
    """The prompt `agent/prompts/<name>.md` with its `$names` replaced; a missing name is a KeyError."""
    text = files("agent").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    return Template(text).substitute(values).strip()
