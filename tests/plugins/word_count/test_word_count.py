"""The test a plugin author writes: the conformance kit, and one answer worked out by hand."""

from evalwright_word_count import WordCount

from tools.testing import FakeSandbox, check_tool, context_for


def test_it_keeps_the_contract_and_counts_three_words():
    context = context_for(FakeSandbox({"/workspace/a.txt": b"one two\nthree"}))
    check_tool(WordCount(), context, examples=[{"path": "/workspace/a.txt"}])
    assert WordCount().run(context, path="/workspace/a.txt").text == "3 words"
