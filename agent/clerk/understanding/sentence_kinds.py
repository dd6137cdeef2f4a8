"""Tells what a sentence does besides requesting: it asks, keeps, adds, or waits."""

from __future__ import annotations

from collections.abc import Collection

from agent.clerk.understanding.mention_roles import roles_of
from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.tokens import Tokens, has, span, tokens
from agent.comparison.sentences import sentences

_BRIEF = 11
"""The most words of a sentence that only asks for a moment."""


def stays(words: Tokens) -> bool:
    """Whether something is to stay as it is; "all else stays" keeps only the rest.

    "You keep sending" keeps nothing.
    """
    if has(words, "everything else", "all else", "the rest"):
        return False
    keeps = ("keep" in words[:-1]) and not words[words.index("keep") + 1].endswith("ing")
    said = keeps or tells(words, "keeping") or tells(words, "stays")
    return said or words[-1:] in (("stays",), ("stay",))


def refuses_human(text: str) -> bool:
    """Whether a text wants no human agent: "no need for a human", not "a human, no AI agent"."""
    return keeps_out(text, GENERAL.words["human agents"]) and not text.rstrip().endswith("?")


def keeps_out(text: str, called: Collection[str]) -> bool:
    """Whether a text does not want what is called by these words, wherever it is spoken of."""
    named = (n for n, word in enumerate(tokens(text)) if word in called)
    roles = roles_of(text, tuple(span(text, n, n + 1) for n in named))
    return "kept_out" in roles and {"wanted", "acted_on"}.isdisjoint(roles)


def asks_to_wait(text: str) -> bool:
    """Whether a message ends by asking for a moment: "hold on", not "I hold on to it"."""
    told = sentences(text)
    ending = tokens(told[-1].text) if told else ()
    keeps = has(ending, "on to", "onto")
    brief = len(ending) <= _BRIEF and not keeps and not text.rstrip().endswith("?")
    return ending == ("wait",) or (brief and tells(ending, "hold on"))


def says_also(words: Tokens) -> bool:
    """Whether one more of the same is named: "the lamp too", "also the lamp"; not "too small"."""
    ends = words[-1:] == ("too",) or tells(words, "too at an end")
    return ends or tells(words, "as well")
