"""The Reflection pane: what the agent was reminded of before each change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from agent.reflection.reflection import OPENING
from console.panes.pane import HEADING, Pane, Part, rows_of
from console.panes.routing import routing_parts
from console.panes.verifying import parts_of_verifying
from console.widgets.call_text import arguments_in_words, exactly, name_in_words
from console.widgets.plain import MUTED, hanging
from sessions.events import (
    AgentNudged,
    AnyEvent,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    DecisionMade,
    GuardFired,
    ModelAnswered,
    ReflectionWritten,
    RouteDecided,
    WriteVerified,
)
from sessions.views import Reflection, reflections

LATEST = 5
"""The most reflections to list; the Trace pane lists all of them."""

_MARKS = {"holds": "✓", "fails": "✗", "judge": "?"}
_STYLES = {"holds": "$text-success", "fails": "$text-error", "judge": "$text-warning"}


class ReflectionPane(Pane):
    """Shows the reminders, the policy lines behind them, and what the agent did next."""

    TITLE = "Reflection"
    HINT = "F2 here · x exact calls · esc back"
    EMPTY = (
        "Before each change the agent is given a reminder: what you asked for, and the policy "
        "lines that apply to it. The first one appears here."
    )
    CHANGED_BY: ClassVar[tuple[type[AnyEvent], ...]] = (
        ReflectionWritten, ModelAnswered, CardShown, DecisionMade,
        AttentionCheckShown, AttentionCheckDecided, RouteDecided, GuardFired,
        WriteVerified, AgentNudged,
    )  # fmt: skip
    HELP = """\
## Reflection

Before a change is put to you, the agent is reminded of what you asked for and of the policy lines
that apply to it, and may reconsider. Newest first. **x** or a click on *exact call* shows each call
as it is in the log.

With routed control, the top shows why the session counts as routine or coupled, which changes went
back to the agent before you were asked, and what came of those that were
verified: whether the change was kept, what took its place, and what the verifier said.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "exact_call", "Exact call", show=False),
    ]
    FOCUS_ON_CLICK = False  # keep the focus on the user's message

    _exact = False
    """Whether the exact calls are shown as they are in the log."""

    _folds: tuple[int, ...] = ()
    """The rows of the text that open and close the exact calls when clicked."""

    def action_exact_call(self) -> None:
        """Show or hide the exact calls."""
        self._exact = not self._exact
        self.draw()

    def on_click(self, event: events.Click) -> None:
        """Show or hide the exact calls if one of their rows was clicked."""
        if self.row_under_mouse(event) in self._folds:
            self.action_exact_call()

    def parts(self) -> Sequence[Part]:
        """The checks left off the pending card, the routing, the verdicts and the reflections."""
        log = self.conversation.log.events
        told: list[Part] = []
        card = self.conversation.status.card_to_decide
        if card is not None and not card.policy_shown:
            told.extend(_parts_kept_off_card(card, self.room))
        told.extend(routing_parts(log, self.room))
        told.extend(parts_of_verifying(log, self.room))
        folds: list[int] = []
        for reflection in list(reversed(reflections(log)))[:LATEST]:
            told.extend(_call(reflection, self.room))
            folds.append(rows_of(told))
            told.extend(_exact_call(reflection, self.room, opened=self._exact))
            told.extend(_reminder_parts(reflection, self.room))
        self._folds = tuple(folds)
        return told


def _parts_kept_off_card(card: Card, room: int) -> Iterator[Part]:
    yield "Policy checks kept off the card\n", HEADING
    for each in card.before:
        if each.source == "policy":
            yield f"{_MARKS[each.verdict]} ", _STYLES[each.verdict]
            yield f"{hanging(each.name, room, indent=2)}\n", ""
            for told in filter(None, (each.value, card.relaxing_text_for(each.name))):
                yield f"  {hanging(told, room, indent=2)}\n", MUTED
    for learned in card.standalone_learned:
        yield "? ", _STYLES["judge"]
        yield f"{hanging(learned, room, indent=2)}\n", ""
    yield "\n", ""


def _call(reflection: Reflection, room: int) -> Iterator[Part]:
    """Yield the change the agent was about to make, in words."""
    written = reflection.written
    heading = f"turn {reflection.turn} · {name_in_words(written.call_name)}"
    yield f"{hanging(heading, room, indent=0)}\n", HEADING
    for name, value in arguments_in_words(written.arguments):
        yield f"{name}  ", MUTED
        yield f"{hanging(value, room, indent=4, first=len(name) + 2)}\n", ""


def _exact_call(reflection: Reflection, room: int, *, opened: bool) -> Iterator[Part]:
    yield f"{'▾' if opened else '▸'} exact call\n", MUTED
    if opened:
        call = exactly(reflection.written.call_name, reflection.written.arguments)
        for line in call.splitlines():
            margin = len(line) - len(line.lstrip()) + 2
            value = hanging(line.strip(), room, indent=margin + 2, first=margin)
            yield f"{' ' * margin}{value}\n", ""


def _reminder_parts(reflection: Reflection, room: int) -> Iterator[Part]:
    """Yield the reminder without its opening line, which repeats the call shown above it."""
    written = reflection.written
    for line in written.text.strip().splitlines():
        if line.startswith(OPENING):
            continue
        yield f"{hanging(line, room, indent=2 if line.startswith('- ') else 0, first=0)}\n", ""
    for line in written.policy_lines:
        if line not in written.text:
            yield f"§ {hanging(line, room, indent=2)}\n", MUTED
    if reflection.answer is not None:
        yield f"{hanging(f'Then: {_then(reflection)}', room, indent=2, first=0)}\n", "$text-accent"
    yield "\n", ""


def _then(reflection: Reflection) -> str:
    """What the agent did after the reminder, in words."""
    answer = reflection.answer
    if answer is None or not answer.calls:
        return "the agent answered in words instead"
    names = ", ".join(name_in_words(call.name) for call in answer.calls)
    if reflection.written.call_name in [call.name for call in answer.calls]:
        return f"the agent proposed {names}"
    return f"the agent turned to {names}"
