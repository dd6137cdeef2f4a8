"""Law 2 over whatever a model may say and whatever a person may decide."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agent.gate.operator import Decision
from agent.models.protocol import ModelFault
from agent.session.conversation import Conversation, SessionOver
from domains.core.records import Records
from sessions.events import (
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    ConsentUsed,
    CustomerSaid,
    DecisionMade,
    Logged,
    Safeguards,
    WriteApplied,
    WriteVerified,
)
from sessions.scoring import records_of
from sessions.store.store import Store
from tests.agent.held import conversation, resumed
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator, call
from tests.effort import examples
from tests.toy import toy_domain

_NAMES = st.sampled_from(
    ["take", "look", "liar", "nope", "", "take ", "find_user_id_by_email", "transfer_to_human"]
)
_ARGUMENTS: SearchStrategy[object] = st.one_of(
    st.fixed_dictionaries({"jar": st.sampled_from(["red", "blue"]), "coins": st.integers(1, 4)}),
    st.fixed_dictionaries({"jar": st.sampled_from(["red", "blue", "no"])}),
    st.dictionaries(st.text(max_size=4), st.integers() | st.text(max_size=4), max_size=2),
    st.sampled_from(
        ["", "{", "[]", "null", '{"jar":"red","jar":"blue","coins":1}', '{"coins": NaN}', "{}{}"]
    ),
)
_TAKE = st.tuples(
    st.just("take"),
    st.fixed_dictionaries({"jar": st.sampled_from(["red", "blue"]), "coins": st.integers(1, 4)}),
)
_CALLS = st.lists(st.one_of(_TAKE, st.tuples(_NAMES, _ARGUMENTS)), min_size=1, max_size=3)
_FAULTS = st.builds(lambda: ModelFault("bad_request", "No."))
_ANSWERS: SearchStrategy[Answer] = st.one_of(
    _CALLS, _CALLS, st.text(max_size=8), st.tuples(st.text(min_size=1, max_size=4), _CALLS), _FAULTS
)
_DECISIONS = st.builds(
    Decision,
    st.sampled_from(["approve", "approve", "reject", "change", "ask"]),
    st.sampled_from(["", "the other one"]),
)
_ACTS = st.sampled_from(
    ["say", "say", "go_on", "resume", "interrupt", "leave", "gate", "checks", "escalate"]
)
_SAFEGUARDS = st.builds(
    Safeguards,
    reflection=st.booleans(),
    after_feedback=st.sampled_from(["confirm", "execute"]),
    attention_checks=st.sampled_from([0.0, 0.5, 1.0, 1.0]),
    control=st.sampled_from(["baseline", "routed"]),
    router=st.sampled_from(["model", "rules"]),
)


@settings(max_examples=examples(300), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    answers=st.lists(_ANSWERS, max_size=12),
    decisions=st.lists(_DECISIONS, max_size=8),
    acts=st.lists(_ACTS, min_size=1, max_size=6),
    safeguards=_SAFEGUARDS,
)
def test_no_write_without_one_consent_from_one_recorded_yes(
    answers: list[Answer], decisions: list[Decision], acts: list[str], safeguards: Safeguards
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_hold(Path(folder), answers, decisions, acts, safeguards))


@settings(max_examples=examples(200), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    takes=st.lists(st.lists(_TAKE, min_size=1, max_size=2), min_size=1, max_size=4),
    decisions=st.lists(_DECISIONS, min_size=1, max_size=8),
    acts=st.lists(_ACTS, max_size=4),
    share=st.sampled_from([1.0, 0.5]),
)
def test_no_card_that_is_wrong_on_purpose_is_ever_consented_to(
    takes: list[list[tuple[str, object]]], decisions: list[Decision], acts: list[str], share: float
) -> None:
    found = call("find_user_id_by_email", email="ann@example.com")
    checked = Safeguards(reflection=False, attention_checks=share)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_hold(Path(folder), [found, *takes], decisions, ["say", *acts], checked))


async def _hold(
    folder: Path,
    answers: list[Answer],
    decisions: list[Decision],
    acts: list[str],
    safeguards: Safeguards,
) -> None:
    model, operator = ScriptedModel(*answers), ScriptedOperator(*decisions)
    async with conversation(folder, model, operator, safeguards=safeguards) as held:
        for act in acts:
            held = await _perform(act, held, held.log.store, model, operator)
            _law_two_holds(held)


async def _perform(
    act: str, held: Conversation, store: Store, model: ScriptedModel, operator: ScriptedOperator
) -> Conversation:
    with contextlib.suppress(ModelFault, SessionOver, asyncio.CancelledError):
        match act:
            case "say":
                await held.say("please")
            case "go_on":
                await held.go_on()
            case "resume":
                return await resumed(store, held.log.session, model, operator)
            case "leave":
                await _leave_the_next_card(held, operator)
            case "escalate":
                await held.escalate()
            case "gate":
                gate = held.safeguards.model_copy(update={"gate": not held.safeguards.gate})
                await held.change_safeguards(gate)
            case "checks":
                share = 1.0 - held.safeguards.attention_checks
                checks = held.safeguards.model_copy(update={"attention_checks": share})
                await held.change_safeguards(checks)
            case _:
                turn = asyncio.create_task(held.say("please"))
                await asyncio.sleep(0.002)
                turn.cancel()
                await turn
    return held


async def _leave_the_next_card(held: Conversation, operator: ScriptedOperator) -> None:
    async def leave(card: Card) -> None:
        operator.meanwhile = None
        raise asyncio.CancelledError

    operator.meanwhile = leave
    try:
        await held.say("please")
    finally:
        operator.meanwhile = None


def _law_two_holds(held: Conversation) -> None:
    log = held.log.events
    shown: dict[str, Card] = {}
    approved: set[str] = set()
    declined: set[str] = set()
    unverified: set[str] = set()
    used: list[str] = []
    written: list[str] = []
    for event in (logged.event for logged in log):
        match event:
            case CardShown():
                assert event.card.id not in shown
                shown[event.card.id] = event.card
            case CustomerSaid():
                declined.clear()
            case DecisionMade(decision="approve"):
                assert event.card_id in shown
                assert event.by != "rule" or shown[event.card_id].call_digest not in declined
                assert event.by == "person" or shown[event.card_id].call_id not in unverified
                approved.add(event.card_id)
            case DecisionMade():
                assert event.card_id not in approved
                if event.decision != "ask":
                    declined.add(shown[event.card_id].call_digest)
            case WriteVerified():
                change = set.union if event.outcome == "unverified" else set.difference
                unverified = change(unverified, {each.id for each in event.candidates})
            case ConsentUsed():
                assert event.card_id in approved
                used.append(event.card_id)
            case WriteApplied():
                assert event.card_id in used
                assert event.arguments == shown[event.card_id].arguments
                assert event.name == shown[event.card_id].tool
                written.append(event.card_id)
            case _:
                pass
    assert len(set(used)) == len(used)
    assert len(set(written)) == len(written)
    _records_are_the_logs(held.records, log)
    _no_check_is_a_write(log, {*shown, *approved, *used, *written})


def _no_check_is_a_write(log: list[Logged], writes: set[str]) -> None:
    """A card that was wrong on purpose is in no event but its own two."""
    checks: set[str] = set()
    settled: list[str] = []
    for event in (logged.event for logged in log):
        match event:
            case AttentionCheckShown():
                assert event.card.arguments != event.meant
                assert not event.card.failing
                checks.add(event.card.id)
            case AttentionCheckDecided():
                assert event.card_id in checks
                settled.append(event.card_id)
            case _:
                pass
    assert not checks & writes
    assert len(set(settled)) == len(settled)


def _records_are_the_logs(records: Records, log: list[Logged]) -> None:
    domain = toy_domain()
    assert records.digest == records_of(domain, log).digest
    taken = sum(
        logged.event.arguments["coins"] for logged in log if isinstance(logged.event, WriteApplied)
    )
    assert sum(records.get("jars", jar)["coins"] for jar in ("red", "blue")) == 20 - taken  # type: ignore[index]
