"""How a wish is said: it is meant, denied, or only asked about."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.clerk.understanding import scope
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.tokens import Tokens, find, has, tokens
from agent.clerk.understanding.wishes import MARGIN_OF_CHANGE, Manner, Wish

DENIES = 0.3
"""How likely words without a sign of it have to be to say that nothing is to change."""

_ANSWER = re.compile(
    r"\W*(?:(?:oh|ah|um+|well|actually|wait|sorry|hm+)\W+)*(?:no\W+)*(?:no|nope|nah)"
    r"(?:\s*[,.!;:]|\s+(?=(?:just|please|actually|wait)\b))",
    re.IGNORECASE,
)
"""A no that answers or corrects what was said before, and denies nothing of what follows it."""


def with_mood(wish: Wish, manner: Manner) -> Wish:
    """A wish that is denied or only asked about is told apart from one that is meant."""
    words = tokens(_without_answer(wish.text))
    if wish.intent == manner.nothing and (wish.has_cue or wish.likely >= DENIES):
        wish.mode = "denied"
    elif wish.intent == manner.what_if:
        acts = (each.name for each in wish.guesses if each.name in manner.acts)
        wish.intent, wish.mode = next(acts, wish.intent), "what_if"
    elif wish.intent in manner.acts:
        if not wish.has_cue and scope.seeks_information(words):
            _leave_acts(wish, manner)
        elif _is_denied(wish, words, manner):
            wish.mode = "denied"
        elif scope.cannot(words, manner.cue_words(wish.intent)):
            wish.likely, wish.has_cue, wish.has_verb = 0.0, False, False
        elif _is_asked(wish, words, manner):
            wish.mode = "what_if"
        elif not wish.has_cue:
            wish.margin = MARGIN_OF_CHANGE
    return wish


def _leave_acts(wish: Wish, manner: Manner) -> None:
    """Read a question without any word for a change as one of those that ask for none."""
    asking = [each for each in wish.guesses if each.name not in {*manner.acts, *manner.asides}]
    known = sum(each.likely for each in asking)
    wish.guesses = tuple(replace(each, likely=each.likely / known) for each in asking)
    wish.intent, wish.likely = wish.guesses[0].name, wish.guesses[0].likely


def _is_denied(wish: Wish, words: Tokens, manner: Manner) -> bool:
    """Whether a change is what is not to be, by its own words or by any word for a change."""
    cues = manner.cues.get(wish.intent, ())
    own = any(find(tokens(cue), words) >= 0 for cue in cues)
    return (
        (not wish.has_cue and tells(words, "must not"))
        or (wish.intent in manner.kept and scope.stays(words))
        or (manner.verb(words) is None and scope.lets_go(words, wish.text))
        or tells(words, "unsaid")
        or (scope.wants_none(words) and manner.verb(words[3:]) is None)
        or scope.wants_undone(words, cues)
        or scope.nearly_was(words, cues)
        or scope.is_denied(words, cues)
        or (not own and scope.is_denied(words, manner.changing, everywhere=True))
        or (own and scope.is_change_denied(wish.text, manner.changing, cues))
    )


def _is_asked(wish: Wish, words: Tokens, manner: Manner) -> bool:
    """Whether it is a question about the change, or a thought of it, and no request."""
    found = {each.name: each.likely for each in wish.guesses}
    return (
        scope.asks_about(words)
        or scope.wavers(words, manner.cues.get(wish.intent, ()))
        or tells(words, "what if")
        or has(words[:5], "how much")
        or found.get(manner.what_if, 0.0) > max(DENIES, found.get(wish.intent, 0.0))
    )


def _without_answer(text: str) -> str:
    """A text without the no that begins it."""
    answer = _ANSWER.match(text)
    return text[answer.end() :] if answer else text
