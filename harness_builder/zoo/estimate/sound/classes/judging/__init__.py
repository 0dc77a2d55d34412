from judging.answer import Answer
from judging.interval import Interval

__all__ = ["Answer", "Interval"]
