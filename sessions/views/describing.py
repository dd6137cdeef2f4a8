"""Describe an item of the transcript in one line, the basis of every rendering.

A screen, a terminal, a web page, and a comparison lay these lines out in their own ways. They
differ in how much of a card or look-up they show, not in how they name an item.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from sessions.events import Scored
from sessions.views.items import (
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

Speaker = Literal["customer", "agent", "records"]


@dataclass(frozen=True, slots=True)
class Description:
    """One item in words."""

    mark: str
    """A character that indicates the kind of item; empty for the agent's own words."""

    text: str
    speaker: Speaker | None = None
    """The speaker of the words; None for actions."""

    aside: str = ""
    """Context needed to understand the words: ``about the card``."""

    @property
    def line(self) -> str:
        """Everything except the speaker: ``› (about the card) Is it refundable?``."""
        about = f"({self.aside})" if self.aside else ""
        return " ".join(part for part in (self.mark, about, self.text) if part)


def describe(item: Item) -> Description:
    """The description of an item."""
    match item:
        case CustomerWords() | AgentWords() | CardAnswer():
            return _describe_words(item)
        case LookUp():
            return _look_up(item)
        case CardOutcome() | AttentionCheck() | Note() | Ended():
            return Description(_mark(item), item.text)
        case Fault():
            return Description("!", item.sentence)
        case Interrupted():
            return Description("◼", "The customer stopped the agent.")
        case Result():
            return Description("◆", _result(item.scored))


def _describe_words(item: CustomerWords | AgentWords | CardAnswer) -> Description:
    match item:
        case CustomerWords():
            aside = "about the card" if item.about_card else ""
            return Description("›", item.text, "customer", aside)
        case AgentWords():
            return Description("", item.text, "agent")
        case CardAnswer():
            return Description("·", item.text, "records", "from the records")


def _mark(item: CardOutcome | AttentionCheck | Note | Ended) -> str:
    match item:
        case CardOutcome():
            return "▣"
        case AttentionCheck():
            return "◇" if item.decided.is_caught is False else "◆"
        case Note():
            return "·"
        case Ended():
            return "■"


def _look_up(item: LookUp) -> Description:
    mark = "✗" if item.error else "→" if item.wrote else "⌕"
    arguments = json.dumps(item.arguments, ensure_ascii=False)
    return Description(mark, f"{item.name} {arguments}{'' if item.ran else ' (not run)'}")


def _result(scored: Scored) -> str:
    wrong = "; ".join((*scored.differences, *scored.missing))
    return f"reward {scored.reward:g}{f': {wrong}' if wrong else ''}"
