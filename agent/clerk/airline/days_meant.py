"""The days that a mention of a day in a sentence stands for."""

from __future__ import annotations

from datetime import date, timedelta

from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import Mention, vocabulary

_SOME = 5
"""How many days "after May 20" stands for."""


def is_weekday(sentence: ParsedSentence, mention: Mention) -> bool:
    """Whether a day is mentioned by its weekday alone, and may be one of several."""
    start = mention.start
    bare = mention.end - start == 1
    named = sentence.words[start].removesuffix("'s") in vocabulary()["weekdays"]
    return bare and named and sentence.before(start, 1) not in (("this",), ("next",))


def days_meant(sentence: ParsedSentence, mention: Mention, day: str) -> list[str]:
    """The days that a mention stands for: several for "after May 20", or "between" two days."""
    ahead = [each for each in sentence.before(mention.start, 4) if each not in {"the", "on"}]
    first = date.fromisoformat(day)
    if ahead[-1:] == ["after"]:
        many = 1 if sentence.before(mention.start, 3)[:2] == ("the", "day") else _SOME
        return [(first + timedelta(days=n + 1)).isoformat() for n in range(many)]
    later = [each.value for each in sentence.days if each.start > mention.start]
    many = (date.fromisoformat(later[0]) - first).days if later and "between" in ahead else 0
    return [(first + timedelta(days=n)).isoformat() for n in range(max(1, min(many, _SOME)))]
