from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import domains
from agent.clerk.airline.mistakes import AIRLINE_MISTAKES
from agent.clerk.clerk import Clerk
from agent.clerk.mistakes import AGAINST_POLICY, MISTAKES
from agent.clerk.retail.mistakes import RETAIL_MISTAKES
from agent.headless.playing import play
from agent.session.conversation import Conversation
from agent.simulated.card_words import card_words
from agent.simulated.customer import AtTheGate
from agent.simulated.scripted import ScriptedCustomer
from agent.simulated.scripts import script_for
from sessions.events import (
    AgentSaid,
    Card,
    CardShown,
    DecisionMade,
    ReflectionWritten,
    Safeguards,
    Scored,
    ToolReturned,
    WriteApplied,
)
from sessions.statistics.consenting import requests_for_a_yes
from tests.agent.held import conversation, events
from tests.effort import one_in


@dataclass(frozen=True)
class Slip:
    mistake: str
    domain: str
    scenario: str
    shows: str
    """What is wrong, in the words of the card that is sent back."""

    lines: tuple[str, ...] = ()
    """What the customer says, where the scenario's own words give the mistake no occasion."""

    def __str__(self) -> str:
        return f"{self.mistake}-{self.domain}-{self.scenario}"


PAYPAL_AND_PACK = (
    "I'm Kwame Asante, 43206. I'd like to pay for my pending order with PayPal instead of the "
    "Mastercard, and to exchange the daypack in it for the 24 liter one, also black and with a "
    "laptop sleeve. The difference goes on PayPal too."
)
CLICKY_OR_TENKEYLESS = (
    "hi, i'm yusuf rossi, zip 19122, i want to swap the keyboard from my last order for a full "
    "size clicky one with rgb, and if that is sold out, for the tenkeyless clicky one with rgb, "
    "on my mastercard"
)
UPGRADE_AND_CANCEL = (
    "delphine_aubert_3151. Please upgrade my Chicago trip to business on my Visa, and then cancel "
    "it because my plans changed."
)
ONE_CERTIFICATE = (
    "Hi, I'm bartek_zielinski_7152. Please book a one-way flight from Atlanta to New York on "
    "May 19 in business, just for me. No bags, no insurance. Pay with both certificates and the "
    "rest on my Mastercard; if only one certificate can be used, use the 200 dollar one and the "
    "rest on my Mastercard."
)
FIVE_BAGS = (
    "Hi! I'm farah_siddiqui_5517 and want to book a one-way flight from New York to Orlando on "
    "May 18 in economy, for me and my daughter Leyla.",
    "five bags in all, and yes, with insurance please",
    "all on my Mastercard, I keep the certificate for later",
)
DENVER = (
    "Hello, I'm linnea_sandberg_2190. You cancelled our flight to Denver today, so please cancel "
    "the reservation and refund it.",
    "I would also like compensation for the cancelled flight.",
)
SLIPS = [
    Slip("wrong-item", "retail", "clicky-keyboard", "for clicky, full size, no backlight"),
    Slip("wrong-scope", "retail", "headphones-to-gift-card", "Headphones .* and the Power Bank"),
    Slip("wrong-scope", "retail", "coffee-and-lamp", "Reading Lamp .* and the Bedding Set"),
    Slip("same-item", "retail", "clicky-keyboard", "is exchanged for itself.*: NOT true"),
    Slip("wrong-payment", "retail", "headphones-to-gift-card", "go back to PayPal"),
    Slip(
        "wrong-order",
        "retail",
        "paypal-then-pack",
        "No longer possible after this:\n- this order can no longer be changed",
        (PAYPAL_AND_PACK,),
    ),
    Slip(
        "lost-fallback",
        "retail",
        "clicky-keyboard",
        "for clicky, full size, no backlight",
        (CLICKY_OR_TENKEYLESS,),
    ),
    Slip(
        "before-identity",
        "retail",
        "cheaper-elsewhere",
        "You were identified.*: NOT true",
        ("Please cancel order #W8852132, another shop is cheaper.", "hannah.weiss@example.com"),
    ),
    Slip("forgets-policy", "retail", "same-skillet", "is exchanged for itself.*: NOT true"),
    Slip("wrong-flight", "airline", "insurance-too-late", "LRK119 on 23 May"),
    Slip("wrong-reservation", "airline", "denver-called-off", "Cancel reservation F3BM2R"),
    Slip("wrong-scope", "airline", "five-bags-to-orlando", "for Farah Siddiqui, 5 checked bags"),
    Slip("wrong-payment", "airline", "back-to-economy", "to the gift card"),
    Slip(
        "wrong-order",
        "airline",
        "certificate-cards-then-visa",
        r"\$109.00 from Visa .* and \$150.00 from the travel certificate",
    ),
    Slip(
        "wrong-order",
        "airline",
        "upgrade-then-cancel",
        "this reservation can no longer be changed",
        (UPGRADE_AND_CANCEL,),
    ),
    Slip("wrong-cabin", "airline", "five-bags-to-orlando", "18 May, business"),
    Slip("extra-bag", "airline", "two-more-bags", "4 checked bags"),
    Slip(
        "lost-fallback",
        "airline",
        "one-certificate-only",
        r"\$480.00 from Mastercard",
        (ONE_CERTIFICATE,),
    ),
    Slip("ungranted-compensation", "airline", "delayed-and-nothing", "certificate.*100"),
    Slip(
        "before-identity",
        "airline",
        "gold-is-no-reason",
        "You were identified.*: NOT true",
        ("Please cancel reservation W7KQ4K, my plans have changed.", "vera_sokolova_5976"),
    ),
    Slip(
        "forgets-policy",
        "airline",
        "gold-is-no-reason",
        "There are grounds to cancel it.*: NOT true",
    ),
    Slip("repeats-change", "airline", "five-bags-to-orlando", "Book a one-way trip"),
    Slip(
        "asks-again",
        "airline",
        "five-bags-to-orlando",
        r"Book a one-way trip .* \$\d+\.00 from Mastercard",
        (*FIVE_BAGS, "Yes, please."),
    ),
    Slip(
        "asks-again",
        "airline",
        "denver-called-off",
        r"a travel certificate worth \$300",
        (*DENVER, "Yes, please."),
    ),
]
LEFT_OUT = [("retail", "coffee-and-lamp"), ("airline", "ill-and-upgraded")]
"""Scenarios in which several things are asked for at once."""

