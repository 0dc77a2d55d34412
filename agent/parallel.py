"""One act on many items side by side, its results in the order of the items.

Whoever stops reading waits for nobody: what has not begun is dropped, and what has begun goes on in threads that end
with the process, results unread. A pool of the standard library would be waited for, even at exit.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(act: Callable[[Item], Result], items: Sequence[Item], *, at_once: int) -> Iterator[Result]:
    """`act` of each item, up to `at_once` at a time; an exception is raised in its item's turn."""
    futures: list[Future[Result]] = [Future() for _ in items]
    waiting = deque(zip(futures, items, strict=True))

    def work() -> None:
        while waiting:
            try:
                future, item = waiting.popleft()
            except IndexError:  # another thread took the last one
                return
            try:
                future.set_result(act(item))
            except BaseException as error:  # for the reader, whatever it is
                future.set_exception(error)

    for number in range(min(at_once, len(items))):
        Thread(target=work, name=f"side by side {number}", daemon=True).start()
    try:
        for future in futures:
            yield future.result()
    finally:
        waiting.clear()
