"""Our own side of the records benchmark: the domain, and logs of conversations really held."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import domains
from agent.gate.operator import Decision
from agent.session.conversation import Conversation, SessionOver
from domains.core.domain import Action, Domain, Role, Scenario
from domains.core.records import Records
from domains.core.tool import ToolCall
from sessions.events import Card, Logged, Safeguards
from sessions.scoring import records_of, score
from sessions.store.store import Store
from tests.agent.scripted import Answer, ScriptedModel
from tests.benchmarks.records_side import GoldTask
from tests.shared_data import TAU2


def opening(name: str) -> str:
    """A process that opens the domain, and takes the digest that a session starts with."""
    return f"""
import domains
from pathlib import Path
domain = domains.load({name!r}, Path({str(TAU2)!r}))
read()
domain.base.digest
read()
"""


def opened(name: str) -> Domain:
    """The domain on a base of its own, so that nothing about it is remembered."""
    domain: Domain = import_module(f"domains.{name}").load(TAU2)
    assert domain.base.digest
    return domain


class Ours:
    """The domain on a base that nobody scored on before."""

    name = "saber-console"

    def __init__(self, domain: Domain, tasks: list[GoldTask], logs: list[list[Logged]]) -> None:
        self._domain = domain
        self._records = domain.records()
        self._scenarios = [_scenario(task) for task in tasks]
        self._logs = logs

    def open_again(self) -> Records:
        """The domain from those that are open, and a layer for the session."""
        return domains.load(self._domain.name, TAU2).records()

    def read(self, call: ToolCall) -> object:
        """A look-up, with the check that it changed nothing."""
        return self._records.look_up(call)

    def preview(self, call: ToolCall) -> object:
        """What the gate asks: result, changes, and the digest of what was touched."""
        return self._records.preview(call)

    def score(self, number: int) -> float:
        """The reward, from the log alone."""
        return score(self._domain, self._scenarios[number], self._logs[number]).reward

    def session(self, number: int) -> Records:
        """A session's records as its log says."""
        return records_of(self._domain, self._logs[number])

    def fork(self, records: Records) -> Records:
        """Records of another session that go on from where these are."""
        fork = self._domain.records()
        fork.restore(records.snapshot())
        return fork


def held(domain: Domain, tasks: list[GoldTask]) -> list[list[Logged]]:
    """The log of a conversation for each task, in which the gold calls were made and approved."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "sessions.db") as store,
        asyncio.Runner() as loop,
    ):
        return [loop.run(_held(store, domain, task)) for task in tasks]


async def _held(store: Store, domain: Domain, task: GoldTask) -> list[Logged]:
    answers: list[Answer] = [[(call.name, dict(call.arguments))] for call in task.calls]
    talk = await Conversation.start(
        store,
        domain,
        ScriptedModel(*answers, task.words),
        _Approver(),
        safeguards=Safeguards(reflection=False),
    )
    await talk.say("Please see to it.")
    with suppress(SessionOver):  # a hand-over has ended it
        await talk.end()
    return list(talk.log.events)


class _Approver:
    """A person who says yes to every card."""

    by = "person"

    async def decide(self, card: Card) -> Decision:
        return Decision("approve", overrode=tuple(each.name for each in card.failing))


def _scenario(task: GoldTask) -> Scenario:
    return Scenario(
        id=task.id,
        title=task.id,
        role=Role("Somebody"),
        ends=(task.calls,),
        communicate=task.communicate,
        actions=tuple(map(Action, task.calls)),
        source="tau2",
    )
