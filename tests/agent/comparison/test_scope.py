from __future__ import annotations

from dataclasses import replace

from agent.comparison.sentences import Sentence
from tests.agent.comparison.talking import NO_FACTS, agent, customer, scope, ways, written

FACTS = replace(NO_FACTS, about=ways(W1="w1"), others=ways(W9="w9"))


def texts(found: tuple[Sentence, ...]) -> list[str]:
    return [each.text for each in found]


def test_sentences_about_another_record_alone_are_left_out() -> None:
    held = scope(FACTS, customer("w9 is late. w1 and w9 are mine. Cancel it."))
    assert texts(held.relevant(held.customer_messages[0])) == ["w1 and w9 are mine.", "Cancel it."]


def test_a_scope_begins_behind_the_last_write() -> None:
    held = scope(FACTS, customer("w1"), written(), agent("Done."), customer("More."))
    assert [each.text for each in held.customer_messages] == ["More."]
    assert not held.names_record_in(held.said)
    assert held.names_record_in(held.talk.newest)


def test_the_answer_is_what_the_customer_said_last() -> None:
    held = scope(FACTS, customer("one"), agent("two"), customer("three"), customer("four"))
    assert [each.text for each in held.answer] == ["four", "three"]
    assert scope(FACTS, customer("one"), agent("two")).answer == []


def test_talk_of_several_records_is_known() -> None:
    for text in ("both orders", "your reservations", "all of them", "as to w9"):
        held = scope(FACTS, agent(text))
        assert held.concerns_several(held.said[0]), text
    held = scope(FACTS, agent("your order w1"))
    assert not held.concerns_several(held.said[0])
