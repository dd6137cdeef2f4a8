"""The dialog with all settings that are not on the start screen, one per line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Button

from console.setup import CLERK, Setup
from console.widgets.choice import Choice
from console.widgets.plain import PlainText
from console.widgets.words import WordsInput

OTHER = "other"
"""The value that stands for a model whose name is typed in."""

NO_MODEL = ""
NO_MEMORY = ""
"""The value that stands for an agent without a memory."""

ROOM = 20
"""The width of the labels, in columns."""

Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class Row:
    """One setting: its name, label and values, and the function that puts a value into words."""

    name: str
    label: str
    values: tuple[Value, ...]
    told: Callable[[Any], str]

    def offered_values(self, now: Value) -> tuple[Value, ...]:
        """The values to choose from, always including the current one."""
        if now in self.values:
            return self.values
        numbers = [each for each in (*self.values, now) if isinstance(each, int | float)]
        return (*(each for each in self.values if each is None), *sorted(numbers))


_WORDS = {
    "confirm": "the change is shown again",
    "execute": "the change is made at once (SABER)",
    "verbatim": "word for word",
    "summaries": "one line each",
    "baseline": "the same in every session",
    "routed": "stricter if requests depend on each other",
    "model": "the agent's own model",
    "rules": "rules, without a model",
}
SWITCHES = (
    Row("after_feedback", "After your words", ("confirm", "execute"), _WORDS.__getitem__),
    Row("declines", "No more cards after", (1, 2, 3, 5, 10), lambda n: f"{n} declined in a turn"),
    Row(
        "attention_checks", "Attention checks", (0.0, 0.05, 0.1, 0.2, 0.5, 1.0),
        lambda share: f"before {share:.0%} of the cards" if share else "none",
    ),
    Row("blocks", "Blocks per turn", (0, 2, 4, 8, 16, 32), lambda n: f"{n}, plus the pinned ones"),
    Row("blocks_as", "Sent", ("verbatim", "summaries"), _WORDS.__getitem__),
    Row("control", "Control", ("baseline", "routed"), _WORDS.__getitem__),
    Row("router", "Requests judged by", ("model", "rules"), _WORDS.__getitem__),
)  # fmt: skip
BUDGET = (
    Row("actions", "Actions at most", (None, 10, 30, 60, 120), lambda n: _text_of_bound(n, "{:,}")),
    Row(
        "tokens", "Tokens at most", (None, 20_000, 100_000, 500_000, 2_000_000),
        lambda n: _text_of_bound(n, "{:,}"),
    ),
    Row(
        "cost", "Cost at most", (None, 0.1, 0.5, 1.0, 5.0, 20.0),
        lambda n: _text_of_bound(n, "${:,.2f}"),
    ),
    Row(
        "seconds", "Time at most", (None, 300.0, 900.0, 1800.0, 3600.0),
        lambda n: _text_of_bound(n and n / 60, "{:g} minutes"),
    ),
)  # fmt: skip


def _text_of_bound(number: float | None, form: str) -> str:
    return "no limit" if number is None else form.format(number)


class SettingsDialog(ModalScreen[Setup | None]):
    """Shows the current settings; Enter returns a changed setup, Esc returns None."""

    CSS_PATH = "dialogs.tcss"
    AUTO_FOCUS = "Choice"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Close"),
        Binding("enter", "take", "Apply"),
        Binding("down", "app.focus_next", "Next", show=False),
        Binding("up", "app.focus_previous", "Previous", show=False),
    ]
    HELP = """\
## Settings

**up** and **down** go from one to the next, **left** and **right** change it, **enter** applies
all.

- a **memory** is what the agent has learned of the policy in earlier sessions, and can look up
- the **second model** phrases cards, reminders and summaries; without one, rules do
- **after your words** on a card the change is shown again, or made at once, as SABER does it
- an **attention check** is a deliberately wrong card, put before the right one: it shows
  whether cards are read, and approving it changes nothing
- **blocks** are parts of the conversation: this many of the most similar ones are sent each turn
- with **routed control** a session whose requests depend on each other counts as coupled; from then
  on each change in it is checked against the records before it becomes a card
