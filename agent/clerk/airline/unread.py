"""What a customer wrote before they were known, and nobody understood: kept, and read once more."""

from __future__ import annotations

from agent.clerk.airline.filling import as_description
from agent.clerk.airline.guessing import GUESSED, NEW_JOURNEYS, hinted
from agent.clerk.airline.language import LANGUAGE, pattern, says
from agent.clerk.airline.locating import ahead, likely_by_name, meant, stands
from agent.clerk.airline.replying import left_open
from agent.clerk.airline.requests import Intent, Request, Said, Trip
from agent.clerk.airline.succeeding import overlay
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import trip
from agent.clerk.openings import says_something
from agent.clerk.quoting import quoted
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask
from agent.clerk.wording import joined

UNREAD = "unread"
"""What a request waits for of which nobody knows yet what it asks."""

_ABOUT_IT = "What would you like me to do about it: change it, cancel it, or something else?"
_OPEN = "Would you like to book a flight, change or cancel a reservation, or ask something?"


def keep(talk: Talk, said: Said, text: str) -> None:
    """Keep an opening message that asks for nothing known until the customer's trips are known."""
    late = talk.introduced and talk.heard > 1 and said.loose.trip.empty
    if talk.requests or late or not (talk.introducing and _worth_keeping(said)):
        return
    request = Request(None, pattern("own_id").sub("", text).strip(" ,.\n"), wait=UNREAD)
    as_description(said.loose, keep_wishes=False)
    overlay(request, said.loose)
    request.cabin = ""
    hint = hinted(said.text, asked=False)
    if hint and request.trip.empty and Intent(hint[0]) not in NEW_JOURNEYS:
        request.intent, request.wait = Intent(hint[0]), GUESSED
    talk.requests.append(request)


def _worth_keeping(said: Said) -> bool:
    """Whether words remain beside greetings, pleas for help, and what tells who speaks."""
    if said.nothing or said.forget or said.unknown or says("about_the_id", said.text):
        return False
    rest = pattern("own_id").sub(" ", said.text)
    return not said.loose.trip.empty or says_something(rest, said.identity, LANGUAGE)


def taken_up(talk: Talk, said: Said) -> Request | None:
    """The kept message, where this one says what is to be done and not with which reservation."""
    kept = next((each for each in talk.open if each.wait == UNREAD), None)
    if kept is None or not said.requests:
        return None
    if all(left_open(each) for each in said.requests):
        kept.wait = ""
        return kept
    kept.closed, kept.outcome = True, "dropped"
    return None


def pin(talk: Talk, said: Said) -> None:
    """Fix the one reservation that the open question named, where nothing else describes it."""
    about = talk.about
    if about is None or about.intent is not None or talk.ask is None or not talk.ask.focus:
        return
    if all(left_open(each) for each in said.requests):
        about.trip = Trip(ids=[talk.ask.focus])


def ask_about(request: Request, talk: Talk) -> Ask:
    """What is to be done, with what was understood: the reservation, or else the words alone."""
    found = _found(request, talk)
    if len(found) == 1:
        lead = f"You wrote about reservation {trip(found[0])}."
        return Ask(_ABOUT_IT, "intent", request, focus=found[0]["reservation_id"], lead=lead)
    if found and request.wait == UNREAD:
        lead = f"You wrote about {joined(map(trip, found), 'or')}."
        return Ask(_ABOUT_IT, "intent", request, lead=lead)
    if request.wait != UNREAD and request.trip.empty and len(found) > 1:
        return Ask(_OPEN, "intent", request)
    if request.wait != UNREAD:
        return Ask(_ABOUT_IT, "intent", request)
    missing = "" if request.trip.empty else " I don't find a reservation like that."
    lead = f"You wrote {quoted(request.text)}, which I didn't understand.{missing}"
    return Ask(_OPEN, "intent", request, lead=lead)


def reminded(request: Request, talk: Talk) -> str:
    """The words that a guess is about, where they are not those that were typed last."""
    before = talk.last is not None and request.text.lower() not in talk.last.text
    return f"You wrote {quoted(request.text)}." if before else ""


def _found(request: Request, talk: Talk) -> list[Json]:
    """The reservations that a message speaks of: by what describes them, or by who flies."""
    if not request.trip.empty or request.wait != UNREAD:
        return meant(request, talk)
    named = likely_by_name(request.text, talk)
    return [each for each in named if stands(each) and ahead(each, talk)] or named
