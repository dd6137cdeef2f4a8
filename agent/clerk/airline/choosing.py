"""What a message may have asked for, offered in numbers, and which of it the customer picks."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from agent.clerk.airline.filling import fill
from agent.clerk.airline.open_wishes import OFFERS
from agent.clerk.airline.replying import left_open
from agent.clerk.airline.requests import Intent, Request, Said
from agent.clerk.airline.slots.codes import reservation_ids
from agent.clerk.airline.slots.details import Context, details
from agent.clerk.airline.slots.names import Names
from agent.clerk.airline.succeeding import overlay
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.understanding import reader
from agent.clerk.offers import NONE, NOTHING, offered_intents
from agent.clerk.understanding.picking import picked

HYPOTHETICAL = "hypothetical"


def offered(talk: Talk, said: Said) -> Request | None:
    """What a message may have meant, for the customer to choose."""
    text, guesses = said.typed, reader().guesses(said.text)
    if said.unsure:
        text, guesses = said.unsure[0].text, said.unsure[0].guesses
    elif talk.introducing or {*said.asides} - {"detail"}:
        return None
    request = Request(None, text, guesses=offered_intents(guesses, OFFERS))
    overlay(request, said.loose)
    return request


def chosen(talk: Talk, said: Said) -> bool:
    """Read which of the offered things is meant; True where one was picked.

    An offer that something plain is said to instead is dropped.
    """
    about, ask = talk.about, talk.ask
    if about is None or ask is None or not about.guesses:
        return False
    plainly = bool(said.requests)
    place = picked(said.text, [each.words for each in ask.choices], by_words=not plainly)
    if place is None and plainly and not about.trip.empty and all(map(left_open, said.requests)):
        about.guesses = []
        return False
    if place is None:
        about.closed, about.outcome = plainly, "dropped" if plainly else ""
        return False
    value = ask.choices[place].value
    if value in {NOTHING, NONE}:
        about.closed, about.outcome = True, "dropped"
        return True
    intent = Intent.POLICY if value == HYPOTHETICAL else Intent(value)
    made = in_slots(about.text, intent, talk)
    about.intent, about.guesses, about.made = made.intent, [], talk.heard
    told = replace(about)
    overlay(about, made)
    fill(about, told)
    about.asks = made.asks
    return True


def in_slots(text: str, intent: Intent | None, talk: Talk, typed: str = "") -> Request:
    """A request with what the slot readers find in the words."""
    typed = typed or text
    context = Context(reservation_ids(typed), Names(typed), date.fromisoformat(talk.today))
    return details(text, intent, context)
