"""The top of the Reflection pane: why a session is routine or coupled, and what was sent back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from console.panes.pane import HEADING, Part
from console.widgets.call_text import name_in_words
from console.widgets.plain import MUTED, hanging
from sessions.events import PERSON, GuardFired, Logged, RouteDecided
from sessions.views.panes import blocked_writes, nudges, routes

LATEST = 5
"""The most writes that were sent back to list; the Trace pane lists all of them."""


def routing_parts(log: Sequence[Logged], room: int) -> Iterator[Part]:
    """Yield the current route with its reasons, then the latest nudges and blocked writes."""
    decided = routes(log)
    if decided:
        yield from _route(decided, room)
    for each in nudges(log)[: -LATEST - 1 : -1]:
        yield f"{hanging('reminded of a change you had agreed to', room, indent=0)}\n", HEADING
        yield f"{hanging(each.text, room, indent=2, first=0)}\n\n", MUTED
    for fired in blocked_writes(log)[: -LATEST - 1 : -1]:
        yield from _went_back(fired, room)


def _route(decided: Sequence[RouteDecided], room: int) -> Iterator[Part]:
    coupled = next((each for each in decided if each.latched), None)
    shown = coupled or decided[-1]
    state = f"coupled since turn {shown.turn}" if coupled else "routine"
    by = "you" if shown.by == PERSON else shown.by
    yield f"{hanging(f'{state} · by {by}', room, indent=0)}\n", HEADING
    for feature in shown.features or ("No requests depend on each other so far.",):
        yield f"{hanging(f'- {feature}', room, indent=2, first=0)}\n", ""
    if shown.malformed and shown.raw:
        yield f"{hanging(f'It answered: {shown.raw}', room, indent=2, first=0)}\n", MUTED
    yield "\n", ""


def _went_back(fired: GuardFired, room: int) -> Iterator[Part]:
    heading = f"sent back · {name_in_words(fired.name)}"
    yield f"{hanging(heading, room, indent=0)}\n", HEADING
    yield f"{hanging(f'{fired.guard}: {fired.why}', room, indent=2, first=0)}\n", ""
    yield "\n", ""
