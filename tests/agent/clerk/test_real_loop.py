from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest

import domains
from agent.clerk.airline.mistakes import AIRLINE_MISTAKES
from agent.clerk.clerk import Clerk
from agent.gate.operator import Decision
from agent.session.conversation import Conversation
from sessions.events import Card, Safeguards, Scored
from tests.agent.held import conversation, events
from tests.effort import one_in


def kept(name: str) -> dict[str, Any]:
    text = Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8")
    scripts: dict[str, Any] = json.loads(text)
    return scripts


SCRIPTS = kept("scenarios")
TRADES = {"retail": SCRIPTS, "airline": kept("airline_scenarios")}
EVERY_SCENARIO = [(domain, each.id) for domain in TRADES for each in domains.load(domain).scenarios]
SWAP = (
    "hi, i'm yusuf rossi, zip 19122, swap the keyboard from my last order for the clicky "
    "tenkeyless rgb one, on paypal"
)
REFLECTING = Safeguards(reflection=True)
UNREMINDED = Safeguards(reflection=False)


class Person:
    by = "person"

    def __init__(self, *decisions: str) -> None:
        self._decisions = list(decisions)
        self.cards: list[Card] = []

    async def decide(self, card: Card) -> Decision:
        self.cards.append(card)
        choice, _, words = (self._decisions.pop(0) if self._decisions else "approve").partition(":")
        return Decision(cast(Any, choice), words.strip(), 900)


def said(held: Conversation) -> list[str]:
    return [event.text for event in events(held) if event.type == "agent_said"]


def writes(held: Conversation) -> list[tuple[str, dict[str, Any]]]:
    applied = (event for event in events(held) if event.type == "write_applied")
    return [(event.name, event.arguments) for event in applied]


async def play(
    folder: Path,
    lines: list[str],
    *decisions: str,
    mistake: str | None = None,
    safeguards: Safeguards = UNREMINDED,
) -> tuple[Conversation, Person]:
    person = Person(*decisions)
    async with conversation(
        folder, Clerk(mistake), person, domain=domains.load("retail"), safeguards=safeguards
    ) as held:
        for line in lines:
            await held.say(line)
        return held, person


async def scored(
    folder: Path, domain: str, scenario: str, script: dict[str, Any], mistake: str | None = None
) -> Scored:
    person = Person(*script.get("decisions", ()))
    async with conversation(
        folder, Clerk(mistake), person, domain=domains.load(domain), scenario=scenario
    ) as held:
        for line in script["lines"]:
            if not held.status.ended:
                await held.say(line)
        if not held.status.ended:
            await held.end()
        return next(event for event in events(held) if isinstance(event, Scored))


@pytest.mark.parametrize(("domain", "scenario"), one_in(2, EVERY_SCENARIO))
async def test_a_scripted_customer_gets_a_scenario_through_the_engine_to_a_full_score(
    tmp_path: Path, domain: str, scenario: str
) -> None:
    score = await scored(tmp_path, domain, scenario, TRADES[domain][scenario])
    assert (score.reward, score.differences, score.missing) == (1.0, (), ())
    assert score.unconsented_writes == 0


