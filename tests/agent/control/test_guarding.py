from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import domains
from agent.clerk.clerk import Clerk
from agent.control.guarding import MOST_IN_A_ROW
from agent.headless.playing import play
from agent.session.conversation import Conversation
from agent.simulated.customer import AtTheGate
from agent.simulated.scripted import ScriptedCustomer
from agent.simulated.scripts import script_for
from domains.core.domain import Domain
from domains.core.evidence import must_be_customers_own, must_be_seen
from domains.core.tool import Tool, Toolset
from sessions.events import (
    AgentSaid,
    Card,
    CardShown,
    DecisionMade,
    GuardFired,
    ModelAnswered,
    Safeguards,
    Scored,
    ToolReturned,
    WriteVerified,
)
from sessions.views import status
from tests.agent.held import conversation, events, types
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator, call
from tests.effort import first
from tests.toy import TOOLS, toy_domain

ROUTED = Safeguards(reflection=False, context=False, control="routed", router="rules")
BASELINE = Safeguards(reflection=False, context=False)
MISTAKES = [
    ("wrong-reservation", "airline", "denver-called-off"),
    ("wrong-item", "retail", "clicky-keyboard"),
    ("wrong-payment", "retail", "headphones-to-gift-card"),
    ("wrong-payment", "airline", "back-to-economy"),
    ("wrong-order", "retail", "move-then-desk"),
]
"""The wrong record, the wrong item, money that goes back where it was not to go, and the change
first after which the other can no longer be made."""

LINES = {
    "denver-called-off": (
        "Hello, I'm linnea_sandberg_2190. Which reservations do I have to Denver?",
        "You cancelled our flight today, so please cancel reservation T6EH6K and refund it.",
        "I would also like compensation for the cancelled flight.",
    ),
    "move-then-desk": (
        "Hello, tobias.keller@example.com. Please change the desk I ordered to the bamboo version "
        "with a black frame, same width, on my visa, and send the whole order to the address "
        "1020 Jenifer Street, Apt 2, Madison, WI 53703",
        "no that's it",
    ),
}
"""What is said instead where the scenario's own words leave it open which of two is meant."""


async def played(
    folder: Path, mistake: str, name: str, scenario: str, safeguards: Safeguards, *, coupled: bool
) -> Conversation:
    domain = domains.load(name)
    task = domain.scenario(scenario)
    script = script_for(task)
    script = replace(script, lines=LINES.get(scenario, script.lines))
    customer = ScriptedCustomer(task, sees_cards=True, script=script)
    operator = AtTheGate(customer)
    async with conversation(
        folder, Clerk(mistake or None), operator, domain=domain, safeguards=safeguards,
        scenario=scenario,
    ) as held:  # fmt: skip
        if coupled:
            await held.escalate()
        operator.listen(held.log.events)
        await play(held, customer)
        return held


def of(held: Conversation, kind: type) -> list[Any]:
    return [each for each in events(held) if isinstance(each, kind)]


def blocked(held: Conversation) -> list[WriteVerified]:
    return [each for each in of(held, WriteVerified) if each.outcome != "kept"]


def reward(held: Conversation) -> float | None:
    return next(each.reward for each in events(held) if isinstance(each, Scored))


def declined(held: Conversation) -> int:
    return sum(each.decision in ("reject", "change") for each in of(held, DecisionMade))


@pytest.mark.parametrize(("mistake", "name", "scenario"), MISTAKES)
async def test_a_planted_mistake_is_stopped_before_its_card_and_reaches_it_without_guard(
    tmp_path: Path, mistake: str, name: str, scenario: str
) -> None:
    guarded = await played(tmp_path / "a", mistake, name, scenario, ROUTED, coupled=True)
    assert len(of(guarded, GuardFired)) + len(blocked(guarded)) == 1
    assert (declined(guarded), reward(guarded)) == (0, 1.0)
    plain = await played(tmp_path / "b", mistake, name, scenario, BASELINE, coupled=False)
    assert of(plain, GuardFired) + of(plain, WriteVerified) == []
    assert (declined(plain), reward(plain)) == (1, 1.0)


@pytest.mark.parametrize(("name", "scenario"), sorted({each[1:] for each in MISTAKES}))
async def test_without_the_mistake_nothing_goes_back(
    tmp_path: Path, name: str, scenario: str
) -> None:
    held = await played(tmp_path, "", name, scenario, ROUTED, coupled=True)
    assert (of(held, GuardFired), blocked(held), reward(held)) == ([], [], 1.0)


@pytest.mark.parametrize("name", first(1, ["retail", "airline"]))
async def test_no_demo_scenario_that_is_played_right_has_a_change_sent_back(
    tmp_path: Path, name: str
) -> None:
    for place, scenario in enumerate(domains.load(name).scenarios):
        held = await played(tmp_path / str(place), "", name, scenario.id, ROUTED, coupled=True)
        assert (scenario.id, of(held, GuardFired), blocked(held)) == (scenario.id, [], [])


