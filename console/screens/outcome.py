"""The outcome: whether the records are where the scenario wants them, or what differs."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Footer

from console.widgets.outcome_text import findings, verdict
from console.widgets.plain import MUTED, MarkedLine, PlainText
from domains.domain import Scenario
from sessions.events import Scored
from sessions.views import SessionStatus


class OutcomeScreen(Screen[str]):
    """How the session came out; its result is ``new`` or ``back``."""

    CSS_PATH = "outcome.tcss"
    HELP = """\
## Outcome

The session's records are compared with every acceptable end of the scenario. What the agent had
to tell you is looked for in its messages.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "dismiss('new')", "New session"),
        Binding("escape,b", "dismiss('back')", "Back to the conversation"),
    ]

    def __init__(self, scored: Scored, scenario: Scenario, now: SessionStatus) -> None:
        """The score, what was played, and where the session stood."""
        super().__init__()
        self._scored = scored
        self._scenario = scenario
        self._now = now

    def compose(self) -> ComposeResult:
        """Verdict first, then what speaks against it, then the figures."""
        good = self._scored.reward >= 1
        with VerticalScroll(id="outcome", classes="-good" if good else "-bad") as box:
            box.border_title = "Outcome"
            box.border_subtitle = Content(self._scenario.id)
            yield PlainText(verdict(self._scored), id="verdict")
            yield PlainText(self._scenario.title, id="scenario")
            for heading, lines in findings(self._scored):
                yield PlainText(heading, classes="heading")
                for line in lines:
                    yield MarkedLine("•", line)
            yield PlainText(self._figures, id="figures")
        with Horizontal(id="ways"):
            yield Button("New session", variant="primary", id="new", compact=True)
            yield Button("Back to the conversation", id="back", compact=True)
        yield Footer()

    @property
    def _figures(self) -> Content:
        now, scored = self._now, self._scored
        said = "yes" if scored.communicated else "no"
        figures = (
            ("reward", f"{scored.reward:g}"),
            ("records match", "yes" if scored.records_match else "no"),
            ("all was said", said),
            ("turns", str(now.turn)),
            ("cards", str(now.cards)),
            ("changes made", str(now.writes)),
            ("turns interrupted", f"{now.interrupted_share:.0%}"),
            ("changes without your word", str(scored.unconsented_writes)),
        )
        return Content("\n").join(
            Content.assemble((f"{name:<28}", MUTED), value) for name, value in figures
        )

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(str(event.button.id))
