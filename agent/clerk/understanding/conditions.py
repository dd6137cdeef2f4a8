"""Finds what a change hangs on, as far as no record tells whether it is met."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import takewhile

from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.terms import terms_in
from agent.clerk.understanding.tokens import Tokens, has, tokens

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


def _of_the_world(text: str) -> str:
    """A condition that no record can confirm: "if it rains", "unless my wife recovers"."""
    if tells(tokens(text), "what if"):
        return ""
    hits = (hit for hit in _IF_CLAUSE.finditer(text) if _is_of_world(tokens(hit[1])))
    return next((hit.group().strip() for hit in hits), "")


def _shown_by_words(text: str) -> str:
    """A condition that is told by its words: "only if I get money".

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


def uncheckable_condition(text: str, verbs: Container[str]) -> str:
    """The condition of a sentence that nobody can check, up to the requested change."""
    words = _of_the_world(text).split()
    return " ".join(takewhile(lambda word: word.lower() not in verbs, words))


def condition_to_show(text: str, sentence: str, main: str) -> str:
    """A condition of a sentence that is shown beside what the change would be.

    ``text`` is the message, ``main`` the sentence without its fallbacks. What a question begins
    with is a case that is asked about: "if you change that, where does it go?".
    """
    if by_words := _shown_by_words(main):
        return by_words
    told = (text[each.start : each.end] for each in terms_in(text) if each.kind == "condition")
    named = [each.strip(" ,;.?!") for each in told]
    if sentence.rstrip().endswith("?"):
        own = [each for each in named if main.rstrip(" ?!.").endswith(each)]
    else:
        own = [each for each in named if each in main]
    return next((each for each in own if not _is_checked(each)), "")


def _is_checked(condition: str) -> bool:
    """Whether the records tell if a condition holds: "if it has not been sent yet"."""
    return tells(tokens(condition), "in the records")
