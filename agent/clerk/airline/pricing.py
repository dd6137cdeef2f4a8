"""What seats and changes cost now, and which flights there are."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline import journeys
from agent.clerk.airline.answers import answered
from agent.clerk.airline.changing import quote
from agent.clerk.airline.fares import EXTRA_BAG, INSURANCE
from agent.clerk.airline.journeys import arrival, departure
from agent.clerk.airline.locating import the_one
from agent.clerk.airline.memory import CABINS, Journey, ways
from agent.clerk.airline.offering import way_of
from agent.clerk.airline.places import city
from agent.clerk.airline.repricing import difference, price_now
from agent.clerk.airline.requests import Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import (
    booked_flight,
    cabin,
    count,
    fare,
    journey,
    money,
    offer,
    way,
    weekday,
)
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Tell
from agent.clerk.wording import joined, listed


def price(request: Request, talk: Talk) -> Ask | Tell:
    """What a seat, or a change of cabin, costs now."""
    if "insurance" in request.asks:
        return answered(f"Travel insurance costs {money(INSURANCE)} for each passenger.")
    if "bags" in request.asks:
        return answered(f"Each checked bag beyond the free ones costs {money(EXTRA_BAG)}.")
    if request.origin and request.destination and request.trip.empty:
        return search(request, talk)
    record = the_one(request, talk)
    if not _unmoved(request):
        return quote(request, talk, record)
    names = [request.cabin] if request.cabin else list(CABINS)
    flights = _asked_flights(request, record)
    offered = [(each, price_now(talk.memory, each)) for each in flights]
    gone = [booked_flight(each) for each, found in offered if found is None]
    if gone:
        text = f"There is no price for {joined(gone)}: it can no longer be booked."
        return answered(text, record["reservation_id"])
    known = [(each, found) for each, found in offered if found is not None]
    seats = len(record["passengers"])
    full = [
        booked_flight(each) for each, found in known if found["available_seats"][names[0]] < seats
    ]
    if request.cabin and request.cabin != record["cabin"] and full:
        text = f"There are too few seats left in {cabin(request.cabin)} on {joined(full)}."
        return answered(text, record["reservation_id"])
    lines = [
        f"{booked_flight(each)}, {way([each])}: "
        + joined(f"{money(found['prices'][n])} in {cabin(n)}" for n in names)
        for each, found in known
    ]
    moved = _move_words(request, record, [found for _, found in known])
    text = f"A seat costs now, on {lines[0]}." if len(lines) == 1 else ""
    text = text or f"A seat costs now:\n\n{listed(lines)}\n\n"
    moved = moved.strip() if len(lines) > 1 else moved
    return answered(f"{text}{moved}".strip(), record["reservation_id"])


def _unmoved(request: Request) -> bool:
    """Whether a question about a price names no other day or time to fly."""
    return all(replace(leg, wanted=False).empty for leg in (request.out, request.back))


def _asked_flights(request: Request, record: Json) -> list[Json]:
    """The flights of a reservation that a question is about."""
    told = request.trip
    out, back = ways(record)
    chosen = [
        each
        for each in record["flights"]
        if each["date"] in told.dates or each["flight_number"] in told.numbers
    ]
    if chosen:
        return chosen
    if request.back.wanted and not request.out.wanted:
        return list(back) or list(out)
    if request.out.wanted and not request.back.wanted:
        return list(out)
    aimed = [
        each
        for each in record["flights"]
        if each["destination"] in told.destination
        and each["origin"] in (told.origin or [each["origin"]])
    ]
    return aimed or list(record["flights"])


def _move_words(request: Request, record: Json, offered: list[Json]) -> str:
    """What the change to another cabin would come to, where the whole trip was asked about."""
    whole = len(offered) == len(record["flights"])
    if not request.cabin or request.cabin == record["cabin"] or not whole:
        return ""
    due = difference(record, [{"price": each["prices"][request.cabin]} for each in offered])
    people = count(len(record["passengers"]), "passenger")
    lead = f" To change reservation {record['reservation_id']}"
    return f"{lead} would {'cost' if due >= 0 else 'bring back'} {money(abs(due))} for {people}."


def search(request: Request, talk: Talk) -> Ask | Tell:
    """Which flights there are."""
    if request.unknown_places and not (request.origin and request.destination):
        named = joined(each.title() for each in request.unknown_places)
        return Tell(f"I'm sorry, we don't fly to {named}.", "refused")
    if not request.origin or not request.destination:
        if not request.trip.empty and not (request.origin or request.destination):
            return _search_like(request, talk)
        slot = "origin" if request.destination else "destination" if request.origin else "route"
        return Ask("From where to where should I look for flights?", slot, request)
    if not (request.out.date or request.out.dates):
        return Ask("For which day should I look for flights?", "out_date", request)
    return _found(request, talk)


def _search_like(request: Request, talk: Talk) -> Ask | Tell:
    """Flights on the route of a reservation."""
    record = the_one(request, talk)
    request = _on_route(request, record)
    if not (request.out.date or request.out.dates):
        request.out.date = record["flights"][0]["date"]
    return _found(request, talk)


def _on_route(request: Request, record: Json) -> Request:
    return replace(
        request,
        origin=[record["origin"]],
        destination=[record["destination"]],
        out=replace(request.out),
    )


def _found(request: Request, talk: Talk) -> Tell:
    """The flights that fit, each with its price in the cabin named or in all three."""
    leg = request.out
    asked = way_of(request if request.cabin else replace(request, cabin="economy"), leg, back=False)
    found = journeys.offers(talk.memory, asked, leg)
    pool = journeys.preferred(talk.memory, found.fitting, leg, asked)
    ends = f"from {city(asked.origins[0])} to {city(asked.destinations[0])}"
    where = f"{ends} on {joined(map(weekday, asked.dates), 'or')}"
    if not pool:
        return answered(f"I find no flight {where} that can be booked as you wish it.")
    lines = [_line(request, each, asked.seats) for each in pool]
    stops = "direct" if found.stops == 0 else "with one stop"
    return answered(f"There are these flights {where}, {stops}:\n\n{listed(lines)}")


def _line(request: Request, each: Journey, seats: int) -> str:
    """A journey that was searched for, with its price in the cabin named or in all of them."""
    if request.cabin:
        line = offer(each, request.cabin, seats)
    else:
        prices = ", ".join(f"{cabin(n)} {money(fare(each, n))}" for n in CABINS)
        line = f"{journey(each)}: {prices}"
    lasts = _length(arrival(each) - departure(each))
    line = f"{line}; {lasts}" if "duration" in request.asks else line
    return f"{line}; {_left(request, each)}" if "seats" in request.asks else line


def _left(request: Request, each: Journey) -> str:
    """How many seats are left on every flight of a journey, in the cabin named or in all."""
    names = [request.cabin] if request.cabin else CABINS
    left = {n: min(flight["available_seats"][n] for flight in each) for n in names}
    return joined(f"{count(seats, 'seat')} left in {cabin(n)}" for n, seats in left.items())


def _length(minutes: int) -> str:
    return f"{minutes // 60} h {minutes % 60:02} min"
