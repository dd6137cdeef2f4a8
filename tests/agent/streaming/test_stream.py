from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agent.headless.plan import RunError
from agent.memory.feedback import PolicyAgent
from agent.memory.keeping import evidence_learned_from, open_bank
from agent.models.protocol import ChatModel, ModelFault, ModelRequest, Piece
from agent.streaming import remembering
from agent.streaming.plan import Learning, StreamPlan
from agent.streaming.remembering import JUDGE
from agent.streaming.stream import Stream, sessions_of_stream
from agent.streaming.summary import read_streamed
from sessions.events import ContextAssembled, SessionStarted
from sessions.store import memory as rows
from sessions.store.store import Store
from tests.agent.streaming.streams import (
    EXPLAINED,
    NOTHING,
    ORACLE,
    Follower,
    gap_domain,
    stream_plan,
)


def played(store: Store, plan: StreamPlan, model: ChatModel | None = None) -> Any:
    follower = model or Follower()
    return asyncio.run(Stream(store, plan, model_of=lambda _: follower).play())


def came_out(store: Store, plan: StreamPlan) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = {}
    for each in read_streamed(store, plan):
        found.setdefault(each.arm, []).append(each.right)
    return found


def fingerprint(store: Store, plan: StreamPlan) -> Any:
    """All that a stream came to, without ids and times."""
    held = sessions_of_stream(store, plan)
    told = []
    for key, row in sorted(held.items()):
        started = store.read(row.id)[0].event
        assert isinstance(started, SessionStarted)
        used = started.memory
        told.append((key, row.ended, row.reward, used and (used.bank, used.revision)))
    places = {row.id: key for key, row in held.items()}
    banks = [
        [(each.does, each.by, each.entry, places.get(each.origin.session), each.origin.why)
         for capability in open_bank(store, bank.name).capabilities.values()
         for _, _, each in capability.history]
        for bank in rows.banks(store)
    ]  # fmt: skip
    return told, banks


def test_what_a_parent_teaches_holds_for_its_sisters_in_its_own_stream(tmp_path: Path) -> None:
    plan = stream_plan(gap_domain(), NOTHING, EXPLAINED, ORACLE, trials=2)
    with Store.open(tmp_path / "s.db") as store:
        progress = played(store, plan)
        assert (progress.finished, progress.sessions, progress.lost) == (24, 24, [])
        learned = [False, True, True, True]
        assert came_out(store, plan) == {
            "no memory": [False] * 8,
            "policybank, explanation": learned * 2,
            "policybank, oracle": learned * 2,
        }
        assert len(rows.banks(store)) == 4  # one for each stream that has a memory
        for row in rows.banks(store):
            bank = open_bank(store, row.name)
            history = [change for _, _, change in bank.capabilities["take"].history]
            accepted = [each for each in history if each.does == "accept"]
            assert [each.by for each in accepted] == [JUDGE]
            assert {each.origin.kind for each in accepted} == {"judge"}
            assert len(evidence_learned_from(store, bank)) == (1 if "oracle" in row.name else 4)


def test_a_stream_that_is_played_again_does_nothing_again(tmp_path: Path) -> None:
    plan = stream_plan(gap_domain(), EXPLAINED)
    with Store.open(tmp_path / "s.db") as store:
        played(store, plan)
        before = fingerprint(store, plan), len(store.sessions())
        again = played(store, plan)
        assert (again.before, again.resumed) == (4, 0)
        assert (fingerprint(store, plan), len(store.sessions())) == before
        wider = stream_plan(gap_domain(), EXPLAINED, seeds=(0, 1), trials=2)
        assert played(store, wider).before == 4
        with pytest.raises(RunError, match="other settings"):
            played(store, stream_plan(gap_domain(2), EXPLAINED, given_name=plan.name))


class Shot(Exception):
    """What a kill is to a test in one process."""


@pytest.mark.parametrize("after", range(4))
def test_cut_off_between_session_and_update_it_goes_on_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    plan = stream_plan(gap_domain(), EXPLAINED)
    with Store.open(tmp_path / "whole.db") as store:
        played(store, plan)
        whole = fingerprint(store, plan)
    done = 0
    learn = remembering.StreamMemory.learn

    async def shot(self: remembering.StreamMemory, *given: Any) -> None:
        nonlocal done
        done += 1
        if done > after:
            raise Shot
        await learn(self, *given)

    with Store.open(tmp_path / "shot.db") as store:
        monkeypatch.setattr(remembering.StreamMemory, "learn", shot)
        assert played(store, plan).lost
        monkeypatch.setattr(remembering.StreamMemory, "learn", learn)
        played(store, plan)
        assert fingerprint(store, plan) == whole


def test_a_fault_while_learning_leaves_that_stream_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = stream_plan(gap_domain(), EXPLAINED, NOTHING)

    async def down(self: object, *given: object) -> None:
        raise ModelFault("network", "The line is down.")

    with Store.open(tmp_path / "s.db") as store:
        with monkeypatch.context() as patched:
            patched.setattr(remembering.StreamMemory, "learn", down)
            progress = played(store, plan)
        assert progress.left == ["The line is down."]
        assert progress.finished == 1 + 4
        assert played(store, plan).left == []
        assert came_out(store, plan)["policybank, explanation"] == [False, True, True, True]


class Cut(Follower):
    """Its line fails for good in one session, and holds in all others."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self._left = at

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        self._left -= 1
        if self._left == 0:
            raise ModelFault("network", "The line is down.")
        async for piece in super().stream(request):
            yield piece


@pytest.mark.parametrize("at", [1, 4, 8])
def test_where_the_line_fails_a_stream_waits_and_plays_that_session_anew(
    tmp_path: Path, at: int
) -> None:
    plan = stream_plan(gap_domain(), EXPLAINED)
    with Store.open(tmp_path / "whole.db") as store:
        played(store, plan)
        whole = fingerprint(store, plan)
    with Store.open(tmp_path / "cut.db") as store:
        progress = played(store, plan, Cut(at))
        assert progress.left == ["The line is down."]
        assert progress.finished < 4
        assert len(store.sessions()) == progress.finished + 1
        assert played(store, plan).left == []
        assert fingerprint(store, plan) == whole
        assert len(store.sessions()) == 5


@pytest.mark.parametrize("kind", ["synapse", "reasoningbank"])
def test_baselines_hand_over_what_they_keep_at_each_turn(tmp_path: Path, kind: Any) -> None:
    learning = Learning(kind, "explanation", "insights")
    if kind == "synapse":
        learning = Learning(kind, "", "examples")
    plan = stream_plan(gap_domain(), learning)
    with Store.open(tmp_path / "s.db") as store:
        played(store, plan)
        logs = [store.read(row.id) for row in sessions_of_stream(store, plan).values()]
        handed = [
            next(len(e.event.recalled) for e in log if isinstance(e.event, ContextAssembled))
            for log in sorted(logs, key=lambda log: log[0].at)
        ]
        (found,) = came_out(store, plan).values()
    if kind == "synapse":  # there is no example: nothing came out right
        assert (found, handed) == ([False] * 4, [0, 0, 0, 0])
    else:
        assert (found, handed) == ([False, True, True, True], [0, 1, 2, 3])


def test_policy_agents_all_speak_one_protocol() -> None:
    from agent.memory.rule_policy_agent import RulePolicyAgent
    from agent.streaming.examples import ExampleKeeper
    from agent.streaming.insights import RuleInsightKeeper

    agents: list[PolicyAgent] = [RulePolicyAgent(), ExampleKeeper(), RuleInsightKeeper()]
    assert {each.by for each in agents} == {"rules"}
