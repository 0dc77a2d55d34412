"""The error family, drawn once.

Who can mend it decides the class: the model (`ToolError`, returned to it as a tool result), the author or user
(`AuthorError`, one line and exit code 2), or nobody in particular (`EnvironmentFailure`, recorded, exit code 3).
Every message names the place, the value and what to do.
"""


class EvalwrightError(Exception):
    """Base of all errors Evalwright raises on purpose.

    `problem` says what is wrong with which value, `where` names the file, key or service, `remedy` says what to do.
    """

    exit_code = 3
    next_step = ""
    """What to type to go on from here, where there is such a thing: on an error that ends a run, how to resume it."""

    def __init__(self, problem: str, *, where: str = "", remedy: str = "") -> None:
        self.problem, self.where, self.remedy = problem, where, remedy
        sentence = f"{where}: {problem}" if where else problem
        super().__init__(f"{sentence.rstrip('.')}. {remedy}".strip() if remedy else sentence)


class AuthorError(EvalwrightError):
    """The person who wrote the task, the command or the configuration can mend this."""

    exit_code = 2


class EnvironmentFailure(EvalwrightError):
    """Something around us is missing or broke: no Docker, a dead engine, a full disk, a locked database."""

    exit_code = 3


class ToolError(EvalwrightError):
    """The model can mend this: it is returned to it as the result of its call."""


class SandboxLimit(ToolError):
    """A limit of the box was exceeded: too many files, too many bytes, too much output."""
