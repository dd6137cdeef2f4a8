from __future__ import annotations

from agent.clerk.quoting import LONGEST, as_typed, quote


def test_a_long_message_is_cut_between_words_and_on_one_line() -> None:
    text = quote("one two\nthree " * 40)
    assert len(text) <= LONGEST + 4
    assert "\n" not in text
    assert text.startswith("“one two three one")
    assert text.endswith(" …”")


def test_words_are_given_back_in_the_capitals_they_were_typed_in() -> None:
    assert as_typed("i need an invoice", "Hi. I need an Invoice!") == "I need an Invoice"
    assert as_typed("i need an invoice", "I ned an invoice") == "i need an invoice"
    assert as_typed("it's odd", "It’s odd") == "It's odd"
