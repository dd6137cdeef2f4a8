"""What a message that asks for nothing known may be about: a guess to answer, or to ask back."""

from __future__ import annotations

from agent.clerk.airline.filling import as_description
from agent.clerk.airline.language import LANGUAGE, first_meaning, says
from agent.clerk.airline.requests import Intent, Request, Said
from agent.clerk.airline.succeeding import overlay
from agent.clerk.airline.talk import Talk
from agent.clerk.steps import Ask

NEW_JOURNEYS = frozenset({Intent.BOOK, Intent.SEARCH})

GUESSED = "guess"
"""What a request waits for that the customer may not have meant."""


def guessed(said: Said) -> list[Request]:
    """The request that the words of a message hint at.

    A question that only reads is answered at once; whatever else it may be is asked back.
    """
    if said.nothing or said.forget or (said.yes and not said.loose.text.strip(" .!")):
        return []
    asked = says("question", said.text) or "?" in said.text
    if not (asked or says("wish", said.text)):
        return []
    found = hinted(said.text, asked)
    if found is None:
        return []
    name, certain = found
    if not certain and says("pointer", said.text) and Intent(name) in NEW_JOURNEYS:
        return [_open(said)]
    request = Request(Intent(name), said.text, wait="" if certain else GUESSED)
    overlay(request, said.loose)
    return [request]


def _open(said: Said) -> Request:
    """A reservation of which nobody knows what is to become of it."""
    request = Request(None, said.text)
    as_description(said.loose, keep_wishes=False)
    overlay(request, said.loose)
    return request


def hinted(text: str, asked: bool) -> tuple[str, bool] | None:
    """The intent that a text hints at, and whether an answer at once can do no harm."""
    read_only = first_meaning("hunches_asked", text) if asked else None
    name = read_only or first_meaning("hunches", text)
    return (name, read_only is not None) if name else None


def ask_back(request: Request, lead: str = "") -> Ask:
    """Whether the customer means what their words hint at."""
    phrase = LANGUAGE.words["hunch_phrases"][str(request.intent)]
    text = f"I'm not sure that I understood. Would you like to {phrase}?"
    return Ask(text, GUESSED, request, lead=lead)


def remarked(talk: Talk, said: Said) -> bool:
    """Whether a message only tells something, and asks for nothing."""
    words = len(said.text.split())
    plain_remark = words > 1 and says("remark", said.text) and not says("wish", said.text)
    talk.upset = says("upset", said.text)
    wished = says("wish", said.text)
    return "?" not in said.text and (plain_remark or (talk.upset and not wished))
