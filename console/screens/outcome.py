"""The outcome: whether the records are where the scenario wants them, or what differs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Middle, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button

from agent.session.conversation import Conversation
from console.widgets.expected_text import expectations
from console.widgets.key_line import KeyLine
from console.widgets.outcome_text import findings, verdict
from console.widgets.plain import MUTED, MarkedLine, PlainText, fitting
from domains.core.domain import Scenario
from sessions.events import Scored
from sessions.views.outcome import check_lines, tau2_lines

_KINDS = {"✓": "-done", "✗": "-undone", "?": "-open", "·": ""}


class OutcomeScreen(Screen[str]):
    """How the session came out; its result is ``new`` or ``back``."""

    CSS_PATH = "outcome.tcss"
    HELP = """\
## Outcome

The session's records are compared with every acceptable end of the scenario. What the agent had
to tell you is looked for in its messages. *τ²-bench* is what that benchmark would give: by the
basis that the task names, and by its classic one, records and communicated information.

- **up**, **down**, **page up** and **page down** scroll
- **n** a new session, **esc** back to the conversation
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "dismiss('new')", "New session"),
        Binding("escape,b", "dismiss('back')", "Back to the conversation"),
    ]

    def __init__(self, conversation: Conversation, scenario: Scenario, scored: Scored) -> None:
        """The session that has ended, what was played in it, and its score."""
        super().__init__()
        self._conversation = conversation
        self._scenario = scenario
        self._scored = scored

    def compose(self) -> ComposeResult:
        """Verdict first, then what speaks against it, what was expected, and the figures."""
        good = self._scored.reward >= 1
        with (
            Middle(id="room"),
            VerticalScroll(id="outcome", classes="-good" if good else "-bad") as box,
        ):
            box.border_title = "Outcome"
            box.border_subtitle = fitting(Content(self._scenario.id))
            yield PlainText(verdict(self._scored), id="verdict")
            yield PlainText(self._scenario.title, id="scenario")
            yield from self._against()
            yield from self._expectation_lines()
            yield from self._check_lines()
            yield PlainText("Figures", classes="heading")
            yield PlainText(self._figures)
        with Horizontal(id="ways"):
            yield Button("New session", variant="primary", id="new", compact=True)
            yield Button("Back to the conversation", id="back", compact=True)
        yield KeyLine()

    def _against(self) -> Iterator[PlainText | MarkedLine]:
        for heading, lines in findings(self._scored):
            yield PlainText(heading, classes="heading")
            for line in lines:
                yield MarkedLine("•", line)

    def _expectation_lines(self) -> Iterator[PlainText | MarkedLine]:
        held = self._conversation
        told = expectations(held.domain, self._scenario, self._scored, held.log.events)
        for heading, entries in told:
            yield PlainText(heading, classes="heading")
            for each in entries:
                yield MarkedLine(each.mark, each.text, classes=_KINDS[each.mark])

    def _check_lines(self) -> Iterator[PlainText | MarkedLine]:
        lines = (*tau2_lines(self._scored), *check_lines(self._scored))
        if lines:
            yield PlainText("Rewards and checks", classes="heading")
            yield from (MarkedLine("·", line) for line in lines)

    @property
    def _figures(self) -> Content:
        now, scored = self._conversation.status, self._scored
        figures = (
            ("reward", f"{scored.reward:g}"),
            ("records match", _yes(scored.records_match)),
            ("all was said", _yes(scored.communicated)),
            ("turns", str(now.turn)),
            ("cards", str(now.cards)),
            ("changes made", str(now.writes)),
            ("turns interrupted", f"{now.interrupted_share:.0%}"),
            ("changes without your yes", str(scored.unconsented_writes)),
        )
        return Content("\n").join(
            Content.assemble((f"{name:<28}", MUTED), value) for name, value in figures
        )

    @on(Button.Pressed)
    def _dismiss_with_button(self, event: Button.Pressed) -> None:
        self.dismiss(str(event.button.id))


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
