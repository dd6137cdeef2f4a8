from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.gate.operator import Decision
from agent.session.conversation import Conversation
from domains.core.records import RecordsMismatch
from sessions.events import (
    CardShown,
    ConsentUsed,
    DecisionMade,
    ModelChanged,
    SafeguardsChanged,
    SessionForked,
    WriteApplied,
)
from sessions.scoring import records_of
from sessions.store.forking import count_inherited
from sessions.store.store import Store
from tests.agent.held import coins, events, types
from tests.agent.recorded import QUIET, TURNS, Turn, held
from tests.agent.scripted import ScriptedModel, ScriptedOperator, call
from tests.effort import tries
from tests.toy import toy_domain

TAKE: Turn = ("red", "approve", 3)


def place_of(conversation: Conversation, kind: type) -> int:
    return next(each.seq for each in conversation.log.events if isinstance(each.event, kind))


async def forked(
    store: Store, parent: Conversation, at: int | None, *answers: object, **more: object
) -> tuple[Conversation, ScriptedOperator]:
    operator = ScriptedOperator("approve")
    model = ScriptedModel(*answers, name=str(more.pop("name", "scripted")))  # type: ignore[arg-type]
    fork = await Conversation.fork(
        store,
        parent.log.session,
        at,
        toy_domain(),
        model,
        operator,
        **more,  # type: ignore[arg-type]
    )
    return fork, operator


@settings(max_examples=tries(25), deadline=None)
@given(TURNS, st.data())
def test_wherever_a_session_is_forked_the_records_are_those_of_the_prefix(
    turns: list[Turn], data: st.DataObject
) -> None:
    async def law() -> None:
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as store:
            parent = await held(store, turns, end=True)
            torn = {e.seq for e in parent.log.events if isinstance(e.event, ConsentUsed)}
            places = [n for n in range(1, len(parent.log.events) + 1) if n not in torn]
            fork, _ = await forked(store, parent, data.draw(st.sampled_from(places)))
            prefix = parent.log.events[: count_inherited(fork.log.events)]
            assert fork.records.digest == records_of(toy_domain(), prefix).digest
            assert records_of(toy_domain(), fork.log.events).digest == fork.records.digest
            await fork.say("and one more")
            assert fork.status.ended is None

    asyncio.run(law())


async def test_a_rejected_card_can_be_approved_in_a_fork(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        parent = await held(store, [("red", "reject: no", 3)])
        before = place_of(parent, DecisionMade) - 1
        fork, operator = await forked(store, parent, before, "Done.")
        assert fork.status.waiting_card is not None
        await fork.go_on()
        assert [card.id for card in operator.cards] == [fork.log.events[before - 1].event.card.id]  # type: ignore[union-attr]
        assert coins(fork) == 7
        assert coins(parent) == 10


async def test_an_approval_that_was_not_used_yet_is_asked_for_again(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        parent = await held(store, [TAKE])
        fork, operator = await forked(store, parent, place_of(parent, DecisionMade), "Done.")
        await fork.go_on()
        assert len(operator.cards) == 1
        shown = [event for event in events(fork) if isinstance(event, CardShown)]
        assert shown[1].replaces == shown[0].card.id
        assert coins(fork) == 7


async def test_a_write_of_the_prefix_is_not_made_again(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        parent = await held(store, [TAKE])
        again = call("take", jar="red", coins=3)
        fork, _ = await forked(store, parent, place_of(parent, WriteApplied), "Done.", again)
        await fork.go_on()
        assert coins(fork) == 7
        await fork.say("three more")
        assert coins(fork) == 4
        assert types(fork).count("write_applied") == 2


async def test_model_and_safeguards_change_from_the_fork_on(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        parent = await held(store, [TAKE])
        off = QUIET.model_copy(update={"gate": False})
        take = call("take", jar="red", coins=1)
        fork, operator = await forked(store, parent, 2, take, name="other", safeguards=off)
        at = count_inherited(fork.log.events)
        assert events(fork)[at:] == [
            SessionForked(parent=parent.log.session, seq=at),
            ModelChanged(model="other"),
            SafeguardsChanged(safeguards=off),
        ]
        await fork.say("one")
        assert operator.cards == []
        assert [e.by for e in events(fork) if isinstance(e, DecisionMade)] == ["auto"]
        assert parent.status.safeguards == QUIET


async def test_other_records_leave_no_fork_behind(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        parent = await held(store, [TAKE])
        with pytest.raises(RecordsMismatch):
            await Conversation.fork(
                store, parent.log.session, 3, toy_domain(coins=99), ScriptedModel(),
                ScriptedOperator(Decision("approve")),
            )  # fmt: skip
        assert len(store.sessions()) == 1


async def test_a_fork_can_be_resumed_like_any_session(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        parent = await held(store, [TAKE])
        fork, _ = await forked(store, parent, None)
        again = await Conversation.resume(
            store, fork.log.session, toy_domain(), ScriptedModel(), ScriptedOperator()
        )
        assert again.records.digest == fork.records.digest == parent.records.digest
        assert again.scenario is not None
