"""What an instruction leaves open, read off its sentences."""

from dataclasses import replace

import pytest

from harness_builder.leeway import Leeway, allows_a_share, stated_leeway

FIELDS = ("label", "tags")
BOTH, LABEL, TAGS = frozenset(FIELDS), frozenset({"label"}), frozenset({"tags"})


@pytest.mark.parametrize(
    ("text", "leeway"),
    [
        ("Upper or lower case does not matter in `label`.", Leeway(case=LABEL)),
        ("Labels are compared ignoring case.", Leeway(case=BOTH)),
        ("`label` is case-insensitive; spaces around it are ignored.", Leeway(case=LABEL, spaces=LABEL)),
        ("Write labels in lower case.", Leeway()),
        ("Case matters.", Leeway()),
        ("Leading and trailing whitespace in `label` makes no difference.", Leeway(spaces=LABEL)),
        ("Separate the words by spaces.", Leeway()),
        ("- **Output:** `tags`, in any order", Leeway(order=TAGS)),
        ("The order of the `tags` does not matter.", Leeway(order=TAGS)),
        (
            "- **Input:** words, in any order\n  - `tags`: unordered\n- **Output:** `tags`, sorted",
            Leeway(ordered=TAGS, speaks_of_order=True),
        ),
        ("`tags` are ranked, best first, each once.", Leeway(ordered=TAGS, once=TAGS, speaks_of_order=True)),
        ("The `tags` may stand in any sensible order.", Leeway(order=TAGS)),
        ("`label` is compared letter by letter.", Leeway(spelled=LABEL)),
        ("Two spans match when their IoU is at least 0.5.", Leeway(loosely=BOTH)),
        ("Spans match by an IoU of 0.5 at least.\n\n`label` agrees to a relative 0.05.", Leeway(loosely=TAGS)),
        ("Every one of the `tags` is at most 3 samples from the true one.", Leeway(loosely=TAGS)),
        ("`tags` agree to within 0.01.", Leeway()),
        ("Order the `tags` by their cosine similarity.", Leeway()),
        ("Give the edit distance of the two texts.", Leeway()),
        ("From labels to tags, in the order of their age", Leeway(speaks_of_order=True)),  # names no field
        ("The lines of outputs.jsonl may stand in any order.", Leeway()),
        ("Other keys are allowed.", Leeway(further_keys=True)),
        ("Only the top 3 count.", Leeway(order_partly=True)),
        ("An accuracy of at least 90 % is asked for.", Leeway(too_many_wrong=0.3)),
        ("At least 0.95 of them must be right, and a recall of at least 0.9.", Leeway(too_many_wrong=0.3)),
        ("The mean F1 must reach 0.7.", Leeway(too_many_wrong=0.5)),
        ("Every case must be right.", Leeway(too_many_wrong=0.25)),
        ("At least 8 items are given.", Leeway()),
    ],
)
def test_a_sentence_is_understood(text: str, leeway: Leeway) -> None:
    found = stated_leeway(text, FIELDS)
    assert replace(found, too_many_wrong=round(found.too_many_wrong, 9)) == leeway


def test_what_means_the_same_is_written_the_same() -> None:
    leeway = Leeway(case=LABEL, spaces=LABEL, order=TAGS)
    assert leeway.plain({"label": " Bug ", "tags": ["B", "a"]}) == leeway.plain({"label": "bug", "tags": ["a", "B"]})
    assert leeway.plain({"label": "bug", "tags": ["A"]}) != leeway.plain({"label": "bug", "tags": ["a"]})


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("in at least 80 % of the cases the potential lies in its interval", True),
        ("at least 90 % of the p-values agree to 1e-9", True),
        ("the mean F1 over all cases reaches 0.85", True),
        ("p is off by at most a relative 1e-6", False),
        ("the relative error of t never exceeds 1e-6", False),
        ("sigma agrees to a relative 0.05 in every case", False),
    ],
)
def test_whether_a_requirement_allows_a_share_of_wrong_cases(text: str, share: bool) -> None:
    assert allows_a_share(text) == share
