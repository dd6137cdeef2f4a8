"""Which part of a message speaks of the request at hand, and which part asks for something else."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from agent.clerk.airline.language import says
from agent.clerk.airline.requests import (
    ACTIONS,
    AFTER_UPGRADE,
    Intent,
    Otherwise,
    Request,
    Said,
    Trip,
)
from agent.clerk.airline.succeeding import overlay
from agent.clerk.steps import Ask

_ASIDE = frozenset(
    {"intent", "text", "asks", "closed", "outcome", "wait", "made", "guesses", "written"}
)
_BLANK = Request(None)
_OF_A_BOOKING = frozenset(
    {Intent.FLIGHTS, Intent.CABIN, Intent.PASSENGERS, Intent.BAGS, Intent.INSURANCE}
)
"""What reads like a change of a reservation may be a detail of the booking at hand."""

_OF_A_CHANGE = frozenset({Intent.FLIGHTS, Intent.CABIN})


@dataclass(frozen=True, slots=True)
class Reply:
    """A message in the light of the request that was asked about or declined before it."""

    details: Request
    """Everything it tells of that request."""

    rest: list[Request]
    """What it asks for besides."""

    replaced: bool
    """Whether the first of the rest takes the place of the request at hand."""


def tells(details: Request) -> bool:
    """Whether anything was said in it."""
    return any(
        getattr(details, each.name) != getattr(_BLANK, each.name)
        for each in fields(Request)
        if each.name not in _ASIDE
    )


def left_open(request: Request) -> bool:
    """Whether a request does not say itself which reservation it is about."""
    told = replace(request.trip, cabin="")
    return told.which == "same" or (told.empty and not (request.origin or request.destination))


def reply_to(about: Request, said: Said, ask: Ask | None, declined: bool) -> Reply:
    """Part a message: what belongs to the request at hand, and what does not."""
    mine = [each for each in said.requests if _belongs(each, about, said, ask, declined)]
    rest = [each for each in said.requests if not any(each is one for one in mine)]
    details = said.loose
    otherwise: list[Otherwise] = list(details.otherwise)
    for each in mine:
        overlay(details, _as_detail(each, about))
        otherwise += each.otherwise
    details.otherwise = otherwise
    lost = ask is not None and ask.slot == "reservation" and about.intent in ACTIONS
    booked = bool(rest) and lost and rest[0].intent is Intent.BOOK
    replaced = booked or (bool(rest) and _replaces(rest[0], about, said, declined))
    return Reply(details, rest, replaced)


def _belongs(request: Request, about: Request, said: Said, ask: Ask | None, declined: bool) -> bool:
    if _elsewhere(request, about):
        return False
    if about.intent is None:
        if request.intent not in ACTIONS or says("for_others", request.text):
            return False
        about.intent, about.asks = request.intent, list(request.asks)
        about.text, about.wait = request.text, ""
        return True
    if AFTER_UPGRADE in request.asks:
        return False
    if request.intent is about.intent:
        return declined or said.correction or not (said.also and about.intent is Intent.BOOK)
    if about.intent is Intent.BOOK:
        if _redirects(request, about):
            return True
        named = not request.trip.empty and request.trip.which not in {"same"}
        return request.intent in _OF_A_BOOKING and not named
    if about.intent in _OF_A_CHANGE and request.intent in _OF_A_CHANGE:
        return declined or said.correction
    apart = request.intent is Intent.BOOK and says("new_booking", request.text)
    flights = not apart and ask is not None and ask.slot.endswith(("_flight", "_date"))
    return flights and request.intent in {Intent.SEARCH, Intent.FLIGHTS, Intent.BOOK}


def _redirects(request: Request, about: Request) -> bool:
    """Whether "make it Denver instead of Boston" is about the booking at hand."""
    told = {*request.trip.origin, *request.trip.destination, *request.trip.place}
    elsewhere = bool(request.origin or request.destination)
    flown = {*about.origin, *about.destination}
    return request.intent is Intent.FLIGHTS and elsewhere and bool(told & flown)


def _as_detail(request: Request, about: Request) -> Request:
    """A request as it reads for the one at hand: bags to add to a booking are bags to take."""
    if about.intent is Intent.BOOK:
        request.trip = Trip() if _redirects(request, about) else request.trip
        if request.bags_more is not None:
            request.bags, request.bags_more = (about.bags or 0) + request.bags_more, None
        if request.intent is Intent.INSURANCE and request.insurance is None:
            request.insurance = not request.insurance_off
        request.people = request.people or [*about.people, *request.adding]
        request.people = request.people if request.adding or request.people else []
        request.adding = []
    return request


def _replaces(request: Request, about: Request, said: Said, declined: bool) -> bool:
    """Whether a different change is wanted in place of the one at hand."""
    if request.intent is Intent.BOOK and about.intent is Intent.PASSENGERS:
        return True
    if request.intent not in ACTIONS or about.intent not in ACTIONS or said.also:
        return False
    open_ = request.trip.which in {"", "same"} and replace(request.trip, which="").empty
    if request.intent is Intent.CANCEL and about.intent is not Intent.BOOK and open_:
        return True
    return (declined or said.correction) and not _elsewhere(request, about)


def _elsewhere(request: Request, about: Request) -> bool:
    """Whether a request names other reservations than the one at hand does."""
    ids = request.trip.ids, about.trip.ids
    return all(ids) and not set(ids[0]) & set(ids[1])
