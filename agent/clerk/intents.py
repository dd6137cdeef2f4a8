"""What a clause asks for, by the table of intents in a domain's language."""

from __future__ import annotations

import re
from collections.abc import Collection

from agent.clerk.english import Language


def intent_named(
    clause: str, language: Language, first: Collection[str], actions: Collection[str]
) -> str | None:
    """The name of what a clause asks for, None where it asks for nothing.

    Args:
        clause: plain text.
        language: holds ``intents``, the likelier meaning first.
        first: intents that go before all others.
        actions: intents that are no questions. A question is first read as one, whatever verbs
            it holds.
    """
    hits = [
        name
        for name, each in language.table("intents")
        if any(not _negated(clause, hit, language) for hit in _hits(each, clause))
    ]
    special = next((name for name in hits if name in first), None)
    if special or not hits:
        return special
    question = language.pattern("question").match(clause) is not None
    asked = question and not language.pattern("proposal").match(clause)
    preferred = [hit for hit in hits if (hit not in actions) == asked]
    return (preferred or hits)[0]


def _hits(expression: re.Pattern[str], clause: str) -> list[re.Match[str]]:
    return list(expression.finditer(clause))


def _negated(clause: str, hit: re.Match[str], language: Language) -> bool:
    """Whether "I don't want to" stands before the words; a domain may not tell."""
    return "negated" in language.words and language.says("negated", clause[: hit.start()])
