"""A conversation from start or resumption to end; driven by a screen or a script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any, Self

from agent import loop
from agent.auxiliary.judging import ModelJudge
from agent.context.selection import Ranker
from agent.control import routing
from agent.gate.operator import Operator
from agent.memory.bank import Bank
from agent.memory.retrieval import with_memory_lookup
from agent.models.protocol import ChatModel
from agent.next_step import events_of_this_turn
from agent.session.beginning import place, program_version
from agent.session.limits import LimitReached
from agent.session.resuming import Recorded, read_recorded
from agent.session.turn_context import TurnContext
from agent.session.wording import equip, wording_of
from domains.core.domain import Domain, Scenario
from sessions.events import (
    AgentSaid,
    AnyEvent,
    EndReason,
    Limits,
    Logged,
    ModelChanged,
    Noted,
    RequestSettings,
    RunPlace,
    Safeguards,
    SafeguardsChanged,
    Scored,
    SessionEnded,
    SessionResumed,
    SessionStarted,
    ToolReturned,
)
from sessions.log import Log
from sessions.scoring import TRANSFER, judge_assertions, score
from sessions.store.forking import fork_point, settings_changed
from sessions.store.store import Store
from sessions.views import SessionStatus, status

JUDGE_ATTEMPTS = 2
"""How often the auxiliary model is asked about the outcome while a person waits for it."""


class SessionOver(Exception):
    """The session has ended; the message tells the user why."""


class Conversation(TurnContext):
    """A running session: say something, continue, change settings, end."""

    @classmethod
    async def start(
        cls,
        store: Store,
        domain: Domain,
        model: ChatModel,
        operator: Operator,
        *,
        scenario: Scenario | None = None,
        plays: str | None = None,
        safeguards: Safeguards | None = None,
        data: Path | None = None,
        tasks: Path | None = None,
        ranker: Ranker | None = None,
        max_turns: int = 30,
        limits: Limits | None = None,
        requests: RequestSettings | None = None,
        auxiliary: ChatModel | None = None,
        run: RunPlace | None = None,
        memory: Bank | None = None,
    ) -> Self:
        """Start a new session and record the agent's greeting.

        `plays` is the id of the customer that the user chose to play without a scenario.
        """
        requests = requests or RequestSettings()
        domain = equip(domain, requests)
        domain = with_memory_lookup(domain, memory)
        wording = await asyncio.to_thread(wording_of, domain, requests)
        records = domain.records()
        safeguards = safeguards or Safeguards()
        started = SessionStarted(
            domain=domain.name,
            source=domain.base.source,
            data=place(data),
            tasks=place(tasks),
            scenario=None if scenario is None else scenario.id,
            scenario_digest=None if scenario is None else scenario.digest,
            plays=plays,
            model=model.name,
            auxiliary=None if auxiliary is None else auxiliary.name,
            safeguards=safeguards,
            max_turns=max_turns,
            limits=limits or Limits(),
            requests=requests,
            program=program_version(),
            policy_digest=domain.policy_digest,
            tools_digest=domain.tools_digest,
            records_digest=records.digest,
            wording_digest="" if requests.ask_as == "saber" else wording.digest,
            run=run,
            memory=None if memory is None else memory.as_used,
        )
        log = await Log.start(store, started)
        await log.append(AgentSaid(text=wording.greeting))
        if memory is not None and (moved := memory.policy_notice(domain.policy_digest)):
            await log.append(Noted(text=moved))
        self = cls(
            domain, log, records, model, operator, safeguards, max_turns, started.limits, ranker,
            auxiliary, requests,
        )  # fmt: skip
        self.scenario, self.memory = scenario, memory
        return self

    @classmethod
    async def resume(
        cls,
        store: Store,
        session: str,
        domain: Domain,
        model: ChatModel,
        operator: Operator,
        *,
        ranker: Ranker | None = None,
        auxiliary: ChatModel | None = None,
    ) -> Self:
        """Resume a session where its log ends; a write that was not applied did not happen.

        A session that has ended can be looked at, but nothing is added to its log.

        Raises RecordsMismatch if the domain's records are not those that the session was held on.
        """
        log = await Log.open(store, session)
        held = log.status
        was = await read_recorded(store, domain, held, log.events, len(log.events))
        if held.ended is None:
            resumed = SessionResumed(program=program_version())
            await log.append(resumed, *await was.what_changed())
        self = cls._of(was, log, model, operator, held.safeguards, ranker, auxiliary)
        if held.ended is None and model.name != held.model:
            await self.change_model(model)
        return self

    @classmethod
    async def fork(
        cls,
        store: Store,
        session: str,
        at: int | None,
        domain: Domain,
        model: ChatModel,
        operator: Operator,
        *,
        safeguards: Safeguards | None = None,
        ranker: Ranker | None = None,
        auxiliary: ChatModel | None = None,
    ) -> Self:
        """Start a new session from one event of another session, which stays as it is.

        The model and the safeguards (None keeps the previous ones) apply from there. A card that
        was waiting there is waiting in the fork too, and is checked against the records again when
        the turn continues.

        Raises CannotFork, and RecordsMismatch if the domain's records are not the session's.
        """
        parent = await asyncio.to_thread(store.read, session)
        end = fork_point(parent, at)
        held = status(parent[:end])
        was = await read_recorded(store, domain, held, parent, end)
        changes = settings_changed(held, model=model.name, safeguards=safeguards)
        changes += await was.what_changed()
        log = await Log.fork(store, session, end, changes)
        return cls._of(was, log, model, operator, safeguards or held.safeguards, ranker, auxiliary)

    @classmethod
    def _of(
        cls,
        was: Recorded,
        log: Log,
        model: ChatModel,
        operator: Operator,
        safeguards: Safeguards,
        ranker: Ranker | None,
        auxiliary: ChatModel | None,
    ) -> Self:
        """The conversation that goes on with what was recorded."""
        held = was.held
        self = cls(
            was.domain, log, was.records, model, operator, safeguards, held.max_turns, held.limits,
            ranker, auxiliary, held.requests,
        )  # fmt: skip
        self.scenario, self.memory = was.scenario, was.memory
        return self

    @property
    def status(self) -> SessionStatus:
        """Where the session stands."""
        return self.log.status

    def subscribe(self, on_event: Callable[[Logged], None]) -> Callable[[], None]:
        """Call `on_event` with every event once it is durable; call the result to unsubscribe."""
        return self.log.subscribe(on_event)

    async def say(self, text: str) -> None:
        """Run one turn, from the customer's words to the agent's answer.

        Raises ModelFault when the model fails for good and SessionOver when the session has ended.
        Cancelling stops the agent; a card that is waiting is then settled as withdrawn.
        """
        self._must_be_open()
        await self._work(loop.take_turn(self, text))

    async def go_on(self) -> None:
        """Continue a turn that a fault, an interruption or a crash cut short.

        A card that was left undecided is shown again, without asking the model.
        """
        self._must_be_open()
        await self._work(loop.go_on(self))

    def stop_answer(self) -> bool:
        """Stop the answer to a question about a card; return False if there is none.

        The card keeps waiting.
        """
        return self.answer is not None and self.answer.cancel()

    async def change_model(self, model: ChatModel) -> None:
        """Let another model play the agent from here on; raises SessionOver after the end."""
        self._must_be_open()
        await self.log.append(ModelChanged(model=model.name))
        self.model = model

    async def change_safeguards(self, safeguards: Safeguards) -> None:
        """Change the safeguards from here on; a card that is waiting is not affected.

        Raises SessionOver if the session has ended.
        """
        self._must_be_open()
        await self.log.append(SafeguardsChanged(safeguards=safeguards))
        self.safeguards = safeguards

    async def escalate(self) -> None:
        """Mark the session as coupled from here on, for good; raises SessionOver after the end."""
        self._must_be_open()
        await routing.escalate(self)

    async def end(self, reason: EndReason = "customer") -> Scored | None:
        """End the session, and score it against its scenario if it has one."""
        self._must_be_open()
        ended = SessionEnded(reason=reason)
        if self.scenario is None:
            await self.log.append(ended)
            return None
        scored = score(self.domain, self.scenario, self.log.events, ended=reason)
        await self.log.append(ended, scored)
        return await self._judge(self.scenario, scored)

    async def _judge(self, scenario: Scenario, scored: Scored) -> Scored:
        """The score, with the auxiliary model's verdicts on what only a reader can judge."""
        if self.auxiliary is None or not scored.assertions:
            return scored
        judge = ModelJudge(self.auxiliary, attempts=JUDGE_ATTEMPTS)
        assertions = await judge_assertions(
            judge, self.log.events, scored.assertions, self.log.append
        )
        again = score(self.domain, scenario, self.log.events, assertions=assertions)
        if again != scored:
            await self.log.append(again)
        return again

    async def _work(self, turn: Coroutine[Any, Any, None]) -> None:
        """Run a turn, and end the session if it reaches a limit or transfers the customer."""
        try:
            await turn
        except LimitReached as limit:
            await self.end(limit.reason)
            return
        if _has_transferred(events_of_this_turn(self.log.events)):
            await self.end("transfer")
        elif self.status.turn >= self.max_turns:
            await self.end("turn_limit")

    def _must_be_open(self) -> None:
        ended = self.status.ended
        if ended is not None:
            raise SessionOver(
                f"This session has ended ({ended}). Start a new one to go on talking."
            )


def _has_transferred(turn: Iterable[AnyEvent]) -> bool:
    return any(
        isinstance(event, ToolReturned) and event.name == TRANSFER and not event.error
        for event in turn
    )
