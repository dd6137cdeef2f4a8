"""An item of the transcript as a line of words: what every rendering of it starts from.

A screen, a terminal, a web page and a comparison lay these out, each in its own way. They differ
in what they unfold of a card or a look-up, not in what an item is called.
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
    """A character that tells what kind of item it is; empty for the agent's own words."""

    text: str
    speaker: Speaker | None = None
    """Who said it; None for what was done rather than said."""

    aside: str = ""
    """What must be known to read the words: ``about the card``."""

    @property
    def line(self) -> str:
        """Everything but who spoke: ``› (about the card) Is it refundable?``."""
        about = f"({self.aside})" if self.aside else ""
        return " ".join(part for part in (self.mark, about, self.text) if part)


def describe(item: Item) -> Description:
    """An item in words."""
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
