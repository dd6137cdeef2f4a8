"""What an agent read of its memory: from the look-ups in a session's log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sessions.events import CustomerSaid, Logged, ToolCalled, ToolReturned
from sessions.events.memory import RETRIEVE


@dataclass(frozen=True, slots=True)
class Reading:
    """Entries that the agent was handed at one moment, in the words that it was handed."""

    seq: int
    turn: int
    entries: tuple[dict[str, Any], ...]
    """Each whole; none where it read only which entries there are."""


def readings(events: Sequence[Logged]) -> list[Reading]:
    """Every look-up of the memory that gave something, in order."""
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
            case _:
                pass


def _objects(text: str) -> tuple[dict[str, Any], ...]:
    """The entries in a look-up's answer; none where another program wrote something else."""
    try:
        found = json.loads(text)
    except ValueError:
        return ()
    return (
        tuple(each for each in found if isinstance(each, dict)) if isinstance(found, list) else ()
    )
