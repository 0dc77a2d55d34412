"""Where a text names a field, and does not merely use the same word: "rejected lists the ids", "a rejected booking"."""

import re

AFTER_A_NAME = (
    r"\s+(?:is|are|was|were|be|has|have|had|holds?|gives?|lists?|names?|agrees?|equals?|lies?|falls?|follows?|must|may"
    r"|can|cannot|should|will|does|do|never|always|also|alone|of|in|at|on|for|to|and|or|nor|with|without|within|by|from"
    r"|as|than|that|which|where|when|if|unless|adds?|sums?|stands?|comes?|contains?|says?|tells?|shows?|matches|match"
    r"|differs?|ends?|starts?|counts?|covers?|keeps?|appears?|occurs?|differ|every|each|per|exactly|just|only)\b"
    r"|[^\w\s]|\s+[^\w\s]|\s*$"
)
"""What follows the name of a field; any other word is one that it would describe."""


def named_at(name: str, text: str) -> int | None:
    """Where a text first names a field; None where it does not.

    In backticks or quotes, or with a sign in it that no English word has, a name is always one.
    """
    quoted = re.search(rf"[`\"']{re.escape(name)}[`\"']", text)
    after = "" if not re.fullmatch(r"[a-z]+", name) else rf"(?={AFTER_A_NAME})"
    bare = re.search(rf"(?<!\w){re.escape(name)}(?!\w){after}", text)
    return min((match.start() for match in (quoted, bare) if match), default=None)
