"""What a card says, in the order in which it deserves attention."""

from __future__ import annotations

import json
from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import var

from console.widgets.plain import MUTED, MarkedLine, PlainText
from sessions.events import Card, Precondition

_MARKS = {"holds": "✓", "fails": "✗", "judge": "?"}


ROOMY = 46
"""Rows of the terminal from which on a card names every check; on smaller ones it counts those
that hold, so that what will be different is in view without scrolling."""


class CardText(Vertical):
    """The words of one card; they never change."""

    DEFAULT_CSS = "CardText { height: auto; }"

    opened: var[bool] = var(False, toggle_class="-opened")
    """Whether the exact call and what every check read are shown."""

    def __init__(self, card: Card, *, roomy: bool) -> None:
        """`roomy` says whether there are rows enough to name the checks that hold."""
        super().__init__(classes="-roomy" if roomy else None)
        self._card = card
        self._roomy = roomy

    def compose(self) -> ComposeResult:
        """What deserves attention first: the sentence, what does not hold, what will differ."""
        card = self._card
        yield PlainText("The agent wants to:", classes="card--lead")
        yield PlainText(card.sentence, classes="card--sentence")
        yield from self._warnings()
        yield from _section("Before", self._before())
        yield from _section("After", (MarkedLine("→", each) for each in card.after))
        yield from _section(
            "No longer possible afterwards",
            (MarkedLine("!", each, classes="card--closes") for each in card.closes),
        )
        yield FoldedCall(card)
        with Vertical(classes="card--details"):
            yield PlainText(exact_call(card), classes="card--call")
            yield from (before_line(each) for each in _holding(card))

    def _before(self) -> Iterator[PlainText | MarkedLine]:
        """The checks one by one that need a look, and those that hold in one breath."""
        for verdict in ("fails", "judge"):
            for each in shown_before(self._card):
                if each.verdict == verdict:
                    yield before_line(each)
        holding = [each.name for each in _holding(self._card)]
        if holding and self._roomy:
            yield MarkedLine("✓", Content("  ✓ ".join(holding)), classes="card--holds")
        elif holding:
            count = f"{len(holding)} check{'s' if len(holding) > 1 else ''} hold"
            text = Content.assemble(count, (" · x lists them", MUTED))
            yield MarkedLine("✓", text, classes="card--holds")

    def _warnings(self) -> Iterator[MarkedLine]:
        if self._card.struck:
            claims = ", ".join(self._card.unsupported)
            struck = Content.assemble(
                "Struck: ", (self._card.struck, "strike"), (f" · not borne out: {claims}", MUTED)
            )
            yield MarkedLine("!", struck, classes="card--warning")
        if self._card.non_ascii:
            found = ", ".join(self._card.non_ascii)
            text = f"Letters beyond ASCII in the call: {found}"
            yield MarkedLine("!", text, classes="card--warning")
        if self._card.removed:
            text = f"Hidden characters were taken out of the call: {', '.join(self._card.removed)}"
            yield MarkedLine("!", text, classes="card--warning")

    def on_folded_call_pressed(self) -> None:
        """Open or close the exact call."""
        self.opened = not self.opened

    def watch_opened(self, opened: bool) -> None:
        """The triangle tells which way it is."""
        self.query_one(FoldedCall).turn(opened)


class FoldedCall(PlainText):
    """The line that stands for the exact call and all checks until it is opened."""

    def __init__(self, card: Card) -> None:
        """Names the tool."""
        super().__init__(classes="card--fold")
        self._tool = card.tool
        self.turn(False)

    def turn(self, opened: bool) -> None:
        """Show whether the call below is open."""
        self.show(Content.assemble(f"{'▾' if opened else '▸'} exact call  ", self._tool))

    def on_click(self) -> None:
        """The mouse opens it too."""
        parent = self.parent
        if isinstance(parent, CardText):
            parent.on_folded_call_pressed()


def shown_before(card: Card) -> tuple[Precondition, ...]:
    """The preconditions that this card shows; a setting keeps the policy's off it."""
    return tuple(each for each in card.before if card.policy_shown or each.source == "tool")


def _holding(card: Card) -> list[Precondition]:
    return [each for each in shown_before(card) if each.verdict == "holds"]


def before_line(each: Precondition) -> MarkedLine:
    """One precondition: what must hold, and what was read."""
    if each.verdict == "judge":
        text = Content.assemble(each.name, (" · for you to judge", MUTED))
    elif each.value:
        text = Content.assemble(each.name, (f" · {each.value}", MUTED))
    else:
        text = Content(each.name)
    return MarkedLine(_MARKS[each.verdict], text, classes=f"card--{each.verdict}")


def exact_call(card: Card) -> Content:
    """The call as pretty JSON, every letter beyond ASCII marked."""
    text = json.dumps(card.arguments, indent=2, ensure_ascii=False)
    parts = [
        (character, "" if character.isascii() else "$warning reverse") for character in text[:8_000]
    ]
    more = f"\n… {len(text) - 8_000:,} more characters" if len(text) > 8_000 else ""
    return Content.assemble(f"{card.tool} ", *_merged(parts), more)


def _merged(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    merged: list[tuple[str, str]] = []
    for text, style in parts:
        if merged and merged[-1][1] == style:
            merged[-1] = (merged[-1][0] + text, style)
        else:
            merged.append((text, style))
    return merged


def _section(
    heading: str, lines: Iterator[PlainText | MarkedLine]
) -> Iterator[PlainText | MarkedLine]:
    found = list(lines)
    if found:
        yield PlainText(heading, classes="card--heading")
        yield from found
