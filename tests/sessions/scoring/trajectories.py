"""A conversation as our log and as τ²-bench's messages, both made from the same steps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from domains.core.domain import Domain
from domains.core.tool import ToolCall
from sessions.events import (
    AgentSaid,
    AnyEvent,
    CardShown,
    CustomerSaid,
    Logged,
    ModelAnswered,
    ProposedCall,
    SessionEnded,
    ToolCalled,
    ToolReturned,
    WriteApplied,
)
from tests.sessions.toy import applied, card, decided, log_of, started, used


@dataclass(frozen=True)
class Agent:
    """Words of the agent to the customer."""

    text: str


@dataclass(frozen=True)
class Customer:
    """Words of the customer."""

    text: str


@dataclass(frozen=True)
class Declined:
    """A change that the agent proposed and the customer did not want."""

    call: ToolCall


Step = Agent | Customer | ToolCall | Declined


def log_of_steps(domain: Domain, steps: Iterable[Step], ended: str = "customer") -> list[Logged]:
    """The log that the loop would leave of these steps."""
    records = domain.records()
    events: list[AnyEvent] = [started(domain)]
    for number, step in enumerate(steps):
        match step:
            case Agent(text):
                events.append(AgentSaid(text=text))
            case Customer(text):
                events.append(CustomerSaid(text=text, turn=number + 1))
            case Declined(call):
                events.append(_proposed(f"c{number}", call))
                events += [_shown(number, call), decided(f"k{number}", "reject")]
            case ToolCall():
                events += _called(domain, records, number, step)
    return log_of(*events, SessionEnded.model_validate({"reason": ended}))


def _called(domain: Domain, records: Any, number: int, call: ToolCall) -> list[AnyEvent]:
    call_id, card_id = f"c{number}", f"k{number}"
    events: list[AnyEvent] = [_proposed(call_id, call)]
    if not domain.tools.mutates(call.name):
        arguments = dict(call.arguments)
        events.append(ToolCalled(call_id=call_id, name=call.name, arguments=arguments))
        return [*events, _returned(call_id, call, records.look_up(call))]
    preview = records.preview(call)
    if preview.result.error:
        return [*events, _returned(call_id, call, preview.result)]
    write = applied(records, card_id, call).model_copy(update={"call_id": call_id})
    return [*events, _shown(number, call), decided(card_id, "approve"), used(card_id), write]


def _shown(number: int, call: ToolCall) -> CardShown:
    return CardShown(card=card(f"k{number}", call, f"c{number}"), words_digest="w")


def _proposed(call_id: str, call: ToolCall) -> ModelAnswered:
    text = json.dumps(call.arguments)
    proposed = ProposedCall(id=call_id, name=call.name, arguments=text)
    return ModelAnswered(model="clerk", text="", calls=(proposed,))


def _returned(call_id: str, call: ToolCall, result: Any) -> ToolReturned:
    return ToolReturned(call_id=call_id, name=call.name, text=result.text, error=result.error)


def messages_of(events: Sequence[Logged]) -> list[dict[str, Any]]:
    """τ²-bench's messages of a log: every call that ran, with the result that it had here."""
    found: list[dict[str, Any]] = []
    arguments: dict[str, dict[str, Any]] = {}
    for logged in events:
        match logged.event:
            case AgentSaid(text=text):
                found.append({"role": "assistant", "content": text})
            case CustomerSaid(text=text):
                found.append({"role": "user", "content": text})
            case ModelAnswered(calls=calls):
                arguments |= {each.id: json.loads(each.arguments) for each in calls}
            case ToolReturned(ran=True) as back:
                found += _exchange(back, arguments[back.call_id], back.text)
            case WriteApplied() as back:
                found += _exchange(back, arguments[back.call_id], back.result)
            case _:
                pass
    return found


def _exchange(
    back: ToolReturned | WriteApplied, arguments: dict[str, Any], text: str
) -> list[dict[str, Any]]:
    call = {"id": back.call_id, "name": back.name, "arguments": arguments}
    return [
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "id": back.call_id, "content": text, "error": back.error},
    ]
