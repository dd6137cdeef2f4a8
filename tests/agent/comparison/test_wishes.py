from __future__ import annotations

from dataclasses import replace

import pytest

from domains.core.facts import Cheaper, Facts, Wanted
from tests.agent.comparison.talking import NO_FACTS, agent, choice, customer, lines, ways, written

CANCELS = replace(
    NO_FACTS,
    verbs=frozenset({"cancel", "call off"}),
    acts=frozenset({"cancel", "call off"}),
    about=ways(W1="w1|lamp"),
    others=ways(W9="w9|mug"),
)
OFFER = agent("Shall I cancel it?")


def answered(text: str) -> list[str]:
    """The kinds of lines after this answer to the agent's offer to cancel."""
    return [kind for kind, _, _ in lines(CANCELS, customer("Cancel w1."), OFFER, customer(text))]


@pytest.mark.parametrize(
    "text",
    [
        "Yes.",
        "yes please go ahead",
        "Sure, why not.",
        "Please do.",
        "Hm, fine.",
        "No problem, do it.",
        "Cancel it.",
        "Yes, I don't need it any more.",
        "No need to wait, go ahead.",
        "Don't cancel w9, just this one.",
        "OK, but don't cancel the mug.",
    ],
)
def test_an_answer_that_agrees_costs_no_line(text: str) -> None:
    assert answered(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "No.",
        "No, thanks.",
        "Never mind.",
        "Don't cancel it.",
        "Please don't cancel it.",
        "Let me think about it.",
        "Hold off for now.",
        "I only wanted to know.",
        "Leave it as it is.",
        "Then don't.",
        "Not yet.",
        "Forget it.",
    ],
)
def test_an_answer_that_says_no_or_not_yet_is_quoted(text: str) -> None:
    found = lines(CANCELS, customer("Cancel w1."), OFFER, customer(text))
    assert found == [("not wanted", text, "customer")]


def test_a_no_that_corrects_what_was_told_declines_nothing() -> None:
    said = (customer("Cancel w1."), agent("As no longer needed?"), customer("No, by mistake."))
    assert lines(CANCELS, *said) == []


def test_a_later_word_takes_an_earlier_one_back() -> None:
    said = (customer("Don't cancel it."), agent("I see."), customer("Or do, cancel it."))
    assert lines(CANCELS, *said) == []
    assert lines(CANCELS, *said[::-1]) != []


def test_what_was_said_before_the_last_write_forbids_nothing() -> None:
    said = (customer("Don't cancel it."), written(), agent("Changed."), customer("Now cancel it."))
    assert lines(CANCELS, *said) == []


def test_what_nobody_spoke_of_last_is_told() -> None:
    said = (customer("Hi, the lamp is broken."), agent("Sorry. A new bulb?"), customer("Yes."))
    assert lines(CANCELS, *said) == [("not asked for", "Yes.", "customer")]
    assert lines(CANCELS, customer("Cancel the lamp."), *said[1:]) == []
    assert lines(CANCELS, said[0], OFFER, customer("Yes.")) == []


def test_a_cancellation_that_was_offered_was_spoken_of() -> None:
    said = (customer("I don't want it."), agent("Shall I go on with the cancellation?"))
    assert lines(CANCELS, *said, customer("Yes.")) == []


def buys(cheaper: str | None, price: str = "$40") -> Facts:
    """A change beside which there is something cheaper that has what is asked for, or not."""
    colors = choice("color", "blue", ways(blue="blue", red="red"))

    def look(wanted: Wanted) -> Cheaper | None:
        fits = cheaper is not None and wanted.keys <= {cheaper} and not wanted.direct
        return Cheaper(f"there is a {cheaper} one", (price,)) if fits else None

    return replace(NO_FACTS, choices=(colors,), cheaper=look)


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("The cheapest one.", True),
        ("The cheapest blue one.", False),
        ("the least expensive, please", True),
        ("The second cheapest.", False),
        ("The cheapest direct flight.", False),
        ("The cheapest, direct or one-stop.", True),
        ("Cheap and cheerful.", False),
        ("The nicest.", False),
    ],
)
def test_where_the_cheapest_was_asked_for_there_is_nothing_cheaper(text: str, fires: bool) -> None:
    found = lines(buys("red"), customer(text))
    assert [each for each in found if each[0] == "price"] == (
        [("price", text, "customer")] if fires else []
    )
    assert [kind for kind, _, _ in lines(buys(None), customer(text)) if kind == "price"] == []


def test_what_is_cheaper_and_was_told_was_passed_over_knowingly() -> None:
    told = agent("There is a red one for $40, and a blue one for $50.")
    assert lines(buys("red"), customer("The cheapest."), told, customer("Take that.")) == []
