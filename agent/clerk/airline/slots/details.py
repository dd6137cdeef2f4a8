"""All that one clause tells, whatever it asks for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from agent.clerk.airline.language import first_meaning, meanings, pattern, says
from agent.clerk.airline.requests import ACTIONS, AFTER_UPGRADE, WHETHER, Intent, Leg, Request, Trip
from agent.clerk.airline.slots import people as passengers
from agent.clerk.airline.slots import renaming
from agent.clerk.airline.slots.bags import read_bags, read_insurance
from agent.clerk.airline.slots.codes import flight_numbers, named_in
from agent.clerk.airline.slots.days import days
from agent.clerk.airline.slots.journeys import read_change, read_journey
from agent.clerk.airline.slots.money import limit
from agent.clerk.airline.slots.names import Names
from agent.clerk.airline.slots.payments import payments
from agent.clerk.airline.slots.places import AT, places
from agent.clerk.airline.slots.times import leg
from agent.clerk.airline.slots.trips import (
    add_days,
    add_more_places,
    add_places,
    cabins,
    pointed_at,
)

NEW_JOURNEY = frozenset({Intent.BOOK, Intent.SEARCH})
_WITHOUT_PAYMENT = {Intent.COMPENSATION, Intent.COMPLAINT, Intent.METHODS, Intent.POLICY}
_WANTED_CABIN = NEW_JOURNEY | {Intent.FLIGHTS, Intent.CABIN, Intent.PRICE, Intent.ALLOWANCE, None}
_OF_PRONOUNS = {Intent.FLIGHTS, Intent.CABIN, Intent.CANCEL, Intent.PASSENGERS, Intent.PAID}
_WITH_PEOPLE = {Intent.BOOK, None}
_WITH_REASON = {Intent.CANCEL, None}
_WITH_COMPLAINT = {Intent.COMPENSATION, Intent.COMPLAINT}


@dataclass(frozen=True)
class Context:
    """What a clause is read with: the whole message, and the day it is."""

    ids: list[str]
    """Reservation ids in the message."""

    names: Names
    today: date


def details(clause: str, intent: Intent | None, context: Context) -> Request:
    """The slots of a clause."""
    request = Request(intent, clause)
    clause = _excepted(request, clause, context)
    request.trip = pointed_at(clause)
    request.trip.ids = named_in(clause, context.ids)
    if intent is None:
        request.trip.passengers = None
    _read_where(request, clause, context.today)
    without_pronoun(request)
    _read_cabin(request, clause)
    _read_people(request, clause, context)
    read_bags(request, clause)
    read_insurance(request, clause)
    if intent in _WITH_PEOPLE and says("no_extras", clause):
        request.bags, request.insurance = request.bags or 0, bool(request.insurance)
    if intent not in _WITHOUT_PAYMENT:
        request.payments, request.unwanted_payments = payments(clause)
        request.payments_only = says("payments_only", clause)
    request.limit = limit(clause)
    request.reason = first_meaning("reasons", clause) or "" if intent in _WITH_REASON else ""
    if intent in _WITH_COMPLAINT:
        request.complaint = first_meaning("complaints", clause) or ""
    request.asks = asks(intent, clause)
    if AFTER_UPGRADE in request.asks:
        request.trip.cabin, request.cabin = "", "business"
    request.no_refund_ok = says("no_refund_ok", clause)
    request.refund_or_nothing = not request.no_refund_ok and says("refund_or_nothing", clause)
    return request


def asks(intent: Intent | None, clause: str) -> list[str]:
    """What a question is about."""
    if intent is Intent.RESERVATION:
        return meanings("asks", clause)
    if intent is Intent.SEARCH:
        return [each for each in meanings("asks", clause) if each in {"seats", "duration"}]
    if intent is Intent.CANCEL:
        if says("after_upgrade", clause):
            return [WHETHER, AFTER_UPGRADE]
        return [WHETHER] if says("whether", clause) else []
    if intent is Intent.OUTCOME:
        return [found] if (found := first_meaning("outcome_asks", clause)) else []
    if intent is Intent.COUNT:
        return [found] if (found := first_meaning("count_asks", clause)) else []
    return []


def _excepted(request: Request, clause: str, context: Context) -> str:
    """The clause without "except the Chicago one", which is read apart."""
    hit = pattern("excepting").search(clause)
    if hit is None or request.intent not in ACTIONS:
        return clause
    rest = hit.group("rest")
    trip = Trip(ids=named_in(rest, context.ids))
    add_places(trip, places(rest))
    add_days(trip, days(rest, context.today))
    if trip.empty:
        return clause
    request.excepted = [trip]
    return clause[: hit.start("rest")]


def _read_where(request: Request, clause: str, today: date) -> None:
    if request.intent in _WITH_PEOPLE:
        clause = _read_like(request, clause, today)
    if request.intent in NEW_JOURNEY:
        read_journey(request, clause, today)
        request.trip = Trip(ids=request.trip.ids)
    elif request.intent is Intent.FLIGHTS or _moves(request, clause):
        read_change(request, clause, today)
    elif request.intent is None and not _points(request, clause):
        if says("moved_elsewhere", clause):
            add_places(request.trip, places(clause))
            return
        read_journey(request, clause, today)
        back = says("same_day_back", clause) or request.back.shift is not None
        request.out.shift = None if back else leg(clause).shift
        kept = meanings("keep_legs", clause)
        request.out.keep, request.back.keep = "out" in kept, "back" in kept
    else:
        _describe(request, clause, today)


def without_pronoun(request: Request) -> None:
    """Where more is told, or something else may be meant, "it" points at no reservation."""
    trip = request.trip
    told = trip.ids or trip.origin or trip.destination or trip.dates or trip.numbers
    if trip.which == "same" and (told or request.intent not in _OF_PRONOUNS):
        trip.which = ""


def _moves(request: Request, clause: str) -> bool:
    """Whether a question is what a change would cost, or words without a verb tell of one."""
    if request.intent is Intent.PRICE:
        return says("moving_asked", clause)
    return request.intent is None and _points(request, clause) and says("day_moved", clause)


def _points(request: Request, clause: str) -> bool:
    if any(each.way == AT for each in places(clause)):
        return True
    return says("pointer", clause) and not says("wish_not_trip", clause)


def _describe(request: Request, clause: str, today: date) -> None:
    """Places, days and flight numbers tell which reservation is meant."""
    found = places(clause)
    add_places(request.trip, found)
    if says("plural_trips", clause):
        add_more_places(request.trip, found)
    request.unknown_places = [each.name for each in found if not each.codes and each.way]
    add_days(request.trip, days(clause, today))
    request.trip.numbers = flight_numbers(clause)
    if says("round_trip", clause):
        request.trip.flight_type = "round_trip"
    elif says("one_way", clause):
        request.trip.flight_type = "one_way"
    if request.intent is Intent.CABIN:
        request.out.wanted = says("out_leg", clause)
        request.back.wanted = says("back_leg", clause)


def _read_like(request: Request, clause: str, today: date) -> str:
    """Read "the same flight as my May 10 flight", and give the clause without it."""
    hit = pattern("like").search(clause)
    if hit is None:
        if request.intent is Intent.BOOK and says("like_bare", clause):
            request.like = Trip(which="same")
        return clause
    model = pattern("like_end").sub("", hit.group("rest"))
    trip = pointed_at(model)
    add_places(trip, places(model))
    add_days(trip, days(model, today))
    if trip.empty:
        request.like = Trip(which="same")
        return clause
    request.like = trip
    return clause[: hit.start()] + " " + hit.group("rest")[len(model) :]


def _read_cabin(request: Request, clause: str) -> None:
    wanted, now = cabins(clause)
    if request.intent in _WANTED_CABIN:
        request.cabin, request.trip.cabin = wanted, now
    else:
        request.trip.cabin = wanted or now
    if request.intent is Intent.CABIN and not wanted:
        request.cabin_move = first_meaning("cabin_moves", clause) or ""


def _read_people(request: Request, clause: str, context: Context) -> None:
    names, today = context.names, context.today
    if request.intent is Intent.PASSENGERS:
        request.removing = renaming.leaving(clause, names)
        if not request.removing:
            request.adding = renaming.joining(clause, names, today)
        if not (request.removing or request.adding):
            request.renames = renaming.renames(clause, names, today)
        if not (request.removing or request.adding or request.renames):
            request.renames = renaming.in_place(clause, names, today)
    elif request.intent in _WITH_PEOPLE and not says("told_of", clause):
        if request.intent is None:
            request.renames = renaming.renames(clause, names, today, alone=True)
        request.people = [] if request.renames else passengers.people(clause, names, today)
        request.count = passengers.head_count(clause, request.people)
        if request.intent is None and not passengers.counted(clause, request.people):
            request.count = None
    elif request.intent is Intent.FLIGHTS:
        request.count = passengers.head_count(clause, [])
    elif request.intent in {Intent.BAGS, Intent.INSURANCE}:
        told = passengers.people(clause, names, today)
        request.people = [each for each in told if each.dob]


def says_where(found: Leg) -> bool:
    """Whether a leg holds a wish that only another flight can meet."""
    told = (
        found.around,
        found.date,
        found.shift,
        found.rank,
        found.stops,
        found.relative,
        found.numbers,
    )
    return any(each not in ("", None, []) for each in told)
