"""What a message may ask for beside, or instead of, what was taken up of it.

Its parts tell what is taken up; all of it together tells what may have been missed: read whole, the
right intent is among the likeliest five of 98 in 100 sentences of strangers.
"""

from __future__ import annotations

from collections.abc import Container

from agent.clerk.understanding.wishes import Manner, Message, Wish

CERTAIN = 0.85
"""How likely the intent of a part has to be for nothing to be offered beside it."""

RIVAL, RIVALS = 0.02, 4
"""How likely another intent has to be to be offered, and how many are."""

SEEN = 0.05
"""How likely it has to be that something is denied, or only asked about, for that to be certain."""


def rivals(told: Message, wish: Wish, manner: Manner, known: Container[str]) -> list[str]:
    """The known intents that a message may have beside those of its wishes, the likeliest first."""
    if not wish.guesses:
        return []
    wishes = [wish, *(each for each in told.wishes if not each.unsure)]
    denies = all(each.mode == "denied" for each in wishes)
    settled = {
        manner.family(name)
        for each in wishes
        for name in _certain_intents(each, told, manner, denies)
    }
    likely = [each for each in told.guesses if each.name in known]
    missed = [each for each in likely if manner.family(each.name) not in settled]
    if likely[:1] == missed[:1] or any(map(_is_in_doubt, wishes)):
        return [each.name for each in missed if each.likely >= RIVAL][:RIVALS]
    return []


def _is_in_doubt(wish: Wish) -> bool:
    return wish.mode == "meant" and not wish.has_verb and wish.likely < CERTAIN


def _certain_intents(wish: Wish, told: Message, manner: Manner, denies: bool) -> set[str]:
    """The intents that a wish leaves no doubt of.

    What all of the message gives no sign of being denied, or only asked about, may be meant.
    """
    if wish.mode == "meant":
        return {wish.intent}
    moods = {manner.nothing, "no"} if wish.mode == "denied" else {manner.what_if}
    signs = sum(each.likely for each in told.guesses if manner.family(each.name) in moods)
    own = sum(each.likely for each in wish.guesses if manner.family(each.name) in moods)
    doubtful = max(signs, own) < SEEN and (denies or wish.mode == "what_if")
    return moods if doubtful else {*moods, wish.intent}
