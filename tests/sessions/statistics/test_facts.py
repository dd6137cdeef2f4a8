from __future__ import annotations

from pathlib import Path

import pytest

from sessions.events import (
    AgentSaid,
    AnyEvent,
    CustomerSaid,
    ModelChanged,
    Safeguards,
    SafeguardsChanged,
    Scored,
    SessionEnded,
    SessionForked,
    ToolCalled,
    ToolReturned,
    WriteApplied,
)
from sessions.statistics.distance import Actions
from sessions.statistics.facts import session_facts
from sessions.statistics.settings import safeguards_in_words
from sessions.store.store import Store
from tests.sessions.toy import CANCEL, decided, log_of, shown, started, used

LOOKED = (
    ToolCalled(call_id="c0", name="get_order", arguments={"order_id": "#W1"}),
    ToolReturned(call_id="c0", name="get_order", text="{}"),
)


def written(card: str, *, error: bool = False) -> WriteApplied:
    return WriteApplied(
        card_id=card, call_id=f"c-{card}", name="cancel", arguments=dict(CANCEL.arguments),
        result="", error=error, patch=[], records_digest="d",
    )  # fmt: skip


def scored(reward: float) -> Scored:
    return Scored(scenario="one", reward=reward, records_match=True, communicated=True)


SESSION: tuple[AnyEvent, ...] = (
    AgentSaid(text="Hello!"),
    CustomerSaid(text="Cancel #W1", turn=1),
    *LOOKED,
    shown("a"),
    decided("a", "ask", "Which one?"),
    AgentSaid(text="The mug.", about_card="a"),
    decided("a", "reject", "not that one"),
    AgentSaid(text="As you wish."),
    CustomerSaid(text="Cancel it after all", turn=2),
    shown("b"),
    decided("b", "approve"),
    used("b"),
    written("b"),
    AgentSaid(text=" "),
    AgentSaid(text="Done."),
    shown("c"),
    decided("c", "approve", by="auto"),
    used("c"),
    written("c", error=True),
    shown("d"),
    decided("d", "withdrawn", by="interruption"),
    shown("e"),
    SessionEnded(reason="customer"),
    scored(0.0),
    scored(1.0),
)


def test_a_log_read_from_the_store_becomes_one_row(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        session = store.start(started(scenario="one"))[0].session
        store.append(session, SESSION)
        found = session_facts(store.read(session))
    assert (found.session, found.domain, found.scenario) == (session, "toy", "one")
    assert (found.turns, found.messages, found.actions) == (2, 3, Actions(1, 2))
    assert (found.writes, found.writes_on_card, found.writes_in_words) == (1, 1, 0)
    assert (found.reward, found.success, found.counts, found.ended) == (1.0, True, True, "customer")
    cards = found.cards
    assert (cards.shown, cards.put, cards.automatic, cards.asked) == (5, 4, 1, 1)
    settled = (cards.approved, cards.rejected, cards.changed, cards.withdrawn)
    assert settled == (1, 1, 0, 1)
    assert cards.looks == (900, 900)


def test_a_session_that_was_not_scored_or_ended_by_a_fault_or_is_a_fork_is_no_trial() -> None:
    unscored = session_facts(log_of(started(), SessionEnded(reason="customer")))
    assert (unscored.success, unscored.counts) == (None, False)
    fault = session_facts(log_of(started(), SessionEnded(reason="fault"), scored(0.0)))
    assert (fault.success, fault.counts) == (False, False)
    fork = session_facts(log_of(started(), SessionForked(parent="p", seq=1), scored(1.0)))
    assert (fork.success, fork.counts) == (True, False)
    limit = session_facts(log_of(started(), SessionEnded(reason="turn_limit"), scored(0.0)))
    assert (limit.success, limit.counts) == (False, True)


def test_models_and_safeguards_that_changed_on_the_way_are_both_named() -> None:
    off = Safeguards(reflection=False, context=False, blocks=4)
    changes = ModelChanged(model="m2"), ModelChanged(model="m2"), SafeguardsChanged(safeguards=off)
    found = session_facts(log_of(started(), *changes))
    assert found.model == "clerk → m2"
    assert found.safeguards == "gate + reflection + context → gate, blocks 4"


def test_safeguards_are_told_by_what_is_on_and_what_is_unusual() -> None:
    none = Safeguards(gate=False, reflection=False, context=False, policy_on_card=False)
    assert safeguards_in_words(none) == "none, policy on card off"
    assert safeguards_in_words(Safeguards()) == "gate + reflection + context"


def test_a_scenario_whose_text_changed_is_another_task_and_free_play_one_of_its_own() -> None:
    old, new = (
        session_facts(log_of(started(scenario="one", scenario_digest=digest)))
        for digest in ("a", "b")
    )
    assert old.task != new.task
    free = session_facts(log_of(started()))
    assert free.task == free.session


def test_a_log_without_its_start_is_refused() -> None:
    for events in ([], log_of(CustomerSaid(text="hi", turn=1))):
        with pytest.raises(ValueError, match="begins with session_started"):
            session_facts(events)
