"""Tells what a sentence does besides requesting: it asks, keeps, adds, waits, or hangs on it."""

from __future__ import annotations

import re
from collections.abc import Collection

from agent.clerk.understanding.mention_roles import roles_of
from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.tokens import Tokens, has, span, tokens
from agent.comparison.sentences import sentences

_BRIEF = 11
"""The most words of a sentence that only asks for a moment."""

_IF_CLAUSE = re.compile(
    r"\b(?:if|unless|in case|as (?:soon|long) as|until|once|should|provided(?: that)?"
    r"|depending on (?:whether|if|how))\s+([\w'’ -]+)",
    re.IGNORECASE,
)


_CONDITION = re.compile(
    r"\b(?:(?:but |and )?(?:only |not |even )?if|unless|(?:as|so) long as|provided(?: that)?"
    r"|on condition(?: that)?"
    r"|not before(?= (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|next)))\s+([^.,;!?]+)",
    re.IGNORECASE,
)


def uncheckable_condition(text: str) -> str:
    """A condition that no record can confirm: "if it rains", "unless my wife recovers"."""
    if tells(tokens(text), "what if"):
        return ""
    hits = (hit for hit in _IF_CLAUSE.finditer(text) if _is_of_world(tokens(hit[1])))
    return next((hit.group().strip() for hit in hits), "")


def condition_to_show(text: str) -> str:
    """A condition of a change that is shown beside what the change would be: "only if I get money".

    What is only polite or asks whether something is possible is none, nor is a supposition.
    """
    words = tokens(text)
    supposed = tells(words, "what if") and not tells(words, "of money")
    if supposed or text.rstrip().endswith("?"):
        return ""
    hits = (hit for hit in _CONDITION.finditer(text) if _hangs_on_it(hit))
    return next((hit.group().strip(" ,;") for hit in hits), "")


def _hangs_on_it(condition: re.Match[str]) -> bool:
    """Whether a change hangs on the words after "if": above all if they tell of money.

    So it does if it is wanted only where something else is impossible.
    """
    words = tokens(condition[1])
    instead = "only" in tokens(condition.group()) and has(words, "can't", "cannot", "cant")
    return instead or tells(words, "of money") or not tells(words, "no condition")


def _is_of_world(words: Tokens) -> bool:
    """Whether it is about the weather, or about a person but not about what they may do."""
    known, first = GENERAL.words, set(words[:1])
    owned = first & known["owners"] and set(words[1:2]) & known["people"]
    somebody = owned or first & known["somebody"]
    return tells(words, "weather") or bool(somebody and not tells(words, "may"))


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
