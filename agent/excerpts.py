"""A paper in pieces: the paragraphs that define something, each with its formulas.

A small model that is shown the whole paper mixes its parts up; shown one definition, it follows it. A piece is a run of
indented blocks (formulas, algorithms) with the prose just before it. The search learns which piece serves which field.
"""

MAX_CHARS = 2_500


def excerpts(paper: str) -> tuple[str, ...]:
    """The pieces of a Markdown text, most telling first; the whole text (cut) when it has no indented blocks."""
    paragraphs = [part for part in paper.strip().split("\n\n") if part.strip() and not part.startswith("# ")]
    pieces: list[list[str]] = [[]]
    for paragraph in paragraphs:
        if not _is_formula(paragraph) and any(map(_is_formula, pieces[-1])):
            pieces.append([])
        pieces[-1].append(paragraph)
    # Of the prose before a formula only the last paragraph belongs to it.
    focused = [_focused(piece) for piece in pieces if any(map(_is_formula, piece))]
    if not focused:
        return (paper.strip()[:MAX_CHARS],)
    together = "\n\n".join(focused)
    return (*focused, together[:MAX_CHARS]) if len(focused) > 1 else tuple(focused)


def _focused(piece: list[str]) -> str:
    first = next(index for index, paragraph in enumerate(piece) if _is_formula(paragraph))
    return "\n\n".join(piece[max(0, first - 1) :])[:MAX_CHARS]


def _is_formula(paragraph: str) -> bool:
    return paragraph.startswith(("    ", "\t", "```", "$$"))