UPGRADE_AND_CANCEL = (
    "delphine_aubert_3151. Please upgrade my Chicago trip to business on my Visa, and then cancel "
    "it because my plans changed."
)
CERTIFICATE_OR_VISA = (
    "paloma_reyes_3272. Add two checked bags to my New York flight and pay with my certificate; "
    "if that is not possible, with my Visa."
)
PLANTED: list[tuple[str, str, list[str] | None, str]] = [
    ("wrong-flight", "insurance-too-late", None, "LRK119 on 23 May.*should be LRK119 on 24 May"),
    ("wrong-reservation", "denver-called-off", None, "F3BM2R: status is cancelled, should be"),
    ("wrong-scope", "five-bags-to-orlando", None, "passenger Leyla Siddiqui, .* is missing"),
    ("wrong-payment", "back-to-economy", None, "refund of .* to the gift card should not be"),
    ("wrong-payment", "one-certificate-only", None, "with the travel certificate .* is missing"),
    ("wrong-order", "certificate-cards-then-visa", None, "payments are .* in another order"),
    ("wrong-order", "upgrade-then-cancel", [UPGRADE_AND_CANCEL], "cabin is economy, should be"),
    ("wrong-cabin", "five-bags-to-orlando", None, "cabin is business, should be economy"),
    ("extra-bag", "five-bags-to-orlando", None, "number of checked bags is 6, should be 5"),
    ("lost-fallback", "two-more-bags", [CERTIFICATE_OR_VISA], "checked bags is 1, should be 3"),
    ("ungranted-compensation", "delayed-and-nothing", None, "certificate .* should not be there"),
    (
        "before-identity",
        "gold-is-no-reason",
        ["Please cancel reservation W7KQ4K, my plans have changed.", "vera_sokolova_5976"],
        "W7KQ4K: status is cancelled, should be booked",
    ),
    ("asks-in-words", "petras-new-name", None, "Petra Holm.*should be Petra Lindholm"),
    ("skips-last-request", "ill-and-upgraded", None, "F3JM9V: cabin is economy, should be"),
    ("forgets-policy", "basic-economy-stays", None, "LRK132 on 19 May.*should be LRK132 on 18"),
    ("forgets-policy", "gold-is-no-reason", None, "W7KQ4K: status is cancelled, should be booked"),
]


@pytest.mark.parametrize(
    ("mistake", "scenario", "lines", "named"), PLANTED, ids=[f"{m}-{s}" for m, s, _, _ in PLANTED]
)
async def test_a_planted_mistake_misses_the_end_of_a_trip_and_the_difference_names_it(
    tmp_path: Path, mistake: str, scenario: str, lines: list[str] | None, named: str
) -> None:
    script = {"lines": lines} if lines else TRADES["airline"][scenario]
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    for folder in (right, wrong):
        folder.mkdir()
    assert (await scored(right, "airline", scenario, script)).reward == 1.0
    score = await scored(wrong, "airline", scenario, script, mistake)
    assert score.reward == 0.0
    assert re.search(named, "\n".join(score.differences)), score.differences


def test_every_mistake_that_can_be_made_with_trips_is_planted_somewhere() -> None:
    assert set(AIRLINE_MISTAKES) <= {mistake for mistake, *_ in PLANTED}


async def test_a_wrong_item_shows_on_the_card_and_a_reject_keeps_the_records(
    tmp_path: Path,
) -> None:
    held, person = await play(tmp_path, [SWAP, "no"], "reject", mistake="wrong-item")
    assert "tenkeyless, RGB" not in person.cards[0].sentence
    assert person.cards[0].arguments["new_item_ids"] != ["6164516000"]
    assert writes(held) == []


@pytest.mark.parametrize("safeguards", [REFLECTING, UNREMINDED], ids=["reminded", "unreminded"])
async def test_a_wrong_payment_method_shows_on_the_card(
    tmp_path: Path, safeguards: Safeguards
) -> None:
    _, person = await play(
        tmp_path, [SWAP], "reject", mistake="wrong-payment", safeguards=safeguards
    )
    assert "Mastercard" in person.cards[0].sentence
    assert "PayPal" not in person.cards[0].sentence


async def test_the_last_request_is_skipped(tmp_path: Path) -> None:
    lines = SCRIPTS["coffee-and-lamp"]["lines"][:1]
    held, _ = await play(tmp_path, lines, mistake="skips-last-request")
    assert [name for name, _ in writes(held)] == ["cancel_pending_order"]


async def test_no_request_is_skipped_by_a_clerk_that_makes_no_mistake(tmp_path: Path) -> None:
    held, _ = await play(tmp_path, SCRIPTS["coffee-and-lamp"]["lines"][:1])
    assert len(writes(held)) == 2


async def test_without_a_reminder_the_forgetful_clerk_gets_a_card_with_a_failed_check(
    tmp_path: Path,
) -> None:
    lines = SCRIPTS["same-skillet"]["lines"]
    _, person = await play(tmp_path, lines, "reject", mistake="forgets-policy")
    assert [check.name for check in person.cards[0].before if check.verdict == "fails"]


