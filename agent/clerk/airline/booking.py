"""Booking: from what a customer wants to the call, one question at a time."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline import passengers, paying
from agent.clerk.airline.fares import EXTRA_BAG, INSURANCE, free_bags
from agent.clerk.airline.limits import within
from agent.clerk.airline.locating import meant
from agent.clerk.airline.memory import CABINS, Journey, ways
from agent.clerk.airline.offering import choose_flights, cities_of, enough_seats, with_news
from agent.clerk.airline.requests import Leg, Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import (
    cabin,
    count,
    fare,
    journey,
    method_bare,
    money,
    shifted,
    trip,
    weekday,
)
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Call, Choice, Settled, Tell
from agent.clerk.wording import joined


def book(request: Request, talk: Talk) -> Call | Ask | Tell:
    """Book flights; the next question while something is missing."""
    if request.written:
        return _booked(request, talk)
    wanted = passengers.with_saved(_as_described(replace(request), talk), talk)
    _route(wanted, request)
    legs = _legs(wanted, request)
    if not wanted.cabin:
        raise Settled(_ask_cabin(wanted, request, talk, legs))
    chosen: list[Journey] = []
    try:
        for number, leg in enumerate(legs):
            chosen.append(choose_flights(wanted, request, talk, leg, number, chosen))
        people = passengers.travellers(wanted, talk)
        enough_seats(request, chosen, wanted.cabin, len(people))
        bags = _bags(wanted, request, talk, len(people))
        insured = _insured(wanted, request, len(people))
    except Settled as settled:
        step = with_news(settled.step, request, talk, chosen, wanted.cabin)
        raise Settled(step) from None
    return _call(wanted, request, talk, chosen, people, bags, insured)


def _as_described(request: Request, talk: Talk) -> Request:
    """The request, with what it takes over from a reservation that it should be like."""
    if request.like is None:
        return request
    found = meant(Request(None, trip=request.like), talk)
    if len(found) != 1:
        return request
    model, wanted = found[0], replace(request, out=replace(request.out), back=replace(request.back))
    wanted.origin = request.origin or [model["origin"]]
    wanted.destination = request.destination or [model["destination"]]
    wanted.flight_type = request.flight_type or model["flight_type"]
    wanted.cabin = request.cabin or model["cabin"]
    for leg, flights in zip((wanted.out, wanted.back), ways(model), strict=True):
        if flights and not leg.date:
            leg.date = flights[0]["date"]
            leg.numbers = leg.numbers or [each["flight_number"] for each in flights]
    if not request.people and request.count is None:
        wanted.people = [passengers.as_person(each) for each in model["passengers"]]
    return wanted


def _route(wanted: Request, request: Request) -> None:
    """Settled while it is not known where from and where to, and on what kind of trip."""
    if wanted.unknown_places and not (wanted.origin and wanted.destination):
        text = (
            f"I'm sorry, we don't fly to {joined(each.title() for each in wanted.unknown_places)}."
        )
        raise Settled(Tell(text, "refused"))
    if not wanted.origin and not wanted.destination:
        raise Settled(Ask("Where would you like to fly from, and where to?", "route", request))
    if not wanted.origin:
        text = f"Where would you like to fly from to {cities_of(wanted.destination)}?"
        raise Settled(Ask(text, "origin", request))
    if not wanted.destination:
        text = f"Where would you like to fly to from {cities_of(wanted.origin)}?"
        raise Settled(Ask(text, "destination", request))
    if not wanted.flight_type and wanted.back.empty:
        raise Settled(Ask("Should it be a one-way trip or a round trip?", "type", request))


def _legs(wanted: Request, request: Request) -> list[Leg]:
    """What is wanted of each way; Settled while a day is missing."""
    if not (wanted.out.date or wanted.out.dates):
        raise Settled(Ask("On which day would you like to fly?", "out_date", request))
    if wanted.flight_type == "one_way":
        return [wanted.out]
    _back_after_out(wanted, request)
    if not (wanted.back.date or wanted.back.dates):
        raise Settled(Ask("On which day would you like to fly back?", "back_date", request))
    return [wanted.out, wanted.back]


def _back_after_out(wanted: Request, request: Request) -> None:
    """Read "back on Friday" as the first one after the way out; ask where a day is too early."""
    out, back = wanted.out.date, wanted.back.date
    if not back or not out or back >= out:
        return
    named = weekday(back).split(",")[0].lower()
    if named[:3] not in request.text.lower():
        text = f"{weekday(back)} is before the flight out. On which day would you like to fly back?"
        raise Settled(Ask(text, "back_date", request))
    while back < out:
        back = shifted(back, 7)
    wanted.back = replace(wanted.back, date=back)


def _ask_cabin(wanted: Request, request: Request, talk: Talk, legs: list[Leg]) -> Ask:
    options = tuple(Choice(each, cabin(each)) for each in CABINS)
    text = "Which cabin would you like: **basic economy**, **economy** or **business**?"
    ways_ = f"{cities_of(wanted.origin)} to {cities_of(wanted.destination)}"
    days = " and back on ".join(weekday(each.date) for each in legs if each.date)
    lead = f"{ways_} on {days}."
    return Ask(text, "cabin", request, None, options, lead="" if talk.has_told(lead) else lead)


def _bags(wanted: Request, request: Request, talk: Talk, people: int) -> int:
    """How many checked bags in all; Settled with the question while nobody has said."""
    free = free_bags(talk.memory.membership, wanted.cabin, people)
    if wanted.bags is not None:
        return max(0, wanted.bags)
    if wanted.bags_each is not None:
        return max(0, wanted.bags_each) * people
    if wanted.bags_free:
        return free
    each = f"{count(free, 'bag')} would be free" if free else "none is free"
    text = (
        f"How many checked bags would you like to take in all? For this trip {each}; "
        f"each {'further' if free else ''} one costs {money(EXTRA_BAG)}."
    ).replace("  ", " ")
    raise Settled(Ask(text, "bags", request))


def _insured(wanted: Request, request: Request, people: int) -> bool:
    if wanted.insurance is not None:
        return wanted.insurance
    each = " for each passenger" if people > 1 else ""
    text = (
        f"Would you like travel insurance for {money(INSURANCE)}{each}? It gives a full refund if "
        "you have to cancel for reasons of health or weather, and cannot be added later."
    )
    raise Settled(Ask(text, "insurance", request))


def _call(
    wanted: Request,
    request: Request,
    talk: Talk,
    chosen: list[Journey],
    people: list[Json],
    bags: int,
    insured: bool,
) -> Call:
    paid_bags = max(0, bags - free_bags(talk.memory.membership, wanted.cabin, len(people)))
    seat = sum(fare(each, wanted.cabin) for each in chosen)
    insurance = INSURANCE * len(people) if insured else 0
    total = seat * len(people) + insurance + EXTRA_BAG * paid_bags
    within(request, total, len(people), "The booking would cost")
    lead = _bill(wanted, chosen, len(people), seat, insurance, paid_bags, total)
    flights = [flight for each in chosen for flight in each]
    kind = wanted.flight_type or "round_trip"
    return Call(
        "book_reservation",
        {
            "user_id": talk.memory.user_id,
            "origin": chosen[0][0]["origin"],
            "destination": chosen[0][-1]["destination"],
            "flight_type": kind,
            "cabin": wanted.cabin,
            "flights": [
                {"flight_number": each["flight_number"], "date": each["date"]} for each in flights
            ],
            "passengers": people,
            "payment_methods": paying.split(request, talk, total, lead),
            "total_baggages": bags,
            "nonfree_baggages": paid_bags,
            "insurance": "yes" if insured else "no",
        },
        request,
    )


def _bill(
    wanted: Request,
    chosen: list[Journey],
    people: int,
    seat: int,
    insurance: int,
    paid_bags: int,
    total: int,
) -> str:
    """What a booking costs and for which flights, in words."""
    times = "; back on ".join(f"{weekday(each[0]['date'])}: {journey(each)}" for each in chosen)
    parts = [money(seat) if people == 1 else f"{people} × {money(seat)}"]
    parts += [f"{money(insurance)} for insurance"] if insurance else []
    parts += [f"{money(EXTRA_BAG * paid_bags)} for {count(paid_bags, 'bag')}"] if paid_bags else []
    split = f" ({' + '.join(parts)})" if len(parts) > 1 or people > 1 else ""
    kind = ", one way" if wanted.flight_type == "one_way" else ""
    return f"{times}, in {cabin(wanted.cabin)}{kind}. That comes to {money(total)}{split}."


def _booked(request: Request, talk: Talk) -> Tell:
    record = talk.memory.reservations.get(request.written[-1])
    if record is None:
        return Tell("The flights are booked.", "done")
    rows = record["payment_history"]
    known = {**(talk.memory.profile_before or {}).get("payment_methods", {}), **talk.memory.methods}
    parts = joined(
        f"{money(row['amount'])} from your {method_bare(known.get(key), key)}"
        for row in rows
        for key in [row["payment_id"]]
    )
    paid = sum(row["amount"] for row in rows)
    split = f": {parts}" if len(rows) > 1 else ""
    text = f"You are booked: reservation {trip(record)}, for {money(paid)} in all{split}."
    return Tell(text, "done", focus=record["reservation_id"])
