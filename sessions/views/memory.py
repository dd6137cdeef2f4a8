"""What an agent read of its memory: what it looked up, and what it was handed at its turns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sessions.events import ContextAssembled, CustomerSaid, Logged, ToolCalled, ToolReturned
from sessions.events.memory import RETRIEVE


@dataclass(frozen=True, slots=True)
class Reading:
    """Entries that the agent was handed at one moment, in the words that it was handed."""

    seq: int
    turn: int
    entries: tuple[dict[str, Any], ...]
    """Each whole; none where it read only which entries there are."""

    similarity: dict[str, float] = field(default_factory=dict)
    """Cosine to the customer's words by capability, where that is why it was handed."""


def readings(events: Sequence[Logged]) -> list[Reading]:
    """Every time that the agent was given something of its memory, in order."""
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
    """What went with a turn's context without being asked for."""
    entries = (_object(each.capability, each.text) for each in context.recalled)
    cosines = ((each.capability, each.similarity) for each in context.recalled)
    close = {name: cosine for name, cosine in cosines if cosine is not None}
    return Reading(seq, context.turn, tuple(entries), close)


def _object(capability: str, text: str) -> dict[str, Any]:
    """An entry as it was handed; of one that is no entry of the policy, its words."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"capability": capability, "key_insight": text}


def _objects(text: str) -> tuple[dict[str, Any], ...]:
    """The entries in a look-up's answer; none where another program wrote something else."""
    try:
        found = json.loads(text)
    except ValueError:
        return ()
    return (
        tuple(each for each in found if isinstance(each, dict)) if isinstance(found, list) else ()
    )
