"""What was read out of one text, against what is there."""

import re
from functools import cached_property

from reading.calendar_day import is_day

SLASHED = re.compile(r"(?<!\d)(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>\d{4})(?!\d)")


class Reading:
    def __init__(self, case, output):
        self.name = case["id"]
        self.text = case["input"]["text"]
        self.want = frozenset(case["expected"]["dates"])
        self.entries = output.get("dates") if isinstance(output, dict) else None

    @property
    def is_list(self):
        return isinstance(self.entries, list)

    @cached_property
    def days(self):
        return frozenset(entry for entry in self.entries if is_day(entry)) if self.is_list else frozenset()

    @property
    def f1(self):
        if not self.is_list:
            return 0.0
        # Entries that are no days count one by one.
        given = len(self.days) + sum(not is_day(entry) for entry in self.entries)
        return 2 * len(self.days & self.want) / (given + len(self.want)) if given or self.want else 1.0

    def fault_empty(self):
        return not self.want and self.entries != []

    def fault_form(self):
        return not self.is_list or not all(map(is_day, self.entries)) or len(self.days) < len(self.entries)

    def fault_slashes(self):
        return any(self._misread(match) for match in SLASHED.finditer(self.text))

    def _misread(self, match):
        day, month = int(match["day"]), int(match["month"])
        right, other = f"{match['year']}-{month:02}-{day:02}", f"{match['year']}-{day:02}-{month:02}"
        return right in self.want - self.days or other in self.days - self.want
