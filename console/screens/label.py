"""The dialog for labelling the current card or event of a replay, or the whole session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen

from agent.session.replay import Replay
from console.widgets.choice import Choice
from console.widgets.label_line import places
from console.widgets.plain import PlainText
from console.widgets.words import WordsInput
from sessions.cleaning import clean
from sessions.events import Labelled, Verdict
from sessions.review.labelling import LabelDesk, NotLabelled, make_label, split_tags
from sessions.store.errors import StoreError
from sessions.views.labels import Place

_LINES = (
    ("Why", "in your words, and #tags to find it by", "label-words"),
    ("By", "your name", "label-by"),
)

VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "unclear")


class LabelDialog(ModalScreen[Labelled | None]):
    """Asks for a verdict, a reason and the labeller's name; Esc returns None."""

    CSS_PATH = "label.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "say('right')", "Right"),
        Binding("w", "say('wrong')", "Wrong"),
        Binding("u", "say('unclear')", "Unclear"),
        Binding("enter", "keep", "Keep"),
        Binding("escape", "leave", "Close"),
    ]

    def __init__(self, places: Sequence[tuple[Place, str]], by: str) -> None:
        """`places` are the named things to label, nearest first; `by` is the default name."""
        super().__init__()
        self._places = list(places)
        self._by = by

    def compose(self) -> ComposeResult:
        """Lay out what is labelled, the verdict, the reason and the name."""
        about = [(str(number), text) for number, (_, text) in enumerate(self._places)]
        said = [("", "r right · w wrong · u unclear"), *((each, each) for each in VERDICTS)]
        with Vertical(id="label") as dialog:
            dialog.border_title = "Label"
            dialog.border_subtitle = "enter saves it · tab goes on · esc closes"
            yield Choice("About", about, id="label-about")
            yield Choice("It is", said, id="label-verdict")
            for name, placeholder, field in _LINES:
                with Horizontal(classes="line"):
                    yield PlainText(name, classes="name")
                    yield WordsInput(placeholder=placeholder, id=field)
            yield PlainText(id="label-notice")

    def on_mount(self) -> None:
        """Focus the first choice: left and right pick what to label, letters the verdict."""
        self.query_one("#label-by", WordsInput).value = self._by
        self.query_one("#label-about").focus()

    def action_say(self, verdict: Verdict) -> None:
        """Choose the verdict and move on to the reason."""
        self.query_one("#label-verdict", Choice).index = 1 + VERDICTS.index(verdict)
        self.query_one("#label-notice", PlainText).show("")
        self.query_one("#label-words").focus()

    @on(WordsInput.Submitted)
    def _keep_on_enter(self) -> None:
        self.action_keep()

    def action_keep(self) -> None:
        """Return the label, or say what is missing."""
        verdict = self.query_one("#label-verdict", Choice).value
        if not verdict:
            self._show_missing(
                "First say what it is: r right, w wrong, u unclear.", "#label-verdict"
            )
            return
        place, _ = self._places[int(self.query_one("#label-about", Choice).value)]
        note, tags = split_tags(self.query_one("#label-words", WordsInput).value)
        by = self.query_one("#label-by", WordsInput).value
        try:
            given = make_label(place, cast(Verdict, verdict), tags=tags, note=note, by=by)
        except NotLabelled as error:
            self._show_missing(str(error), "#label-by")
        else:
            self.dismiss(given)

    def _show_missing(self, sentence: str, where: str) -> None:
        self.query_one("#label-notice", PlainText).show(sentence)
        self.query_one(where).focus()

    def action_leave(self) -> None:
        """Close the dialog without a label."""
        self.dismiss(None)


async def ask_for_label(app: App[Any], replay: Replay, desk: LabelDesk) -> str:
    """Ask for a label at the replay's position and store it; return an error sentence or ""."""
    label = await app.push_screen_wait(LabelDialog(places(replay), desk.by))
    if label is not None:
        try:
            replay.grow(await desk.keep(replay.status.session, label))
        except StoreError as error:
            return clean(str(error))
    return ""
