"""The outcome screen: whether the records reached an acceptable end, or how they differ.

After free play, in which nothing was expected, it lists what was changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Middle, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button

from agent.memory.evidence import PERSON
from agent.session.conversation import Conversation
from console.screens.dialogs import PickDialog
from console.widgets.expected_text import expectations
from console.widgets.key_line import KeyLine
from console.widgets.marked_line import HangingLine
from console.widgets.outcome_text import findings, verdict
from console.widgets.plain import MUTED, PlainText, shorten_and_clean
from domains.core.domain import Scenario
from sessions.cleaning import clean
from sessions.events import Scored
from sessions.review.labelling import NotLabelled, make_label
from sessions.review.reviewer import login
from sessions.store.errors import StoreError
from sessions.views import decision_rows
from sessions.views.labels import WHOLE, label_words
from sessions.views.outcome import check_lines, tau2_lines

_STYLES = {"✓": "$text-success", "✗": "$text-error"}
"""The styles of the marks that report a result; all other marks are only decoration."""


Figures = tuple[tuple[str, str], ...]
"""Pairs of a name and its value."""


@dataclass(frozen=True, slots=True)
class ScoredScenario:
    """The scenario that a session is compared with, and its score."""

    scenario: Scenario
    scored: Scored


class OutcomeScreen(Screen[str]):
    """Shows the outcome of a session; its result is ``new`` or ``back``."""

    CSS_PATH = "outcome.tcss"
    HELP = """\
## Outcome

The session's records are compared with every acceptable end of the scenario. What the agent had
to tell you is looked for in its messages. *τ²-bench* is what that benchmark would give: by the
basis that the task names, and by its classic one, records and communicated information. Free play
has no scenario: what was changed is listed, and nothing is scored.

- **up**, **down**, **page up** and **page down** scroll
- **w** says what was wrong, in your words: a label on the session, from which an agent with a
  memory can learn
- **n** a new session, **esc** back to the conversation
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "dismiss('new')", "New session"),
        Binding("escape,b", "dismiss('back')", "Back"),
        Binding("w", "say_what_was_wrong", "What was wrong?"),
    ]

    def __init__(
        self, conversation: Conversation, against: ScoredScenario | None, remark: str = ""
    ) -> None:
        """`against` is the scenario and score to show; None after free play.

        `remark` is an additional text about what the session may teach the agent's memory.
        """
        super().__init__()
        self._conversation = conversation
        self._against = against
        self._remark = remark

    def compose(self) -> ComposeResult:
        """Lay out the verdict, the problems found, what was expected, and the figures."""
        good = self._against is None or self._against.scored.reward >= 1
        with (
            Middle(id="room"),
            VerticalScroll(id="outcome", classes="-good" if good else "-bad") as box,
        ):
            box.border_title = "Outcome"
            if self._against is None:
                yield from self._free_play_lines()
            else:
                box.border_subtitle = shorten_and_clean(Content(self._against.scenario.id))
                yield from self._lines_of_score(self._against)
            yield PlainText("Figures", classes="heading")
            yield PlainText(self._figures)
            if self._remark:
                yield PlainText("Memory", classes="heading")
                yield PlainText(self._remark)
        with Horizontal(id="ways"):
            yield Button("New session", variant="primary", id="new", compact=True)
            yield Button("Back to the conversation", id="back", compact=True)
        yield KeyLine()

    def _free_play_lines(self) -> Iterator[PlainText]:
        yield PlainText("Free play: nothing was expected, so nothing is scored.", id="verdict")
        rows = decision_rows(self._conversation.log.events)
        made = [row.card.sentence for row in rows if row.written and not row.written.error]
        yield PlainText("What was changed" if made else "Nothing was changed.", classes="heading")
        yield from (_marked("✓", sentence) for sentence in made)

    def _lines_of_score(self, against: ScoredScenario) -> Iterator[PlainText]:
        scored = against.scored
        yield PlainText(verdict(scored), id="verdict")
        yield PlainText(against.scenario.title, id="scenario")
        for heading, lines in findings(scored):
            yield PlainText(heading, classes="heading")
            yield from (_marked("•", line) for line in lines)
        yield from self._expectation_lines(against)
        lines = (*tau2_lines(scored), *check_lines(scored))
        if lines:
            yield PlainText("Rewards and checks", classes="heading")
            yield from (_marked("·", line) for line in lines)

    def _expectation_lines(self, against: ScoredScenario) -> Iterator[PlainText]:
        held = self._conversation
        told = expectations(held.domain, against.scenario, against.scored, held.log.events)
        for heading, entries in told:
            yield PlainText(heading, classes="heading")
            for each in entries:
                yield _marked(each.mark, each.text)

    @property
    def _figures(self) -> Content:
        now, against = self._conversation.status, self._against
        figures = (
            *(_verdict_figures(against.scored) if against else ()),
            ("turns", str(now.turn)),
            ("cards", str(now.cards)),
            ("changes made", str(now.writes)),
            ("turns with a card", f"{now.interrupted_share:.0%}"),
            *(_consent_figures(against.scored) if against else ()),
        )
        return Content("\n").join(
            Content.assemble((f"{name:<28}", MUTED), value) for name, value in figures
        )

    @work(group="wrong", exclusive=True)
    async def action_say_what_was_wrong(self) -> None:
        """Ask the user what was wrong, and append the words as a label on the session."""
        typed = "what the agent should have done, in your words"
        words = await self.app.push_screen_wait(PickDialog("What was wrong?", [], typed=typed))
        if words is None:
            return
        try:
            label = make_label(WHOLE, "wrong", note=words, by=login() or PERSON)
            await self._conversation.log.append(label)
        except (NotLabelled, StoreError) as error:
            told = clean(str(error))
            self.notify(told, markup=False, severity="warning")
            return
        box = self.query_one("#outcome", VerticalScroll)
        if not self.query("#said"):
            await box.mount(PlainText("What you said about it", id="said", classes="heading"))
        await box.mount(_marked("✎", label_words(label)))
        box.scroll_end(animate=False)

    @on(Button.Pressed)
    def _dismiss_with_button(self, event: Button.Pressed) -> None:
        self.dismiss(str(event.button.id))


def _verdict_figures(scored: Scored) -> Figures:
    return (
        ("reward", f"{scored.reward:g}"),
        ("records match", _yes_or_no(scored.records_match)),
        ("everything needed was said", _yes_or_no(scored.communicated)),
    )


def _consent_figures(scored: Scored) -> Figures:
    return (("changes without your yes", str(scored.unconsented_writes)),)


def _yes_or_no(holds: bool) -> str:
    return "yes" if holds else "no"


def _marked(mark: str, text: str) -> HangingLine:
    return HangingLine(mark, text, style=_STYLES.get(mark, "$text-warning"))
