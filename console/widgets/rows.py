"""The widgets for the items of the transcript; most are a single piece of text."""

from __future__ import annotations

import json
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import var
from textual.widget import Widget

from console.widgets.exact_call import exact_call
from console.widgets.marked_line import HangingLine
from console.widgets.outcome_text import verdict
from console.widgets.plain import MUTED, PlainText, shorten
from console.widgets.prose import Prose
from sessions.views import (
    AgentWords,
    AttentionCheck,
    CardAnswer,
    CardOutcome,
    CustomerWords,
    Ended,
    Fault,
    Interrupted,
    Item,
    LookUp,
    Note,
    Result,
)
from sessions.views.describing import describe

DETAIL = 4_000
"""The most characters of a look-up's result that its opened row shows."""


def row_for(item: Item) -> Widget:
    """The widget that shows an item."""
    match item:
        case AgentWords():
            return _agent(item.text)
        case LookUp():
            return FoldedRow(*_look_up(item), classes="row -lookup")
        case CardOutcome():
            return _card_row(item)
        case AttentionCheck():
            return _check_row(item)
        case _:
            return _note_row(item)


_Line = CustomerWords | CardAnswer | Fault | Interrupted | Note | Ended | Result

_KINDS: dict[type[_Line], str] = {
    CustomerWords: "-customer",
    Fault: "-fault",
    Ended: "-ended",
    Result: "-ended",
}
"""The style class of an item's row; all other items are shown as notes."""


def _note_row(item: _Line) -> Widget:
    """A row for an item with a single text: its mark and its words."""
    kind = _KINDS.get(type(item), "-note")
    style = "bold $primary" if isinstance(item, CustomerWords) else ""
    return HangingLine(describe(item).mark, _words(item), f"row {kind}", style)


def _words(item: _Line) -> Content | str:
    match item:
        case CustomerWords() | CardAnswer():
            aside = describe(item).aside
            return Content.assemble(shorten(item.text), (f" · {aside}" if aside else "", MUTED))
        case Fault():
            return _fault(item)
        case Interrupted():
            return _interruption(item)
        case Result():
            return verdict(item.scored)
        case Note() | Ended():
            return item.text


def _agent(text: str) -> Widget:
    prose = Prose(text)
    prose.add_class("row", "-agent")
    return prose


class FoldedRow(Vertical):
    """Shows one line that unfolds on Enter or a click."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "turn", "Open/close")]
    BINDING_GROUP_TITLE = "Row"
    can_focus = True

    opened: var[bool] = var(False, toggle_class="-opened")

    def __init__(self, line: Content, detail: Content, *, classes: str) -> None:
        """`line` is always shown, `detail` only when the row is opened."""
        super().__init__(classes=classes)
        self._line = line
        self._detail = detail

    def compose(self) -> ComposeResult:
        """Lay out only the line; the detail is mounted when it is first opened."""
        yield PlainText(self._line, classes="row--line")

    def action_turn(self) -> None:
        """Open or close the row."""
        self.opened = not self.opened

    def on_click(self) -> None:
        """Open or close the row, as the key does."""
        self.action_turn()

    async def watch_opened(self, opened: bool) -> None:
        """Mount the detail when the row is first opened."""
        if opened and not self.query(".row--detail"):
            await self.mount(PlainText(self._detail, classes="row--detail"))


def _look_up(item: LookUp) -> tuple[Content, Content]:
    arguments = ", ".join(str(value) for value in item.arguments.values())
    mark = describe(item).mark
    style = {"✗": "$text-error", "→": "$text-warning"}.get(mark, "$primary")
    tail = "" if item.ran else " · not run"
    line = Content.assemble(
        (f"{mark} ", style),
        (item.name.replace("_", " "), MUTED),
        (f"  {shorten(arguments, 100)}{tail}", MUTED),
    )
    call = f"{item.name}({json.dumps(item.arguments, ensure_ascii=False)})\n"
    detail = Content.assemble((shorten(call, DETAIL), "bold"), _pretty(item.result))
    return line, detail


def _pretty(result: str) -> str:
    """JSON with indentation, any other text as it is."""
    if len(result) > DETAIL:
        return shorten(result, DETAIL)
    try:
        return json.dumps(json.loads(result), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return result


def _card_row(item: CardOutcome) -> FoldedRow:
    kind = "-applied" if item.applied else "-declined"
    when = _clock(item.at)
    line = Content.assemble(item.headline, (f"  {when}\n", MUTED), shorten(item.card.sentence))
    detail = Content.assemble(
        *((f"→ {each}\n", "") for each in item.card.after), exact_call(item.card)
    )
    return FoldedRow(line, detail, classes=f"row -card {kind}")


def _check_row(item: AttentionCheck) -> FoldedRow:
    """The row of an attention check: its result and, when opened, what its card said."""
    style = "$text-warning" if item.decided.is_caught is False else "$primary"
    card = item.shown.card
    detail = Content.assemble(
        (f"It said: {shorten(card.sentence)}\n", ""),
        *((f"→ {each}\n", "") for each in card.after),
        exact_call(card),
    )
    return FoldedRow(
        Content.assemble((f"{describe(item).mark} ", style), item.text),
        detail,
        classes="row -check",
    )


def _clock(at: str) -> str:
    from datetime import datetime

    return datetime.fromisoformat(at).astimezone().strftime("%H:%M")


def _fault(item: Fault) -> Content:
    again = "" if item.retry_in is None else f" Trying again in {item.retry_in:.0f} s."
    partial = f"{shorten(item.partial)}\n" if item.partial else ""
    return Content.assemble((partial, MUTED), item.sentence, again)


def _interruption(item: Interrupted) -> Content:
    partial = f"{shorten(item.partial)}\n" if item.partial else ""
    return Content.assemble((partial, MUTED), ("You stopped the agent.", "italic"))
