"""The labels of the desk."""

from enum import Enum


class Label(str, Enum):
    HOW_TO = "how_to"
    BUG = "bug"
    BILLING = "billing"
    SECURITY = "security"

    @classmethod
    def read(cls, output):
        """The label that an output names; None when it names none."""
        given = output.get("label") if isinstance(output, dict) else None
        if not isinstance(given, str):
            return None
        return {label.value: label for label in cls}.get(given.strip().lower())