- a session that reaches a **limit** ends, and says so
"""

    def __init__(
        self,
        setup: Setup,
        models: Mapping[str, str],
        *,
        memories: Sequence[str] = (),
        begun: bool = False,
    ) -> None:
        """`models` maps names to notes; `memories` are those of the domain.

        For a session that has `begun`, fewer settings can be changed.
        """
        super().__init__()
        now = setup.memory
        self._memories = [*memories, *([now] if now and now not in memories else [])]
        self._setup = setup
        self._models = [name for name in models if name.partition("+")[0] != CLERK]
        self._begun = begun

    def compose(self) -> ComposeResult:
        """Lay out one line per setting, a notice and a button."""
        with Vertical(id="dialog") as dialog:
            dialog.border_title = "Settings"
            dialog.border_subtitle = "esc leaves them as they are"
            if not self._begun:
                yield from self._auxiliary()
                yield self._memory_choice()
            for row, now in self._rows():
                values = row.offered_values(now)
                options = [(str(place), row.told(each)) for place, each in enumerate(values)]
                yield Choice(row.label, options, id=row.name, chosen=values.index(now), room=ROOM)
            yield PlainText(id="dialog-notice")
            yield Button("Apply ⏎", variant="primary", id="dialog-take", compact=True)

    def on_mount(self) -> None:
        """Hide the input line for a model's name until that choice is made."""
        for line in self.query(WordsInput):
            line.display = False

    def _memory_choice(self) -> Choice:
        none = "none" if self._memories else "none: saber memory begin makes one"
        options = [(NO_MEMORY, none), *((each, each) for each in self._memories)]
        now = self._setup.memory
        chosen = self._memories.index(now) + 1 if now else 0
        return Choice("Memory", options, id="memory", chosen=chosen, room=ROOM)

    def _auxiliary(self) -> ComposeResult:
        now = self._setup.auxiliary
        names = [*self._models, *([now] if now and now not in self._models else [])]
        options = [(NO_MODEL, "none: rules are used instead"), *((each, each) for each in names)]
        chosen = names.index(now) + 1 if now else 0
        yield Choice(
            "Second model", [*options, (OTHER, "another, by name")],
            id="auxiliary", chosen=chosen, room=ROOM,
        )  # fmt: skip
        yield WordsInput(placeholder="litellm name, e.g. openai/gpt-4o-mini", id="auxiliary-name")

    def _rows(self) -> Iterator[tuple[Row, Value]]:
        for row in SWITCHES:
            yield row, getattr(self._setup.switches, row.name)
        for row in () if self._begun else BUDGET:
            yield row, getattr(self._setup.budget, row.name)

    @on(Choice.Changed, "#auxiliary")
    def _other_wanted(self, event: Choice.Changed) -> None:
        line = self.query_one("#auxiliary-name", WordsInput)
        line.display = event.value == OTHER
        if line.display:
            line.focus()

    @on(Button.Pressed)
    @on(WordsInput.Submitted)
    def action_take(self) -> None:
        """Return the setup with the chosen values."""
        chosen: dict[str, Any] = {
            row.name: row.offered_values(now)[int(self.query_one(f"#{row.name}", Choice).value)]
            for row, now in self._rows()
        }
        names = {row.name for row in SWITCHES}
        switches = {name: value for name, value in chosen.items() if name in names}
        budget = {name: value for name, value in chosen.items() if name not in names}
        auxiliary = self._setup.auxiliary if self._begun else self._auxiliary_name()
        if auxiliary == OTHER:
            self.query_one("#dialog-notice", PlainText).show("Type the name of a second model.")
            return
        memory = self._setup.memory
        if not self._begun:
            memory = self.query_one("#memory", Choice).value or None
        self.dismiss(
            replace(
                self._setup,
                auxiliary=auxiliary,
                memory=memory,
                switches=replace(self._setup.switches, **switches),
                budget=replace(self._setup.budget, **budget),
            )
        )

    def _auxiliary_name(self) -> str | None:
        """The second model; None for none, OTHER if its name still has to be typed."""
        chosen = self.query_one("#auxiliary", Choice).value
        if chosen == OTHER:
            return self.query_one("#auxiliary-name", WordsInput).value.strip() or OTHER
        return chosen or None

    def action_leave(self) -> None:
        """Close the dialog without changes."""
        self.dismiss(None)
