"""What an agent read from its memory: by look-up, or handed to it at the start of a turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sessions.events import ContextAssembled, CustomerSaid, Logged, ToolCalled, ToolReturned
from sessions.events.memory import RETRIEVE


@dataclass(frozen=True, slots=True)
class Reading:
    """Entries that the agent was handed at one moment, in the same words."""

    seq: int
    turn: int
    entries: tuple[dict[str, Any], ...]
    """The whole entries; empty if the agent only read which entries exist."""

    similarity: dict[str, float] = field(default_factory=dict)
    """Cosine similarity to the customer's words by capability, if entries were chosen by that."""


def readings(events: Sequence[Logged]) -> list[Reading]:
    """Every time that the agent was given something from its memory, in order."""
    return list(_readings(events))


def capabilities_read(events: Sequence[Logged]) -> frozenset[str]:
    """The capabilities whose entries the agent was handed whole."""
    return frozenset(
        str(entry.get("capability")) for each in _readings(events) for entry in each.entries
    )


def _readings(events: Sequence[Logged]) -> Iterator[Reading]:
    turn = 0
    whole: set[str] = set()
    for logged in events:
        match logged.event:
            case CustomerSaid(turn=turn):
                pass
            case ToolCalled(name=name, call_id=call, arguments=asked) if name == RETRIEVE:
                whole.discard(call)
                if asked.get("capabilities"):
                    whole.add(call)
            case ToolReturned(name=name, error=False, ran=True) as given if name == RETRIEVE:
                told = _objects(given.text) if given.call_id in whole else ()
                yield Reading(logged.seq, turn, told)
            case ContextAssembled(recalled=recalled) as context if recalled:
                yield _reading_of(logged.seq, context)
            case _:
                pass


def _reading_of(seq: int, context: ContextAssembled) -> Reading:
    """What was handed over with a turn's context without being asked for."""
    entries = (_object(each.capability, each.text) for each in context.recalled)
    cosines = ((each.capability, each.similarity) for each in context.recalled)
    close = {name: cosine for name, cosine in cosines if cosine is not None}
    return Reading(seq, context.turn, tuple(entries), close)


def _object(capability: str, text: str) -> dict[str, Any]:
    """An entry as it was handed; if it is not a policy entry, its text in the same form."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"capability": capability, "key_insight": text}


def _objects(text: str) -> tuple[dict[str, Any], ...]:
    """The entries in a look-up's answer; empty if another program wrote something else."""
    try:
        found = json.loads(text)
    except ValueError:
        return ()
    return (
        tuple(each for each in found if isinstance(each, dict)) if isinstance(found, list) else ()
    )
