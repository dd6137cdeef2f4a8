from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import domains
from agent.attention.altering import Altered, alter_card
from agent.gate.operator import AutoApprover
from agent.gate.proposal import Proposal, card_of
from agent.headless.playing import play
from agent.models.choosing import make_model
from agent.session.conversation import Conversation
from agent.simulated.customer import AtTheGate
from agent.simulated.scripted import ScriptedCustomer
from domains.core.consent import Consent, call_digest
from domains.core.domain import Domain, Scenario
from domains.core.tool import ToolCall
from sessions.events import (
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    CustomerSaid,
    Safeguards,
)
from sessions.store.store import Store
from tests.agent.scripted import ScriptedModel
from tests.shared_data import TAU2

CHECKED = Safeguards(attention_checks=1)

SURELY = {
    "retail": {
        "exchange_delivered_order_items",
        "modify_pending_order_items",
        "modify_pending_order_address",
        "modify_user_address",
    },
    "airline": {
        "book_reservation",
        "update_reservation_flights",
        "update_reservation_passengers",
    },
}
"""Changes of the demo before which a wrong card is always found."""


@pytest.mark.parametrize("name", ["retail", "airline"])
@pytest.mark.heavy
async def test_a_customer_who_reads_catches_every_check_and_gets_what_they_came_for(
    name: str, tmp_path: Path
) -> None:
    domain = domains.load(name)
    put, found = Counter[str](), Counter[str]()
    betrayed = 0
    with Store.open(tmp_path / "sessions.sqlite") as store:
        for scenario in domain.scenarios:
            held = await _played(store, domain, scenario)
            assert held.status.scored is not None
            assert held.status.scored.reward == 1, scenario.id
            for event in (logged.event for logged in held.log.events):
                match event:
                    case AttentionCheckDecided():
                        assert event.is_caught, scenario.id
                        assert event.by == "simulated"
                    case AttentionCheckShown():
                        found[event.card.tool] += 1
                    case CardShown(replaces=None):
                        put[event.card.tool] += 1
                    case _:
                        pass
            betrayed += sum(_is_betrayed(check, card) for check, card in _pairs(held))
    # what customers say in scenarios leaves few swaps that it does not speak against
    assert betrayed <= found.total() * 2 / 3, "too many checks are told by a line in their face"
    assert {tool for tool in put if found[tool] == put[tool]} >= SURELY[name]
    assert found.total() >= 0.6 * put.total()


def _pairs(held: Conversation) -> Iterator[tuple[Card, Card]]:
    """Each check with the true card that came after it."""
    check: Card | None = None
    for event in (logged.event for logged in held.log.events):
        if isinstance(event, AttentionCheckShown):
            check = event.card
        elif isinstance(event, CardShown) and check is not None:
            yield check, event.card
            check = None


def _is_betrayed(check: Card, card: Card) -> bool:
    """Whether the console itself says more against a check than against the true card."""
    return len(check.disagreements) > len(card.disagreements)


async def _played(store: Store, domain: Domain, scenario: Scenario) -> Conversation:
    customer = ScriptedCustomer(scenario)
    gate = AtTheGate(customer)
    held = await Conversation.start(
        store, domain, make_model("clerk"), gate, scenario=scenario, safeguards=CHECKED
    )
    gate.listen(held.log.events)
    await play(held, customer)
    return held


@pytest.mark.parametrize(("name", "share"), [("retail", 0.8), ("airline", 0.7)])
@pytest.mark.skipif(not TAU2.is_dir(), reason="τ²-bench's records are not here")
@pytest.mark.heavy
async def test_most_changes_of_the_published_tasks_have_a_wrong_card_that_could_be_true(
    name: str, share: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    domain = domains.load(name, TAU2)
    put, found = Counter[str](), Counter[str]()
    with Store.open(tmp_path / "sessions.sqlite") as store:
        for scenario in domain.scenarios:
            held = await Conversation.start(store, domain, ScriptedModel(), AutoApprover())
            held.scenario = scenario
            for number, call in enumerate(scenario.ends[0]):
                made = _before(held, call, Random(f"{scenario.id} {number}"))
                if made is not None:
                    put[call.name] += 1
                    found[call.name] += made[0] is not None
    with capsys.disabled():
        told = ", ".join(f"{tool} {found[tool]}/{put[tool]}" for tool in sorted(put))
        print(f"\n{name}: a wrong card before {found.total()} of {put.total()} changes: {told}")
    assert found.total() >= share * put.total()


def _before(held: Conversation, call: ToolCall, chance: Random) -> tuple[Altered | None] | None:
    """The wrong card before a change, which is then carried out; None where it would fail."""
    preview, tool = held.records.preview(call), held.domain.tools.get(call.name)
    if tool is None or not tool.mutates or preview.result.error:
        return None
    owner = held.domain.owner_of(held.records, call.arguments)
    held.identity.customer = owner
    held.identity.add_event(CustomerSaid(text=f"I am {owner}", turn=1))
    proposal = Proposal(os.urandom(4).hex(), tool, call)
    true, wrong = card_of(held, proposal, preview), alter_card(held, proposal, preview, chance)
    if wrong is not None:
        assert not wrong.card.failing
        assert wrong.card.after != true.after
        assert wrong.card.call_digest not in _right(held)
        assert _checked(wrong.card) == _checked(true)
        assert " in place of " in wrong.words
    consent = Consent(proposal.call_id, call_digest(call), preview.state, "words")
    held.records.apply(call, consent)
    return (wrong,)


def _checked(card: Card) -> list[str]:
    return [each.name for each in card.before if each.verdict != "judge"]


def _right(held: Conversation) -> set[str]:
    assert held.scenario is not None
    return {call_digest(call) for end in held.scenario.ends for call in end}
