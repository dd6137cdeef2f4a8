"""What a customer wrote before they were known: whether there is more to it than manners."""

from __future__ import annotations

import re

from agent.clerk.english import Language
from agent.clerk.identity import Identity

_WORDS = 2
"""Words of some length that a message has to have beside greetings to be worth keeping."""

_FILLERS = frozenset(
    [
        "the",
        "and",
        "you",
        "please",
        "thanks",
        "there",
        "for",
        "but",
        "with",
        "this",
        "name",
        "zip",
        "code",
        "email",
        "mail",
        "user",
        "here",
        "its",
        "mine",
    ]
)


def says_something(text: str, identity: Identity, language: Language) -> bool:
    """Whether words remain beside greetings, pleas for help, and what tells who speaks."""
    rest = language.pattern("small_talk").sub(" ", text)
    told = (*map(" ".join, identity.names), *identity.emails, *identity.zips)
    for each in told:
        rest = rest.replace(each.lower(), " ")
    words = [each for each in re.findall(r"[a-z']{3,}", rest) if each not in _FILLERS]
    return len(words) >= _WORDS
