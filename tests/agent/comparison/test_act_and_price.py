from __future__ import annotations

from dataclasses import replace

import pytest

from domains.core.facts import Cheaper, Facts, Money, Requirements, Selection
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
        "Cancel this one, dont cancel the other one.",
        "no just cancel it",
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


RETURNS = replace(
    NO_FACTS,
    verbs=frozenset({"return", "send back", "take back", "refund"}),
    acts=frozenset({"return", "send back", "take back"}),
    about=ways(W1="w1|toaster|rug"),
    choices=(choice("payment method", "visa", {**ways(visa="visa"), "gift card": frozenset()}),),
    selections=(Selection("returns", frozenset({"rug"}), ways(rug="rug", toaster="toaster"), {}),),
    money=Money(-80.0, "refunds $80.00"),
)


@pytest.mark.parametrize(
    "text",
    [
        "The toaster is a joy, don't send that back. The rug is what I return.",
        "Please return the rug from w1, but do not refund it to a gift card.",
        "Return the rug, and never send me a gift card back.",
    ],
)
def test_an_act_that_is_denied_of_something_else_forbids_nothing(text: str) -> None:
    assert lines(RETURNS, customer(text), agent("Shall I return it?"), customer("Yes.")) == []


def test_an_act_that_is_denied_of_the_very_thing_forbids_it() -> None:
    said = "Don't take back the rug."
    assert ("not wanted", said, "customer") in lines(RETURNS, customer(said))


def test_an_offer_that_tells_the_amount_and_no_other_act_was_asked_for_by_a_yes() -> None:
    want = customer("The rug has a stain, I only want to keep the toaster.")
    offer = agent("The rug makes $80.00 to your Visa. All right?")
    assert lines(RETURNS, want, offer, customer("Yes, please.")) == []
    assert lines(RETURNS, want, offer, customer("What else is there?")) != []
    other = agent("I could cancel it, and $80.00 come back. All right?")
    assert lines(RETURNS, want, other, customer("Yes, please.")) != []
    paid = agent("You were charged $80.00 by mistake. Shall I try again?")
    assert lines(RETURNS, want, paid, customer("Yes, please.")) != []


def test_a_no_that_corrects_what_was_told_declines_nothing() -> None:
    said = (customer("Cancel w1."), agent("As no longer needed?"), customer("No, by mistake."))
    assert lines(CANCELS, *said) == []


SIZES = replace(
    NO_FACTS,
    verbs=frozenset({"change"}),
    about=ways(W1="w1|jacket"),
    choices=(choice("size", "L", ways(L="l|large", M="m|medium"), before=frozenset({"M"})),),
)


@pytest.mark.parametrize(
    "text", ["no wait, large.", "no wait large", "no, large", "wait, make that large"]
)
def test_a_no_that_names_what_this_changes_asks_for_it(text: str) -> None:
    said = (customer("Change the jacket."), agent("What else?"), customer(text))
    assert lines(SIZES, *said) == []


@pytest.mark.parametrize(
    "text", ["no wait", "no wait not large", "nope, not large", "wait, is large bigger?"]
)
def test_a_no_that_asks_for_nothing_of_this_declines_it(text: str) -> None:
    said = (customer("Change the jacket to large."), agent("What else?"), customer(text))
    assert ("not wanted", text, "customer") in lines(SIZES, *said)


PAYMENT = choice("payment", "visa", ways(visa="visa", gift="gift card"))
BOOKS = replace(NO_FACTS, verbs=frozenset({"book"}), acts=frozenset({"book"}), choices=(PAYMENT,))


@pytest.mark.parametrize(
    ("asked", "text", "kinds"),
    [
        ("Would you like travel insurance?", "no. visa", []),
        ("Would you like travel insurance?", "No thanks. On my Visa please.", []),
        ("Would you like travel insurance?", "no.", ["not wanted"]),
        ("Shall I book it to your Visa?", "no. visa", ["not wanted"]),
        ("Would you like travel insurance?", "Then don't. Visa was a mistake.", ["not wanted"]),
    ],
)
def test_a_no_to_an_extra_forbids_nothing_where_the_rest_goes_on(
    asked: str, text: str, kinds: list[str]
) -> None:
    said = (customer("Book me a flight."), agent(f"It is $317. {asked}"), customer(text))
    assert [kind for kind, _, _ in lines(BOOKS, *said)] == kinds


def test_who_waits_to_take_one_thing_alone_wants_that() -> None:
    things = Selection(
        "returns",
        frozenset({"mug"}),
        ways(mug="mug", lamp="lamp"),
        {},
        is_final=True,
        takes_away=True,
    )
    facts = replace(NO_FACTS, verbs=frozenset({"return"}), selections=(things,))
    told = (customer("return the mug and the lamp"), agent("The mug and the lamp. Is that right?"))
    assert lines(facts, *told, customer("oh wait the lamp stays too, only the mug")) == []
    assert lines(facts, *told, customer("oh wait, let me think")) != []


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


@pytest.mark.parametrize(
    "who", ["grace.okafor@example.com", "it's grace okafor, zip 77004", "farah_siddiqui_5517"]
)
def test_who_only_tells_who_they_are_asks_for_nothing(who: str) -> None:
    asked = agent("What is your email address?")
    wish = customer("Something is odd with the lamp.")
    told = [("not asked for", "Something is odd with the lamp.", "customer")]
    assert lines(CANCELS, wish, asked, customer(who)) == told
    assert lines(CANCELS, customer("I don't need the lamp."), asked, customer(who)) == []


def test_what_is_not_wanted_is_no_cancellation_of_something_else() -> None:
    said = (customer("I don't need the mug."), agent("Who is it?"), customer("a@example.com"))
    assert lines(CANCELS, *said) != []


def test_who_wants_the_money_back_wants_to_return_it() -> None:
    mine = customer("I want my money back for it instead.")
    assert lines(RETURNS, customer("The rug has a stain."), agent("I see."), mine) == []
    swaps = replace(NO_FACTS, verbs=frozenset({"swap"}), acts=frozenset({"swap"}))
    assert lines(swaps, customer("The rug has a stain."), agent("I see."), mine) != []


def test_a_cancellation_that_was_offered_was_spoken_of() -> None:
    said = (customer("I don't want it."), agent("Shall I go on with the cancellation?"))
    assert lines(CANCELS, *said, customer("Yes.")) == []


def buys(cheaper: str | None, price: str = "$40") -> Facts:
    """A change beside which there is something cheaper that has what is asked for, or not."""
    colors = choice("color", "blue", ways(blue="blue", red="red"))

    def look(wanted: Requirements) -> Cheaper | None:
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


def test_a_slip_of_the_finger_in_the_verb_asks_for_it_all_the_same() -> None:
    assert lines(CANCELS, customer("pls cancle w1")) == []
    assert lines(CANCELS, customer("pls conceal w1")) != []
