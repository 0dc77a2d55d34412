"""How many gradings go on at once, and what ends them."""

import pytest

from harness_builder.finding import Undecided
from harness_builder.slots import Slots


def test_nothing_begins_when_the_time_is_over() -> None:
    with pytest.raises(Undecided, match="it took longer than -1 s"):
        Slots(2, seconds=-1).each([1], str)
    assert Slots(2, seconds=60).each([1, 2, 3], str) == ["1", "2", "3"]


@pytest.mark.parametrize(("reason", "calls"), [(KeyboardInterrupt(), 1), (ValueError(), 0)])
def test_what_is_under_way_is_given_up_for_a_person_only(reason: BaseException, calls: int) -> None:
    given_up: list[int] = []
    slots = Slots(1, abandon=lambda: given_up.append(1))

    def act(_: int) -> None:
        raise reason

    with pytest.raises(type(reason)):
        slots.each([1, 2], act)
    assert len(given_up) == calls
    if calls:
        with pytest.raises(Undecided, match="stopped"):
            slots.each([1], str)