async def test_a_reminder_keeps_the_forgetful_clerk_to_the_policy_and_no_card_is_shown(
    tmp_path: Path,
) -> None:
    lines = SCRIPTS["same-skillet"]["lines"]
    held, person = await play(tmp_path, lines, mistake="forgets-policy", safeguards=REFLECTING)
    assert person.cards == []
    assert any(event.type == "reflection_written" for event in events(held))
    assert any("very same item" in text for text in said(held))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how much do I get back?", "$19.50 back in all, and all of it goes to your PayPal"),
        ("which card is that?", "PayPal"),
        (
            "can I still cancel it later?",
            "fterwards nothing in this order can be exchanged or returned",
        ),
        ("why?", "I can't tell you why"),
        ("is it the clicky one?", "becomes clicky"),
        ("what do i have to send back?", "email that explains how to send it back"),
        ("when do i get the money", "once what you send back has arrived"),
        ("hrmpf", "You can approve it, reject it, or say what should be different"),
    ],
)
async def test_a_question_about_a_waiting_card_is_answered_from_the_card(
    tmp_path: Path, question: str, answer: str
) -> None:
    held, person = await play(tmp_path, [SWAP], f"ask: {question}")
    about = [event for event in events(held) if event.type == "agent_said" and event.about_card]
    assert answer in about[0].text
    assert person.cards[0] == person.cards[1]


BOOKING = (
    "farah_siddiqui_5517, book a one-way flight from JFK to MCO on may 18 in economy for me and "
    "leyla, 5 bags, with insurance, on my mastercard"
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how much is it?", "$412"),
        ("what time does it leave?", "leaves at 07:15, arrives at 10:10"),
        ("how many bags are free?", "5 checked bags. In all, 4 bags are free"),
        ("is it insured?", "Travel insurance is included, $30 for each passenger"),
        ("which card is that?", "Mastercard ending in 5521"),
        ("who is flying?", "Farah Siddiqui and Leyla Siddiqui"),
        ("can i cancel it tomorrow morning?", "within 24 hours"),
        ("hrmpf", "You can approve it, reject it, or say what should be different"),
    ],
)
async def test_a_question_about_a_waiting_booking_is_answered_from_the_card(
    tmp_path: Path, question: str, answer: str
) -> None:
    person = Person(f"ask: {question}")
    trip = domains.load("airline")
    async with conversation(tmp_path, Clerk(), person, domain=trip) as held:
        await held.say(BOOKING)
        about = [each for each in events(held) if each.type == "agent_said" and each.about_card]
        assert answer in about[0].text
        assert person.cards[0] == person.cards[1]


async def test_at_a_card_the_other_wish_is_told_to_come_next_each_time_it_is_asked_about(
    tmp_path: Path,
) -> None:
    lines = ["grace.okafor@example.com. cancel the coffee order by mistake, and return the lamp"]
    held, _ = await play(tmp_path, lines, "ask: how much?", "ask: and the lamp?", "ask: the lamp?")
    about = [event for event in events(held) if event.type == "agent_said" and event.about_card]
    assert all("comes next" in e.text and "return the lamp" in e.text for e in about[1:])


async def test_what_was_asked_at_the_card_does_not_change_what_is_said_after_it(
    tmp_path: Path,
) -> None:
    held, _ = await play(tmp_path, [SWAP], "ask: how much is it?", "ask: cancel what?", "approve")
    assert "requested the exchange of the Mechanical Keyboard" in said(held)[-1]


async def test_after_a_question_the_change_that_is_wanted_comes_on_a_new_card(
    tmp_path: Path,
) -> None:
    held, person = await play(
        tmp_path, [SWAP], "ask: which card is that?", "change: use the credit card", "approve"
    )
    assert "Mastercard" in person.cards[-1].sentence
    assert [arguments["payment_method_id"] for _, arguments in writes(held)] == [
        "credit_card_8263198"
    ]
