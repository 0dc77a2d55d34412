"""A moment of a conversation does not change when the conversation goes on, and its digest depends on nothing else."""

from agent.model import Request
from agent.thread import START, Thread, chained, digest_of

MESSAGES = [{"role": role, "content": text} for role, text in (("system", "a"), ("user", "b"), ("assistant", "c"))]


def view(count: int) -> Thread:
    digest = START
    for message in MESSAGES[:count]:
        digest = chained(digest, message)
    return Thread(MESSAGES[:count], digest)


def test_a_moment_stays_as_it_was() -> None:
    growing = MESSAGES[:2]
    then = Thread(growing, digest_of(growing))
    growing.append(MESSAGES[2])
    assert (len(then), list(then), then[-1], then[0:9]) == (2, MESSAGES[:2], MESSAGES[1], MESSAGES[:2])
    assert (*then, MESSAGES[2]) == tuple(MESSAGES)
    assert then == view(2) and then != view(3)


def test_the_digest_is_that_of_the_messages_however_they_are_held() -> None:
    assert view(3).digest == digest_of(tuple(MESSAGES)) == digest_of([dict(reversed(m.items())) for m in MESSAGES])
    assert len({digest_of(MESSAGES[:count]) for count in range(4)}) == 4
    assert digest_of(MESSAGES[::-1]) != digest_of(MESSAGES)


def test_a_question_is_named_by_all_that_is_asked() -> None:
    questions = [
        Request("attempt", view(2)),
        Request("attempt", view(3)),
        Request("study", view(2)),
        Request("attempt", view(2), seed=1),
        Request("attempt", view(2), schema={"type": "object"}),
    ]
    assert len({question.digest for question in questions}) == len(questions)
    assert Request("attempt", MESSAGES[:2]).digest == questions[0].digest
