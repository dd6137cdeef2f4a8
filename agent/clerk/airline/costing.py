"""Whether the change at hand costs anything, asked instead of an answer to what it still needs."""

from __future__ import annotations

from agent.clerk.airline.line import Line
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.words import words_of
from agent.clerk.steps import Tell
from agent.clerk.task import Task

COST = "cost_of_change"
_FREE = "Nothing is charged for writing passengers differently."
_DEPENDS = (
    "That depends on what you choose; you see the amount, and nothing is charged before you agree "
    "to it."
)
_WORDS = {
    "change_passengers": _FREE,
    "change_flights": _DEPENDS,
    "change_cabin": _DEPENDS,
    "book_flight": _DEPENDS,
}
_COST = frozenset({"cost", "costs", "fee", "fees", "charge", "charged", "charges", "free", "pay"})
_AROUND = words_of("around_cost")
_ASKS = frozenset({"does", "kdoes", "do", "will", "would", "is", "are", "how", "what", "am"})
_SHOWN = ("payment", "go")
"""Questions that come with the amount, or ask for it."""


def asks_of_cost(said: Line, talk: Talk) -> bool:
    """Whether words ask nothing but what the change that is spoken of costs."""
    ask, about = talk.ask, talk.about
    if ask is None or about is None or about.closed or about.what_if:
        return False
    told = set(said.words)
    bare = told <= _COST | _AROUND and _names_cost(said) and bool(_ASKS & set(said.words[:3]))
    return bare and about.intent in _WORDS and not ask.slot.startswith(_SHOWN)


def _names_cost(said: Line) -> bool:
    return bool(_COST & set(said.words)) or said.has("how much")


def cost(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What is known of the cost before the details are: nothing, or that it depends on them."""
    intents = (str(each.intent) for each in (talk.about, *talk.open) if each is not None)
    return Tell(next((_WORDS[each] for each in intents if each in _WORDS), _DEPENDS), "answered")
