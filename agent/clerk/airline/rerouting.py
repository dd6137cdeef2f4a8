"""Other flights for a reservation: which ways change, and which flights they become."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline import journeys, looking_up
from agent.clerk.airline.journeys import Way
from agent.clerk.airline.locating import meant
from agent.clerk.airline.memory import Journey, Memory, ways
from agent.clerk.airline.offering import ask_flight
from agent.clerk.airline.places import city
from agent.clerk.airline.repricing import (
    price_of,
)
from agent.clerk.airline.requests import Leg, Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import (
    booked_flight,
    cabin,
    count,
    day,
    shifted,
    way,
    weekday,
)
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Choice, Settled, Tell
from agent.clerk.wording import joined


def in_order(request: Request, record: Json, talk: Talk, new: list[list[Json]]) -> None:
    """Settled with a question where the way back would begin before the way out has ended."""
    if len(new) < 2:
        return
    for way_ in new:
        _know_times(talk.memory, tuple(way_))
    out, back = new[0][-1], new[1][0]
    times = talk.memory.times
    lands = times.get(out["flight_number"], ("", ""))[1]
    leaves = times.get(back["flight_number"], ("", ""))[0]
    overnight = 1 if "+" in lands else 0
    ends, begins = f"{shifted(out['date'], overnight)} {lands}", f"{back['date']} {leaves}"
    if begins < ends:
        text = (
            f"That does not work out: {booked_flight(back)} would leave before "
            f"{booked_flight(out)} has arrived. On which day would you like to fly instead?"
        )
        slot = "back_date" if request.out.empty else "out_date"
        raise Settled(Ask(text, slot, request, None, focus=record["reservation_id"]))


def redirected(request: Request, talk: Talk) -> Request:
    """A change "to Atlanta", where no reservation goes there: another destination is wanted."""
    if request.destination or not request.trip.destination or meant(request, talk):
        return request
    relaxed = replace(request, trip=replace(request.trip, destination=[]))
    if not meant(relaxed, talk):
        return request
    request.destination, request.trip = list(request.trip.destination), relaxed.trip
    return request


def same_trip(request: Request, record: Json) -> None:
    """Settled with a refusal where another origin, destination or type of trip is wanted."""
    ends = {record["origin"], record["destination"]}
    other = [
        codes
        for codes, now in (
            (request.origin, record["origin"]),
            (request.destination, record["destination"]),
        )
        if codes and now not in codes and not set(codes) <= ends
    ]
    if other or request.unknown_places:
        where = joined((city(each) for each in other[0]), "or") if other else ""
        there = f" to {where}" if where and other[0] == request.destination else ""
        text = (
            f"I can't change reservation {record['reservation_id']}{there}: the origin and the "
            "destination of a reservation have to stay as they are."
        )
        raise Settled(Tell(text, "refused", focus=record["reservation_id"]))
    if request.flight_type and request.flight_type != record["flight_type"]:
        text = "A reservation has to stay one way or a round trip, as it was booked."
        raise Settled(Tell(text, "refused", focus=record["reservation_id"]))


def legs_of(request: Request, record: Json, today: str = "") -> list[Leg]:
    """What is wanted of each way of a reservation, whichever way the words were hung on.

    Where the way out was before ``today``, only the way back can be meant.
    """
    out, back = replace(request.out), replace(request.back)
    ways_out, ways_back = ways(record)
    if not ways_back:
        return [back if out.empty else out, Leg()]
    begun = all(each["date"] < today for each in ways_out)
    if back.empty and begun and not out.wanted:
        return [Leg(keep=True), out]
    if back.empty and _speaks_of(request, ways_back) and not _speaks_of(request, ways_out):
        return [Leg(keep=True), out]
    if back.empty and (out.shift is not None or out.rank) and not out.wanted:
        return [out, replace(out)]
    open_ = back.empty and not out.wanted and not request.trip.dates
    if open_ and out.date > max(each["date"] for each in ways_out):
        raise Settled(_ask_way(request, record))
    return [out, back]


def _speaks_of(request: Request, flights_: Journey) -> bool:
    """Whether the flights of one way were named by a day, a number or their direction."""
    told = request.trip
    return (
        bool({each["date"] for each in flights_} & set(told.dates))
        or bool({each["flight_number"] for each in flights_} & set(told.numbers))
        or (
            bool(told.origin or told.destination)
            and (not told.origin or flights_[0]["origin"] in told.origin)
            and (not told.destination or flights_[-1]["destination"] in told.destination)
        )
    )


def _ask_way(request: Request, record: Json) -> Ask:
    out, back = ways(record)
    options = (
        Choice("out", f"the flight out, {way(out)} on {day(out[0]['date'])}"),
        Choice("back", f"the flight back, {way(back)} on {day(back[0]['date'])}"),
    )
    text = f"Which flight should be changed: {options[0].words}, or {options[1].words}?"
    return Ask(text, "way", request, None, options, focus=record["reservation_id"])


def new_way(
    request: Request, record: Json, talk: Talk, leg: Leg, name: str, number: int
) -> list[Json]:
    """The flights of one way as they would be, each with the price of a seat."""
    current = ways(record)[number]
    wanted = replace(leg, wanted=False, keep=False)
    if leg.keep or (wanted.empty and not leg.wanted):
        return _kept(record, talk, current, name)
    gone = [each for each in current if each["date"] < talk.today]
    if gone:
        text = f"{booked_flight(gone[0])} has been flown already and cannot be changed."
        raise Settled(Tell(text, "refused", focus=record["reservation_id"]))
    if wanted.empty:
        text = f"On which day would you like to fly {way(current)} instead?"
        slot = f"{_slot(number)}_date"
        raise Settled(Ask(text, slot, request, None, focus=record["reservation_id"]))
    found = _offered(request, record, talk, leg, name, number)
    return [{**each, "price": int(each["prices"][name])} for each in found]


def _slot(number: int) -> str:
    return "back" if number else "out"


def _offered(
    request: Request, record: Json, talk: Talk, leg: Leg, name: str, number: int
) -> Journey:
    """The one journey that was wished; Settled with the choice where several would do."""
    current = ways(record)[number]
    start = current[0]["date"]
    dates = tuple(dict.fromkeys(each for each in (leg.date, *leg.dates) if each))
    dates = dates or (shifted(start, leg.shift or 0),)
    ends = (current[0]["origin"],), (current[-1]["destination"],)
    seats = len(record["passengers"])
    asked = Way(*ends, dates, name, seats, current if name == record["cabin"] else ())
    if leg.around or leg.relative:
        _know_times(talk.memory, current)
    found = journeys.offers(talk.memory, asked, leg)
    pool = journeys.preferred(talk.memory, found.fitting, leg, replace(asked, instead_of=current))
    if len(pool) == 1:
        return pool[0]
    where = f"{way(current)} on {joined((weekday(each) for each in dates), 'or')}"
    if pool:
        lead = f"There are {len(pool)} flights {where} with room for you in {cabin(name)}:"
        raise Settled(ask_flight(request, asked, pool, _slot(number), lead))
    raise Settled(_nothing(request, asked, found, where, number))


def _know_times(memory: Memory, current: Journey) -> None:
    """Look up when the present flight leaves, where a search can tell."""
    flight = current[0]
    if flight["flight_number"] not in memory.times:
        looking_up.search(memory, 0, flight["origin"], flight["destination"], flight["date"])


def _nothing(
    request: Request, asked: Way, found: journeys.Offers, where: str, number: int
) -> Ask | Tell:
    full = f" with {count(asked.seats, 'seat')} in {cabin(asked.cabin)}" if found.full else ""
    text = f"I find no flight {where}{full} that can be booked."
    if found.near and not (request.otherwise or request.give_up):
        lead = f"There is no flight {where} at the time you wish. There is:"
        return ask_flight(request, asked, found.near, _slot(number), lead)
    if request.otherwise or request.give_up:
        return Tell(text, "refused")
    return Ask(f"{text} Would another day do?", f"{_slot(number)}_date", request)


def _kept(record: Json, talk: Talk, current: Journey, name: str) -> list[Json]:
    """Flights that stay: at the price that was paid, or at today's where the cabin changes."""
    if name == record["cabin"]:
        return [dict(each) for each in current]
    return [price_of(record, talk, each, name) for each in current]
