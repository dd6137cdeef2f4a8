"""The Reflection pane: what the agent was reminded of before each change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from console.panes.pane import HEADING, Pane, Part, hanging
from console.widgets.plain import MUTED
from sessions.events import (
    AnyEvent,
    Card,
    CardShown,
    DecisionMade,
    ModelAnswered,
    ReflectionWritten,
)
from sessions.views import Reflection, reflections

LATEST = 5
"""How many reflections are listed; the trace has them all."""

_MARKS = {"holds": "✓", "fails": "✗", "judge": "?"}
_STYLES = {"holds": "$text-success", "fails": "$text-error", "judge": "$text-warning"}


class ReflectionPane(Pane):
    """What the agent was reminded of, the policy lines behind it, and what it then did."""

    TITLE = "Reflection"
    EMPTY = (
        "Before each change the agent is handed a reminder: what you asked for, and the policy "
        "lines that bear on it. The first one appears here."
    )
    CHANGED_BY: ClassVar[tuple[type[AnyEvent], ...]] = (
        ReflectionWritten, ModelAnswered, CardShown, DecisionMade,
    )  # fmt: skip
    HELP = """\
## Reflection

Before a change is put to you, the agent is reminded of what you asked for and of the policy lines
that bear on it, and may think again. Newest first.
"""

    def parts(self) -> Sequence[Part]:
        """The checks kept off the card that waits, then the latest reflections."""
        events = self.conversation.log.events
        told: list[Part] = []
        card = self.conversation.status.waiting_card
        if card is not None and not card.policy_shown:
            told.extend(_kept_off(card))
        for reflection in list(reversed(reflections(events)))[:LATEST]:
            told.extend(_told(reflection, self.room))
        return told


def _kept_off(card: Card) -> Iterator[Part]:
    yield "Policy checks kept off the card\n", HEADING
    for each in card.before:
        if each.source == "policy":
            yield f"{_MARKS[each.verdict]} ", _STYLES[each.verdict]
            yield each.name, ""
            yield (f" · {each.value}\n" if each.value else "\n"), MUTED
    yield "\n", ""


def _told(reflection: Reflection, room: int) -> Iterator[Part]:
    written = reflection.written
    yield f"turn {reflection.turn} · {written.call_name}\n", HEADING
    for line in written.text.strip().splitlines():
        yield f"{hanging(line, room, indent=2 if line.startswith('- ') else 0, first=0)}\n", ""
    for line in written.policy_lines:
        if line not in written.text:
            yield f"§ {hanging(line, room, indent=2)}\n", MUTED
    if reflection.answer is not None:
        yield f"Then: {_then(reflection)}\n", "$text-accent"
    yield "\n", ""


def _then(reflection: Reflection) -> str:
    """What the agent did in view of the reminder."""
    answer = reflection.answer
    if answer is None or not answer.calls:
        return "the agent answered in words instead"
    names = ", ".join(call.name for call in answer.calls)
    if reflection.written.call_name in [call.name for call in answer.calls]:
        return f"the agent proposed {names}"
    return f"the agent turned to {names}"
