from reading.calendar_day import is_day
from reading.one_text import Reading

__all__ = ["Reading", "is_day"]
