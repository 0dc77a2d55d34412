from judging.curve import Curve
from judging.verdict import Verdict

__all__ = ["Curve", "Verdict"]
