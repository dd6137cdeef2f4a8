from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings

import domains
from agent.gate.recorded_cards import make_cards
from agent.session.conversation import Conversation
from domains.core.domain import Domain
from domains.core.records import RecordsMismatch
from domains.core.tool import ToolCall
from sessions.events import (
    AnyEvent,
    Card,
    CardShown,
    ConsentUsed,
    CustomerSaid,
    DecisionMade,
    Logged,
    SessionForked,
    WriteApplied,
)
from sessions.scoring import records_of
from sessions.store.store import Store
from sessions.views.writes import id_of_recorded_card, own_writes
from tests.agent.recorded import QUIET, TURNS, Turn, recorded
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator
from tests.effort import tries
from tests.imported import WRITES, take_in
from tests.sessions.toy import log_of
from tests.toy import toy_domain

GATE = (CardShown, DecisionMade, ConsentUsed)


@cache
def held(turns: tuple[Turn, ...]) -> list[Logged]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(recorded(Path(folder), turns, end=True))


def without_gate(log: Sequence[Logged]) -> list[Logged]:
    """The same session as another program would have held it: nobody was asked."""
    events: list[AnyEvent] = []
    for logged in log:
        event = logged.event
        if isinstance(event, WriteApplied):
            event = event.model_copy(update={"card_id": f"imported-{event.call_id}"})
        if not isinstance(event, GATE):
            events.append(event)
    return log_of(*events)


def carried_out(log: Sequence[Logged]) -> list[Card]:
    """The cards whose changes were made, as they were shown."""
    shown = {
        each.event.card.id: each.event.card for each in log if isinstance(each.event, CardShown)
    }
    writes = [each.event.card_id for each in log if isinstance(each.event, WriteApplied)]
    return [shown[each] for each in writes]


def made(domain: Domain, log: Sequence[Logged]) -> list[Card]:
    return [each.card for each in make_cards(domain, log)]


def nameless(cards: Sequence[Card]) -> list[Card]:
    return [each.model_copy(update={"id": ""}) for each in cards]


@settings(max_examples=tries(25), deadline=None)
@given(TURNS)
def test_a_card_made_afterwards_is_the_one_that_the_gate_showed(turns: list[Turn]) -> None:
    log = held(tuple(turns))
    found = make_cards(toy_domain(), without_gate(log))
    assert nameless([each.card for each in found]) == nameless(carried_out(log))
    assert all(each.write.origin == "recorded" for each in found)


async def played(store: Store, domain: Domain, calls: Sequence[ToolCall]) -> list[Logged]:
    """A session in which the agent makes these calls and everything is approved."""
    answers: list[Answer] = [[(call.name, dict(call.arguments))] for call in calls]
    operator = ScriptedOperator(*["approve"] * len(calls))
    conversation = await Conversation.start(
        store, domain, ScriptedModel(*answers), operator, safeguards=QUIET
    )
    await conversation.say("Please.")
    return conversation.log.events


@pytest.mark.parametrize("name", ["retail", "airline"])
async def test_so_it_is_for_every_change_that_the_demo_scenarios_expect(
    name: str, tmp_path: Path
) -> None:
    domain, cards = domains.load(name), 0
    with Store.open(tmp_path / "s.db") as store:
        for scenario in domain.scenarios[:12]:
            log = await played(store, domain, scenario.ends[0])
            shown = carried_out(log)
            assert nameless(made(domain, without_gate(log))) == nameless(shown)
            cards += len(shown)
    assert cards > 5


@settings(max_examples=tries(10), deadline=None)
@given(TURNS)
def test_making_cards_leaves_log_and_records_as_they_were(turns: list[Turn]) -> None:
    log = without_gate(held(tuple(turns)))
    domain, before = toy_domain(), [each.model_dump_json() for each in log]
    records = records_of(domain, log).digest
    assert made(domain, log) == made(domain, log)
    assert [each.model_dump_json() for each in log] == before
    assert records_of(domain, log).digest == records
    assert domain.records().digest == toy_domain().records().digest


def test_where_cards_were_shown_they_are_the_cards_whatever_was_decided() -> None:
    log = held((("red", "approve", 3), ("blue", "reject: no", 2)))
    found = make_cards(toy_domain(), log)
    assert [each.card for each in found] == [
        each.event.card for each in log if isinstance(each.event, CardShown)
    ]
    assert {each.write.origin for each in found} == {"live"}


def test_a_fork_leaves_its_parents_changes_to_the_parent_under_the_same_ids() -> None:
    log = without_gate(held((("red", "approve", 3),)))
    (parents,) = make_cards(toy_domain(), log)
    assert parents.card.id == id_of_recorded_card(log[0].session, parents.write.seq)
    whole = [each.event for each in log]
    fork = [
        each.model_copy(update={"session": "fork"})
        for each in log_of(*whole, SessionForked(parent=log[0].session, seq=len(whole)))
    ]
    assert make_cards(toy_domain(), fork) == []
    own = [
        each.model_copy(update={"session": "fork"})
        for each in log_of(*whole[:3], SessionForked(parent="p", seq=3), *whole[3:])
    ]
    (forks,) = make_cards(toy_domain(), own)
    assert forks.card.id == id_of_recorded_card("fork", forks.write.seq)


def test_a_call_that_failed_has_no_card() -> None:
    log = without_gate(held((("red", "approve", 3),)))
    failed = [
        each.event.model_copy(update={"error": True, "patch": []})
        if isinstance(each.event, WriteApplied)
        else each.event
        for each in log
    ]
    assert own_writes(log_of(*failed)) == []


def test_other_records_than_it_was_held_on_are_refused() -> None:
    log = without_gate(held((("red", "approve", 3),)))
    with pytest.raises(RecordsMismatch):
        make_cards(toy_domain(coins=11), log)


def test_of_an_imported_conversation_every_write_has_a_card(tmp_path: Path) -> None:
    airline = domains.load("airline")
    with Store.open(tmp_path / "s.db") as store:
        logs = [store.read(each) for each in take_in(store, tmp_path)]
    cards = [each for log in logs for each in make_cards(airline, log)]
    assert len(cards) == WRITES
    assert len({each.card.id for each in cards}) == WRITES
    for log, number in zip(logs, (1, 2, 1, 1), strict=True):
        assert any(isinstance(each.event, CustomerSaid) for each in log)
        assert len(make_cards(airline, log)) == number
