"""Numbers as JSON has them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tolerance:
    relative: float = 1e-4
    absolute: float = 1e-9

    def allows(self, got, want):
        if type(got) is not int and type(got) is not float:
            return False
        margin = self.relative * abs(want) + self.absolute
        return want - margin <= got <= want + margin
