from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from agent.comparison.compare import compare
from domains.core.facts import Facts, Selection
from tests.agent.comparison.talking import NO_FACTS, agent, customer, lines, talk, ways

ITEMS = ways(lamp="lamp", mat="mat", mug="mug", cup="cup|mug set")
NAMES = {"lamp": "Lamp (black)", "mat": "Mat", "mug": "Mug", "cup": "Cup"}


def returns(chosen: Iterable[str], **more: Any) -> Facts:
    known: dict[str, Any] = {"is_final": True, "takes_away": True, **more}
    items = Selection("returns", frozenset(chosen), known.pop("ways", ITEMS), NAMES, **known)
    return replace(NO_FACTS, verbs=frozenset({"return"}), selections=(items,))


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Return the lamp and the mat.", False),
        ("Return everything.", False),
        ("Return them all but keep the mug.", False),
        ("Return the lamp but keep the mat.", True),
        ("Return the lamp, not the mat.", True),
        ("The mat stays. Return the lamp.", True),
        ("Only the lamp, please.", True),
        ("Return the lamp.", True),
        ("Return the lamp, the mat and the cup.", True),
        ("Return the lamp and the mat. Is the cup returnable?", False),
    ],
)
def test_what_is_taken_is_what_was_asked_for(text: str, fires: bool) -> None:
    found = lines(returns({"lamp", "mat"}), customer(text))
    assert [kind for kind, _, _ in found] == ["item"] * fires


def test_what_was_left_out_is_told_where_there_is_no_second_chance() -> None:
    text = "Return the lamp and the mat."
    assert lines(returns({"lamp"}), customer(text)) == [("item", text, "customer")]
    assert lines(returns({"lamp"}, is_final=False), customer(text)) == []
    assert lines(returns({"lamp"}, also_in_other_records=frozenset({"mat"})), customer(text)) == []


def test_what_was_taken_back_is_not_left_out() -> None:
    said = (customer("Return the lamp and the mat."), customer("Or no, keep the mat."))
    assert lines(returns({"lamp"}), *said) == []


def test_of_things_alike_the_one_that_was_named_is_taken() -> None:
    known = ways(mug="blue mug|mug", cup="red mug|mug")
    alike = (frozenset({"mug", "cup"}),)
    text = "Return the red mug."
    assert lines(returns({"cup"}, ways=known, alike=alike), customer(text)) == []
    found = lines(returns({"mug"}, ways=known, alike=alike), customer(text))
    assert found == [("item", text, "customer")]


def test_what_either_side_named_was_spoken_of() -> None:
    said = (customer("Return the lamp."), agent("And the mat?"), customer("Yes."))
    assert lines(returns({"lamp", "mat"}), *said) == []


def test_for_what_is_replaced_keeping_a_property_refuses_nothing() -> None:
    facts = returns({"lamp"}, takes_away=False)
    assert lines(facts, customer("Exchange the lamp, keep it black.")) == []
    assert lines(facts, customer("Keep the lamp as it is.")) != []


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Replace Ida with my cousin.", False),
        ("My cousin travels instead of Ida.", False),
        ("Ida can't travel.", False),
        ("Replace Olaf with my cousin.", True),
    ],
)
def test_who_is_replaced_may_well_be_denied(text: str, fires: bool) -> None:
    people = Selection(
        "replaces",
        frozenset({"ida"}),
        ways(ida="ida", olaf="olaf"),
        {},
        is_final=True,
        refusable=False,
    )
    facts = replace(NO_FACTS, verbs=frozenset({"replace"}), selections=(people,))
    assert bool(lines(facts, customer(text))) is fires


@pytest.mark.parametrize(
    ("told", "answer", "fires"),
    [
        ("Return the lamp and the mat?", "Yes.", False),
        ("Return the lamp and the mat?", "Yes, but keep the mat.", True),
        ("Return the lamp and the mat?", "Yes to the return, minus the mat.", True),
        ("Return the lamp and the mat?", "Only the lamp, please. Yes.", True),
        ("I leave the mat as it is and return the lamp. Ok?", "Yes.", True),
        ("I return the lamp. Ok?", "Yes.", True),
        ("Return both? Please send the lamp in its box.", "Yes.", False),
        ("No green mat is in stock, so I return the lamp and the mat. Ok?", "Yes.", False),
    ],
)
def test_what_is_taken_is_what_the_customer_said_yes_to(
    told: str, answer: str, fires: bool
) -> None:
    said = (customer("Return the lamp and the mat."), agent(told), customer(answer))
    found = lines(returns({"lamp", "mat"}), *said)
    assert [kind for kind, _, _ in found] == ["item"] * fires