async def test_as_long_as_a_session_is_routine_nothing_goes_back(tmp_path: Path) -> None:
    held = await played(tmp_path, *MISTAKES[2], ROUTED, coupled=False)
    assert (of(held, GuardFired), declined(held)) == ([], 1)


def guarded_toy() -> Domain:
    """The toy with guards of its own beside `take`: as a domain of somebody else's has them."""
    take = TOOLS.get("take")
    assert take is not None
    assert take.notes is not None
    guards = (
        must_be_seen("seen", "jar"),
        must_be_customers_own(lambda _, given: OWNERS.get(given["jar"])),
    )
    notes = replace(take.notes, guards=guards)
    others = [each for each in TOOLS if each.name != "take"]
    tools = Toolset("JarTools", (*others, Tool(take.function, take.kind, notes)))
    return replace(toy_domain(), tools=tools)


OWNERS = {"red": "ann"}
RED, BLUE = call("take", jar="red", coins=2), call("take", jar="blue", coins=2)
LOOK = call("look", jar="red")
WHO_ELSE = call("find_user_id_by_email", email="bob@example.com")


async def guarded(
    folder: Path, words: str, *answers: Answer, then: str = ""
) -> tuple[Conversation, ScriptedModel]:
    model, operator = ScriptedModel(*answers, sure=True), ScriptedOperator("approve")
    async with conversation(
        folder, model, operator, domain=guarded_toy(), safeguards=ROUTED
    ) as held:
        await held.escalate()
        await held.say(words)
        if then:
            await held.go_on()  # there is nothing to go on with
            await held.say(then)
        return held, model


async def test_an_id_out_of_nowhere_goes_back_until_it_was_looked_up(tmp_path: Path) -> None:
    held, model = await guarded(tmp_path, "take two coins", RED, LOOK, RED, "Done.")
    (fired,) = of(held, GuardFired)
    assert "jar red does not appear in anything" in fired.why
    told = next(each for each in of(held, ToolReturned) if each.call_id == fired.call_id)
    assert (told.error, told.ran) == (True, False)
    assert fired.why in told.text
    assert fired.why in str(model.requests[1].messages)
    assert len(of(held, CardShown)) == 1


async def test_what_the_customer_named_passes(tmp_path: Path) -> None:
    held, _ = await guarded(tmp_path, "two coins from the red jar", RED, "Done.")
    assert (of(held, GuardFired), len(of(held, CardShown))) == ([], 1)


async def test_somebody_elses_record_goes_back_with_the_records_value(tmp_path: Path) -> None:
    held, _ = await guarded(tmp_path, "two coins from the red jar", WHO_ELSE, RED, "I cannot.")
    (fired,) = of(held, GuardFired)
    assert "ann" in fired.why
    assert "bob" in fired.why


async def test_three_in_a_row_go_to_the_person_and_end_the_turn(tmp_path: Path) -> None:
    answers: list[Answer] = [*[RED] * MOST_IN_A_ROW, "As you wish."]
    held, model = await guarded(tmp_path, "two coins", *answers, then="then leave it")
    fired = of(held, GuardFired)
    assert [each.ends_turn for each in fired] == [False] * (MOST_IN_A_ROW - 1) + [True]
    told = of(held, AgentSaid)[1]
    assert fired[-1].why in told.text
    place = events(held).index(told)
    assert types(held)[place + 1] == "customer_said"
    assert not status(held.log.events[: place + 1]).mid_turn
    assert len(of(held, ModelAnswered)) == len(model.requests) == MOST_IN_A_ROW + 1
    assert told.text in str(model.requests[-1].messages)


async def test_a_card_between_them_begins_the_count_anew(tmp_path: Path) -> None:
    blue = "two from the blue one"
    held, _ = await guarded(tmp_path, blue, RED, RED, BLUE, RED, "Well.")
    assert [each.ends_turn for each in of(held, GuardFired)] == [False] * 3


async def test_a_card_that_was_up_already_is_not_taken_from_under_the_persons_eyes(
    tmp_path: Path,
) -> None:
    async def leave(card: Card) -> None:
        operator.meanwhile = None
        raise asyncio.CancelledError

    operator = ScriptedOperator("approve", meanwhile=leave)
    plain = Safeguards(reflection=False, context=False)
    model = ScriptedModel(RED, "Done.")
    async with conversation(
        tmp_path, model, operator, domain=guarded_toy(), safeguards=plain
    ) as held:
        with contextlib.suppress(asyncio.CancelledError):
            await held.say("two coins")
        await held.escalate()
        await held.go_on()
        assert len(operator.cards) == 2
        assert (of(held, GuardFired), "write_applied" in types(held)) == ([], True)


async def test_a_strange_call_speaks_for_nothing(tmp_path: Path) -> None:
    odd = call("take", jar=["red"], coins=2)
    held, _ = await guarded(tmp_path, "two coins", odd, "Hm.")
    assert of(held, GuardFired) == []
    assert of(held, ToolReturned)[-1].error
