"""Every rendering of an item starts from one description of it."""

from __future__ import annotations

from itertools import combinations
from typing import get_args

import pytest

from console.browser.side_by_side import item_text
from console.reports.printing import item_lines
from console.widgets.rows import row_for
from sessions.events import (
    AgentSaid,
    CustomerSaid,
    ModelFailed,
    Noted,
    Scored,
    SessionEnded,
    ToolCalled,
    ToolReturned,
)
from sessions.views import Item, transcript
from sessions.views.describing import describe
from tests.sessions.toy import decided, log_of, shown, started


def items() -> list[Item]:
    return transcript(
        log_of(
            started(),
            CustomerSaid(text="Hello.", turn=1),
            AgentSaid(text="Hi."),
            ToolCalled(call_id="c", name="look_up", arguments={"id": "1"}),
            ToolReturned(call_id="c", name="look_up", text="gone", error=True),
            shown("a"),
            decided("a", "ask", "Why?"),
            decided("a", "reject", "no"),
            ModelFailed(model="m", fault="cut", sentence="It broke off.", partial="So"),
            ModelFailed(model="m", fault="cancelled", sentence="Stopped.", partial="So"),
            Noted(text="A remark."),
            SessionEnded(reason="customer"),
            Scored(
                scenario="s",
                reward=0,
                records_match=False,
                communicated=False,
                differences=("one",),
                missing=("two",),
            ),
        )
    )


def test_kinds_of_items_are_told_apart_by_who_speaks_or_by_their_mark() -> None:
    found = [(describe(each).mark, describe(each).speaker) for each in items()]
    assert found == [
        ("›", "customer"), ("", "agent"), ("✗", None), ("›", "customer"), ("▣", None),
        ("!", None), ("◼", None), ("·", None), ("■", None), ("◆", None),
    ]  # fmt: skip


@pytest.mark.parametrize("item", items(), ids=lambda each: type(each).__name__)
def test_terminal_and_comparison_show_the_words_of_the_description(item: Item) -> None:
    described = describe(item)
    shown_lines = "\n".join(item_lines(item))
    assert described.text in shown_lines
    assert (described.speaker or described.mark) in shown_lines
    assert described.mark in item_text(item)
    assert row_for(item) is not None


def test_a_question_about_a_card_and_what_was_asked_outright_read_differently() -> None:
    hello, question = (each for each in items() if describe(each).speaker == "customer")
    assert describe(hello).line == "› Hello."
    assert describe(question).line == "› (about the card) Why?"


def test_a_result_says_what_is_wrong() -> None:
    assert describe(items()[-1]).line == "◆ reward 0: one; two"


def test_each_kind_of_item_has_a_description_of_its_own() -> None:
    lines = [describe(each).line for each in items()]
    assert all(one != other for one, other in combinations(lines, 2))
    assert {type(each) for each in items()} <= set(get_args(Item))