@pytest.mark.parametrize(
    ("told", "answer", "does"),
    [
        ("I would return the mug. Ok?", "Yes.", ["returns the Lamp (black)"]),
        ("I would return the mug. Ok?", "Yes, and the lamp.", []),
        ("I would return the mug. Ok?", "No, I'd like the lamp instead.", []),
        ("The mug is in stock. Shall I return it?", "Yes.", []),
        ("I would return all that you named, the mug first. Ok?", "Yes.", []),
        ("The lamp has come. I would return the mug. Ok?", "Yes.", []),
    ],
)
def test_another_thing_than_the_one_that_was_agreed_is_told(
    told: str, answer: str, does: list[str]
) -> None:
    said = (customer("I have a lamp and a mug."), agent(told), customer(answer))
    found = compare(returns({"lamp"}), talk(*said)).disagreements
    assert [each.does for each in found] == does


@pytest.mark.parametrize(
    ("told", "answer", "fires"),
    [
        ("I can return the lamp ($20) and the mug ($5). Proceed?", "yes", True),
        ("I can return the lamp ($20) and the mug ($5). Proceed?", "yes, the lamp", False),
        ("I can return the lamp ($20) and the mug ($5). Proceed?", "yes but keep the mug", False),
        ("You have a lamp and a mug. Shall I return the lamp?", "yes", False),
    ],
)
def test_what_was_agreed_on_is_not_left_out(told: str, answer: str, *, fires: bool) -> None:
    said = (customer("I have a lamp and a mug to send."), agent(told), customer(answer))
    found = compare(returns({"lamp"}), talk(*said)).disagreements
    assert [each.does for each in found] == ["leaves out the Mug"] * fires


@pytest.mark.parametrize(
    "text",
    [
        "return the mug, no wait, the lamp",
        "return the mug, i mean the lamp",
        "no just return the lamp",
    ],
)
def test_who_corrects_themselves_leaves_nothing_out(text: str) -> None:
    said = (customer(text), agent("The lamp for $20 to your Visa?"), customer("yes"))
    assert lines(returns({"lamp"}), *said) == []


@pytest.mark.parametrize(
    ("text", "chosen", "does"),
    [
        ("return the mug pls, the lamp is fine", {"mug"}, []),
        ("return the mug pls, the lamp is fine", {"mug", "lamp"}, ["returns the Lamp (black)"]),
        ("return the mug, lamp and mat look great", {"mug", "lamp"}, ["returns the Lamp (black)"]),
        ("the lamp is fine, return the mug", {"mug"}, []),
        ("return the mug and the lamp, the lamp is fine but too big", {"mug", "lamp"}, []),
        ("the lamp is fine", {"lamp"}, []),
    ],
)
def test_what_is_fine_as_it_is_stays(text: str, chosen: set[str], does: list[str]) -> None:
    said = (customer("I have a lamp, a mat and a mug."), agent("Which one?"), customer(text))
    found = compare(returns(chosen), talk(*said)).disagreements
    assert [each.does for each in found] == does


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("Return all of it, even the mug.", True),
        ("Return all of it except the mug and the cup.", False),
        ("Return all of it but the mug and the cup.", False),
        ("Return everything but the mug set and the mug.", False),
        ("Return everything from my last order but the mug and the cup.", False),
        ("Everything from that order but the mug and the cup, return pls.", False),
        ("Return everything from my last order but the lamp.", True),
        ("Return everything in it except the mug.", True),
        ("Return all of it, but the mug is broken.", True),
        ("Just the lamp and the mat.", False),
    ],
)
def test_everything_leaves_nothing_out(text: str, fires: bool) -> None:
    said = (customer("I want to return things."), agent("What shall I return?"), customer(text))
    found = lines(returns({"lamp", "mat"}), *said)
    assert [kind for kind, _, _ in found] == ["item"] * fires


def test_of_as_many_as_were_agreed_none_is_left_out() -> None:
    facts = returns({"lamp", "mat"}, takes_away=False)
    told = agent("1. The lamp. 2. The mat. 3. The mug. Shall I?")
    said = (customer("I want other ones of what I have."), told)
    assert [by for _, _, by in lines(facts, *said, customer("Yes, all three."))] == ["agent"]
    assert lines(facts, *said, customer("Yes, please.")) == []


def test_only_what_is_returned_limits_nothing_that_is_cancelled() -> None:
    facts = replace(returns({"lamp", "mat"}), verbs=frozenset({"cancel"}))
    assert lines(facts, customer("Cancel the order. I only want to return the mug.")) == []