REFUSED = [
    ("wrong-payment", "retail", "other-card"),
    ("same-item", "retail", "move-then-desk"),
    ("repeats-change", "retail", "shoes-not-needed"),
    ("wrong-scope", "airline", "certificate-cards-then-visa"),
]
"""Mistakes that the tool itself refuses, so that nobody is asked about them."""


async def played(
    folder: Path, slip: Slip, *, gate: bool = True, reflection: bool = False
) -> Conversation:
    domain = domains.load(slip.domain)
    scenario = domain.scenario(slip.scenario)
    script = script_for(scenario)
    customer = ScriptedCustomer(
        scenario, sees_cards=gate, script=replace(script, lines=slip.lines or script.lines)
    )
    operator = AtTheGate(customer)
    async with conversation(
        folder,
        Clerk(slip.mistake or None),
        operator,
        domain=domain,
        safeguards=Safeguards(gate=gate, reflection=reflection),
        scenario=slip.scenario,
    ) as held:
        operator.listen(held.log.events)
        await play(held, customer)
        return held


def reward(held: Conversation) -> float | None:
    return next(each.reward for each in events(held) if isinstance(each, Scored))


def sent_back(held: Conversation) -> list[Card]:
    cards = {each.card.id: each.card for each in events(held) if isinstance(each, CardShown)}
    decided = [each for each in events(held) if isinstance(each, DecisionMade)]
    return [cards[each.card_id] for each in decided if each.decision in ("reject", "change")]


def count(held: Conversation, kind: type[object]) -> int:
    return sum(isinstance(each, kind) for each in events(held))


@pytest.mark.parametrize("slip", SLIPS, ids=str)
async def test_a_mistake_shows_on_its_card_is_sent_back_and_put_right(
    tmp_path: Path, slip: Slip
) -> None:
    held = await played(tmp_path, slip)
    wrong = sent_back(held)
    assert len(wrong) == 1
    assert re.search(slip.shows, card_words(wrong[0])), card_words(wrong[0])
    assert reward(held) == 1.0


