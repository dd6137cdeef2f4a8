"""Whether a cancellation was asked for: a question about refunds, or the word alone, asks for none.

"The wedding is off, I want my money back" does, "what's the weather refund thing again" does not.
"""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline.line import Line
from agent.clerk.airline.words import phrases
from agent.clerk.understanding.tokens import find, tokens
from agent.clerk.understanding.wishes import Message, Wish

CANCEL = "cancel_reservation"
_VERBS = tuple(map(tokens, phrases("calling_off", "verbs")))
_REQUESTS = phrases("calling_off", "requests")
_TELLS = phrases("calling_off", "tells")
_ASKS = phrases("calling_off", "asks")
_FIRST = 3
"""Words among which the one stands that makes a sentence a question."""


def doubt_cancellation(wish: Wish, said: Line, told: Message) -> Wish:
    """A wish as it is, but a cancellation that nobody asked for as a question or as a doubt.

    A question of a trip is what a cancellation would come to, any other one what the rules are;
    words that neither ask nor tell are offered to be a cancellation, and never made one.
    """
    guessed = wish.intent == CANCEL and wish.mode == "meant" and not wish.has_verb
    if not guessed or _has_verb(said):
        return wish
    if is_question(said):
        if said.ids or said.places or said.days:
            return replace(wish, mode="what_if")
        return replace(wish, intent="policy_question", has_verb=True)
    if said.has(*_TELLS):
        return wish
    return replace(wish, likely=0.0, has_cue=False, guesses=wish.guesses or told.guesses)


def _has_verb(said: Line) -> bool:
    """Whether a sentence has a verb of cancelling; "it was cancelled" only tells of one."""
    words = tokens(said.text)
    return any(find(verb, words) >= 0 for verb in _VERBS)


def is_question(said: Line) -> bool:
    """Whether a sentence is a question, with its mark or without; "can you refund it?" is none."""
    if said.has(*_REQUESTS):
        return False
    return "?" in said.words or any(0 <= said.find(each) < _FIRST for each in _ASKS)
