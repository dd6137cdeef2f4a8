"""A session ends when it has used up what it may, and says why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent.session.conversation import Conversation
from agent.session.limits import Spending
from sessions.events import AnyEvent, Labelled, Limits, Logged, SessionEnded, SessionResumed
from sessions.log import Log
from sessions.store.store import Store
from tests.agent.held import conversation, events, resumed
from tests.agent.scripted import ScriptedModel, ScriptedOperator, call
from tests.toy import toy_domain


async def _limited(store: Store, model: ScriptedModel, limits: Limits) -> Conversation:
    domain, operator = toy_domain(), ScriptedOperator("approve", "approve")
    return await Conversation.start(store, domain, model, operator, limits=limits)


def _ended(held: Conversation) -> list[str]:
    return [event.reason for event in events(held) if isinstance(event, SessionEnded)]


@pytest.mark.parametrize(
    ("limits", "reason", "looks"),
    [
        (Limits(actions=2), "action_limit", 2),
        (Limits(tokens=30), "token_limit", 2),
        (Limits(seconds=1e-9), "time_limit", 0),
        (Limits(cost=0.01), None, 3),
    ],
)
async def test_the_turn_in_which_a_limit_is_reached_is_the_last(
    tmp_path: Path, limits: Limits, reason: str | None, looks: int
) -> None:
    model = ScriptedModel(*[call("look", jar="red")] * 3)
    with Store.open(tmp_path / "sessions.sqlite") as store:
        held = await _limited(store, model, limits)
        await held.say("what is in it?")
        assert _ended(held) == ([reason] if reason else [])
        assert sum(event.type == "tool_called" for event in events(held)) == looks


async def test_an_answer_of_many_calls_goes_no_further_than_the_actions_that_are_left(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([("look", {"jar": "red"})] * 20)
    with Store.open(tmp_path / "sessions.sqlite") as store:
        held = await _limited(store, model, Limits(actions=3))
        await held.say("what is in it?")
        assert _ended(held) == ["action_limit"]
        assert held.spending.actions == 3


@pytest.mark.parametrize(("given", "reasons"), [({"summary": "hm"}, ["transfer"]), ({}, [])])
async def test_only_a_transfer_that_came_about_ends_the_session(
    tmp_path: Path, given: dict[str, str], reasons: list[str]
) -> None:
    model = ScriptedModel(call("transfer_to_human_agents", **given))
    async with conversation(tmp_path, model, ScriptedOperator()) as held:
        await held.say("a person, please")
        assert _ended(held) == reasons


async def test_what_was_used_before_a_resumption_counts_on(tmp_path: Path) -> None:
    with Store.open(tmp_path / "sessions.sqlite") as store:
        held = await _limited(store, ScriptedModel(), Limits(actions=2))
        await held.say("hello")
        again = await resumed(store, held.log.session, ScriptedModel(), ScriptedOperator())
        await again.say("hello again")
        assert _ended(again) == []
        await again.say("and again")
        assert _ended(again) == ["action_limit"]


async def test_the_time_between_two_runs_of_the_program_does_not_count(tmp_path: Path) -> None:
    async with conversation(tmp_path, ScriptedModel(), ScriptedOperator()) as held:
        began = datetime.now(UTC) - timedelta(hours=5)
        passed = Spending(_recorded(held.log, began, SessionResumed(program="1")))
        assert passed.first_reached(Limits(seconds=60)) is None
        label, resumed_now = Labelled(verdict="right", by="ann"), SessionResumed(program="1")
        judged = Spending(_recorded(held.log, began, label, resumed_now))
        assert judged.first_reached(Limits(seconds=60)) is None
        idle = Spending(_recorded(held.log, began, held.log.events[1].event))
        assert idle.first_reached(Limits(seconds=60)) == "time_limit"


def _recorded(log: Log, began: datetime, *later: AnyEvent) -> Log:
    """A log that began long ago and whose other events are spread until now."""
    start, lasted = log.events[0], datetime.now(UTC) - began
    logged: list[Logged] = [start.model_copy(update={"at": began.isoformat()})]
    for number, event in enumerate(later, 1):
        at = began + lasted * number / len(later)
        logged.append(start.model_copy(update={"at": at.isoformat(), "event": event}))
    return Log(log.store, logged)
