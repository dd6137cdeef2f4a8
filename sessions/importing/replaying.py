"""Turn a recorded run into the events of a session by repeating its calls on our own records.

The log holds what the tools return here; if the file has another text, it is logged as well. No
card was shown and no consent was given, and the log claims neither.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from domains.core.changes import patch_of
from domains.core.domain import Domain
from domains.core.records import Records
from domains.core.tool import ToolCall, ToolResult
from sessions.cleaning import clean
from sessions.events import (
    AgentSaid,
    AnyEvent,
    CustomerSaid,
    Imported,
    ModelAnswered,
    OtherModelAsked,
    ProposedCall,
    ResultDiffered,
    SessionEnded,
    ToolCalled,
    ToolReturned,
    Usage,
    WriteApplied,
)
from sessions.importing.runs import Agent, Customer, Returned, Run, Step

UNREADABLE = "Error: the arguments of this call are not a JSON object."

Timed = tuple[AnyEvent, str]
"""An event, and the time at which it happened according to the file."""

FAILED = "Error"
"""The text that the result of a failed call starts with, in the file and here."""


@dataclass(slots=True)
class Tally:
    """Counts how the results of repeated calls compare with those in the files."""

    calls: int = 0
    other_text: int = 0
    other_outcome: int = 0
    """Calls that failed only here, or only in the file."""

    unknown: Counter[str] = field(default_factory=Counter)
    """Calls of tools that the domain lacks; their results are taken from the file."""


@dataclass(slots=True)
class Replay:
    """Replays one run on a domain's records; use each instance only once."""

    domain: Domain
    run: Run
    file: str
    tally: Tally = field(default_factory=Tally)
    _records: Records = field(init=False)
    _calls: int = 0
    _turn: int = 0

    def __post_init__(self) -> None:
        self._records = self.domain.records()

    def events(self) -> Iterator[AnyEvent]:
        """Yield all events of the session, from the import itself to the end."""
        happened = list(self._events())
        times = tuple(at for _, at in happened)
        yield self._import_event(times if any(times) else ())
        yield from (event for event, _ in happened)

    def _events(self) -> Iterator[Timed]:
        steps = self.run.steps
        for place, step in enumerate(steps):
            yield from self._step(step, steps[place + 1 :])
        yield SessionEnded(reason=self.run.ended), self.run.finished

    def _import_event(self, times: tuple[str, ...]) -> Imported:
        run = self.run
        return Imported(
            source=run.source,
            file=self.file,
            original=run.original,
            task=run.task or {},
            trial=run.trial,
            recorded_reward=run.recorded_reward,
            ending=run.ending,
            verdicts=run.verdicts,
            began=run.began,
            agent=run.agent,
            seconds=run.seconds,
            times=times,
            checks=run.checks,
            checks_of=run.checks_of,
            digest=run.digest,
        )

    def _step(self, step: Step, later: tuple[Step, ...]) -> Iterator[Timed]:
        match step:
            case Customer():
                yield from ((event, step.at) for event in self._customer_events(step))
            case Agent():
                yield from self._answer_events(step, later)
            case _:
                pass

    def _customer_events(self, said: Customer) -> Iterator[AnyEvent]:
        if said.usage != Usage():
            model, usage = self.run.customer_model, said.usage
            yield OtherModelAsked(model=model, purpose="play_customer", usage=usage)
        if said.text:
            self._turn += 1
            yield CustomerSaid(text=said.text, turn=self._turn)

    def _answer_events(self, said: Agent, later: tuple[Step, ...]) -> Iterator[Timed]:
        """Yield the answer and its calls' results; calls without a recorded result are skipped."""
        calls = tuple(self._with_own_id(call) for call in said.calls)
        if self._turn or calls:  # before the customer has spoken, it is the greeting
            answered = ModelAnswered(
                model=self.run.model, text=said.text, reasoning=said.reasoning, calls=calls,
                usage=said.usage, finish_reason="tool_calls" if calls else "stop",
                milliseconds=said.milliseconds,
            )  # fmt: skip
            yield answered, said.at
        if said.spoken and said.text:
            yield AgentSaid(text=said.text), said.at
        returned = _results_by_call(later)
        for number, call in enumerate(calls):
            if back := returned.get(said.calls[number].id):
                came = back.pop(0)
                yield from ((event, came.at) for event in self._run(call, came.text))

    def _with_own_id(self, call: ProposedCall) -> ProposedCall:
        """The call with an id that is unique in this session; in the file, ids may repeat."""
        self._calls += 1
        return call.model_copy(update={"id": f"i{self._calls}"})

    def _run(self, call: ProposedCall, recorded: str) -> Iterator[AnyEvent]:
        if call.name not in self.domain.tools:  # there is no tool to call
            self.tally.unknown[call.name] += 1
            yield _tool_returned(
                call.id, call.name, ToolResult(recorded, recorded.startswith(FAILED))
            )
            return
        arguments = _arguments(call)
        if arguments is None:
            result = ToolResult(UNREADABLE, error=True)
            yield _tool_returned(call.id, call.name, result)
        else:
            result, happened = self._run_on_records(call.id, ToolCall(call.name, arguments))
            yield from happened
        yield from self._compare(call, result, recorded)

    def _run_on_records(
        self, call_id: str, call: ToolCall
    ) -> tuple[ToolResult, tuple[AnyEvent, ...]]:
        if not self.domain.tools.mutates(call.name):
            result = self._records.look_up(call)
            return result, tuple(self._look_up(call_id, call, result))
        preview = self._records.preview(call)
        result = replace(preview.result, text=clean(preview.result.text))
        if result.error:  # as everywhere, a call that its tool refuses is not a write
            return result, (_tool_returned(call_id, call.name, result),)
        written = WriteApplied(
            card_id=f"imported-{call_id}",
            call_id=call_id,
            name=call.name,
            arguments=dict(call.arguments),
            result=result.text,
            patch=patch_of(preview.changes),
            records_digest=self._records.digest_with(preview.changes),
        )
        self._records.replay_write(written.card_id, written.patch, written.records_digest)
        return result, (written,)

    def _look_up(self, call_id: str, call: ToolCall, result: ToolResult) -> Iterator[AnyEvent]:
        customer = self.domain.customer_identified_by(call, result)
        yield ToolCalled(call_id=call_id, name=call.name, arguments=dict(call.arguments))
        yield ToolReturned(
            call_id=call_id,
            name=call.name,
            text=clean(result.text),
            error=result.error,
            customer=customer and clean(customer),
        )

    def _compare(self, call: ProposedCall, result: ToolResult, recorded: str) -> Iterator[AnyEvent]:
        self.tally.calls += 1
        if not _is_same_result(clean(result.text), recorded):
            self.tally.other_text += 1
            self.tally.other_outcome += result.error != recorded.startswith(FAILED)
            yield ResultDiffered(call_id=call.id, recorded=recorded)


def _is_same_result(text: str, recorded: str) -> bool:
    """Whether two results are equal, ignoring the order of keys and values that are null."""
    return text == recorded or _content(text) == _content(recorded)


def _content(text: str) -> Any:
    try:
        return _without_nulls(json.loads(text))
    except (ValueError, RecursionError):
        return text


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


def _results_by_call(later: tuple[Step, ...]) -> dict[str, list[Returned]]:
    """The results that came back before the agent spoke again, by call id, in order.

    A file may leave all ids empty; the first result then belongs to the first call.
    """
    found: dict[str, list[Returned]] = {}
    for step in later:
        if not isinstance(step, Returned):
            break
        found.setdefault(step.call_id, []).append(step)
    return found


def _arguments(call: ProposedCall) -> dict[str, Any] | None:
    """A call's arguments; None if they are not an object or contain a duplicate key."""
    try:
        value = json.loads(
            call.arguments or "{}",
            object_pairs_hook=_without_duplicates,
            parse_constant=_no_number,
            parse_float=_finite,
        )
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _tool_returned(call_id: str, name: str, result: ToolResult) -> ToolReturned:
    return ToolReturned(call_id=call_id, name=name, text=result.text, error=result.error)
