"""Days as strings."""

import calendar
import string


def is_day(value):
    """Whether a value is a day of the calendar, as YYYY-MM-DD."""
    if not isinstance(value, str) or len(value) != 10 or value[4] != "-" or value[7] != "-":
        return False
    parts = value[:4], value[5:7], value[8:]
    if not all(letter in string.digits for part in parts for letter in part):
        return False
    year, month, day = map(int, parts)
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]
