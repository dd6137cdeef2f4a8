from __future__ import annotations

from agent.clerk.wording import LONGEST, quote


def test_a_long_message_is_cut_between_words_and_on_one_line() -> None:
    text = quote("one two\nthree " * 40)
    assert len(text) <= LONGEST + 4
    assert "\n" not in text
    assert text.startswith("“one two three one")
    assert text.endswith(" …”")
