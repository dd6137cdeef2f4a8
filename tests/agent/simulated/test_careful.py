from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import domains
from agent.gate.card import make_card
from agent.headless.plan import Arm, Plan, choose_scenarios
from agent.headless.run import Run
from agent.headless.summary import read_ended_sessions
from agent.simulated.answering import YES
from agent.simulated.careful import ANSWERS, CarefulCustomer
from agent.simulated.customer import Heard, Said
from agent.simulated.fitting import fits
from agent.simulated.scripts import CLOSING, REFUSAL
from domains.core.domain import Domain, Role, Scenario
from domains.core.ends import effective_writes
from sessions.events import Card, Disagreement, Safeguards
from sessions.store.store import Store
from tests.agent.simulated.cards import card, put

ROLE = Role("You are Ann.", wants=("Cancel your order with the lamp.",))
LAMP = "Cancel order #W1 with the Desk Lamp (brass, $20.00); $20.00 back to PayPal."


def customer(role: Role = ROLE) -> CarefulCustomer:
    return CarefulCustomer(Scenario("toy", "Toy", role, ends=()))


def saying(sentence: str, tool: str = "cancel") -> Card:
    return card(tool).model_copy(update={"sentence": sentence})


@pytest.mark.parametrize(
    ("sentence", "choice"),
    [
        (LAMP, "approve"),
        ("Cancel order #W1 with the Garden Hose; $20.00 back to PayPal.", "reject"),
        ("Return the Desk Lamp from order #W1; $20.00 back to PayPal.", "reject"),
        ("Ship order #W1 (Desk Lamp) to another place.", "reject"),
    ],
)
async def test_the_words_of_a_card_are_held_against_the_role(sentence: str, choice: str) -> None:
    assert (await customer().decide(saying(sentence), [])).choice == choice


@pytest.mark.parametrize(
    ("words", "fit"),
    [
        ("Cancel order #W2 with the lamp.", True),
        ("Cancel order #W9 with the lamp.", False),
        ("Return the Mug from order #W2.", False),
        ("Return the Kettle from order #W7.", True),
    ],
)
def test_ids_and_things_are_those_that_the_role_names(words: str, fit: bool) -> None:
    role = Role("You are Ann.", wants=("Cancel order #W2.", "Send back the kettle."))
    assert fits(role, words) == fit


async def test_what_was_made_is_not_made_again() -> None:
    first, again = saying(LAMP), saying(LAMP)
    assert (await customer().decide(again, [put(first)])).choice == "reject"
    assert (await customer().decide(again, [put(first, "reject")])).choice == "approve"


async def test_a_card_that_speaks_against_itself_is_sent_back_with_the_wish() -> None:
    spoken = Disagreement(kind="amount", does="pays $90.00", said="pay $20", by="customer")
    against = saying(LAMP).model_copy(update={"disagreements": (spoken,)})
    decision = await customer().decide(against, [])
    assert decision.choice == "change"
    assert "lamp" in decision.words


async def test_in_words_too_it_says_yes_only_to_what_fits() -> None:
    opening: list[Heard] = [Said("customer", (await customer().speak([])) or "")]
    asks = "I will cancel the order with the lamp. Do you confirm (yes/no)?"
    other = "I will return the garden hose. Do you confirm (yes/no)?"
    assert await customer().speak([*opening, Said("agent", asks)]) == YES
    assert await customer().speak([*opening, Said("agent", other)]) == REFUSAL
    assert await customer().speak([*opening, Said("agent", "It is done.")]) == CLOSING


async def test_it_leaves_an_agent_that_never_stops_asking() -> None:
    so_far: list[Heard] = []
    said: list[str] = []
    while (words := await customer().speak(so_far)) is not None:
        said.append(words)
        so_far += [Said("customer", words), Said("agent", "I cancel the lamp. Do you confirm?")]
        assert len(said) < ANSWERS + 4
    assert said[-1] == CLOSING


def cards(domain: Domain, scenario: Scenario) -> list[Card]:
    """The card of every change that a scenario's own end holds."""
    records = domain.records()
    changes = [(domain.tools.get(each.name), records.preview(each))
               for each in effective_writes(domain, scenario.ends[0])]  # fmt: skip
    return [
        make_card(tool, preview, records, call_id="c")
        for tool, preview in changes
        if tool is not None and not preview.result.error
    ]


@pytest.mark.parametrize("name", ["retail", "airline"])
def test_most_right_cards_fit_their_role_and_most_of_other_roles_do_not(name: str) -> None:
    domain = domains.load(name)
    all_cards = [(each, shown) for each in domain.scenarios for shown in cards(domain, each)]
    right = [fits(each.role, shown.sentence) for each, shown in all_cards]
    wrong = [
        fits(each.role, shown.sentence)
        for each in domain.scenarios
        for other, shown in all_cards
        if other is not each and not {call.name for end in each.ends for call in end} & {shown.tool}
    ]
    assert sum(right) / len(right) >= 0.8
    assert sum(wrong) / len(wrong) <= 0.5


async def test_the_expected_ends_have_no_part_in_what_it_does(tmp_path: Path) -> None:
    domain = domains.load("retail")
    one = choose_scenarios(domain, "shoes-not-needed")[0]
    told = []
    for number, scenario in enumerate((one, replace(one, ends=((),)))):
        plan = Plan(domain, (scenario,), "clerk", "careful", (Arm(Safeguards()),))
        with Store.open(tmp_path / f"{number}.sqlite") as store:
            await Run(store, plan).play()
            (found,) = read_ended_sessions(store, plan)
        told.append((found.facts.cards, found.facts.writes, found.facts.turns))
    assert told[0] == told[1]
    assert told[0][1] == 1
