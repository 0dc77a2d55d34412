"""Text from elsewhere, made fit for a terminal.

Names, evidence and messages come from models, from submissions and from files. What a terminal obeys instead of showing
(escapes, carriage returns, marks that turn the writing around) is written out as Python would escape it.
"""


def plain(value: object) -> str:
    """One line of printable characters: white space becomes a space, anything else that cannot be seen an escape."""
    text = str(value)
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() and character != "\x85" else character.encode("unicode_escape").decode()


def shortened(text: str, limit: int) -> str:
    """The text on one line; what is longer than `limit` is cut at a word, and an ellipsis says so."""
    words = " ".join(text.split())
    if len(words) <= limit:
        return words
    start, space, _ = words[:limit].rpartition(" ")
    return f"{start if space else words[: limit - 1]}…"