@pytest.mark.parametrize("slip", one_in(3, SLIPS), ids=str)
async def test_the_same_mistake_does_its_harm_where_nobody_is_asked(
    tmp_path: Path, slip: Slip
) -> None:
    held = await played(tmp_path, slip, gate=False)
    assert sent_back(held) == []
    assert count(held, WriteApplied) > 0
    assert reward(held) == 0.0


@pytest.mark.parametrize("slip", one_in(3, SLIPS), ids=str)
async def test_without_the_mistake_the_same_words_reach_the_end_and_nothing_is_sent_back(
    tmp_path: Path, slip: Slip
) -> None:
    held = await played(tmp_path, replace(slip, mistake=""))
    assert (reward(held), sent_back(held)) == (1.0, [])


@pytest.mark.parametrize(
    "slip", [each for each in SLIPS if each.mistake in {*AGAINST_POLICY, "forgets-policy"}], ids=str
)
async def test_a_reminder_of_the_policy_is_enough_where_a_mistake_is_against_it(
    tmp_path: Path, slip: Slip
) -> None:
    held = await played(tmp_path, slip, gate=False, reflection=True)
    assert count(held, ReflectionWritten) > 0
    assert reward(held) == 1.0


@pytest.mark.parametrize(("domain", "scenario"), LEFT_OUT)
async def test_what_was_left_out_is_missed_where_cards_tell_what_is_done_and_only_there(
    tmp_path: Path, domain: str, scenario: str
) -> None:
    slip = Slip("skips-last-request", domain, scenario, "")
    (tmp_path / "off").mkdir()
    asked, unasked = await played(tmp_path, slip), await played(tmp_path / "off", slip, gate=False)
    assert (reward(asked), count(asked, WriteApplied), sent_back(asked)) == (1.0, 2, [])
    assert (reward(unasked), count(unasked, WriteApplied)) == (0.0, 1)


@pytest.mark.parametrize("gate", [True, False], ids=["gate", "no gate"])
async def test_an_agent_that_asks_for_a_yes_in_words_asks_for_it_once(
    tmp_path: Path, gate: bool
) -> None:
    held = await played(tmp_path, Slip("asks-in-words", "retail", "clicky-keyboard", ""), gate=gate)
    asked = [
        each for each in events(held) if isinstance(each, AgentSaid) and "go ahead" in each.text
    ]
    assert (len(asked), sent_back(held), reward(held)) == (1, [], 1.0)
    found = requests_for_a_yes(held.log.events)
    assert found.asked_twice == gate  # nobody is asked by a card without one


async def test_who_saw_on_a_card_what_was_done_is_not_worn_into_a_second_yes(
    tmp_path: Path,
) -> None:
    slip = Slip("asks-again", "airline", "five-bags-to-orlando", "")
    (tmp_path / "off").mkdir()
    asked, unasked = await played(tmp_path, slip), await played(tmp_path / "off", slip, gate=False)
    assert (reward(asked), count(asked, WriteApplied), sent_back(asked)) == (1.0, 1, [])
    assert (reward(unasked), count(unasked, WriteApplied)) == (0.0, 2)


@pytest.mark.parametrize(("mistake", "domain", "scenario"), REFUSED)
async def test_a_mistake_that_the_tool_refuses_goes_back_to_the_agent_and_is_put_right(
    tmp_path: Path, mistake: str, domain: str, scenario: str
) -> None:
    held = await played(tmp_path, Slip(mistake, domain, scenario, ""))
    errors = [each for each in events(held) if isinstance(each, ToolReturned) and each.error]
    assert (len(errors), sent_back(held), reward(held)) == (1, [], 1.0)


def test_every_mistake_of_both_trades_is_shown() -> None:
    shown = {(each.domain, each.mistake) for each in SLIPS}
    assert {("retail", each) for each in RETAIL_MISTAKES} <= shown
    assert {("airline", each) for each in AIRLINE_MISTAKES} <= shown
    others = {"asks-in-words", "skips-last-request"}
    assert {mistake for _, mistake in shown} | others == set(MISTAKES)
