"""Other flights for a reservation, other cabins, and what they cost now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from agent.clerk.airline.asking import ask, ask_which, refuse
from agent.clerk.airline.flight_wish import Leg, Wanted
from agent.clerk.airline.journeys import Way, at, choose
from agent.clerk.airline.memory import CABINS, Memory, ways
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import booked_flight, cabin, day, say, shift_day, trip, way
from agent.clerk.airline.words import FROM
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts


def difference(record: Json, new: Sequence[Json]) -> int:
    """Dollars that other flights, each with its ``price``, cost more for all passengers."""
    more = sum(each["price"] for each in new) - sum(each["price"] for each in record["flights"])
    return int(more) * len(record["passengers"])


def reprice(record: Json, talk: Talk, name: str) -> list[Json]:
    """A reservation's flights at what they cost now in another cabin; Settled where one is full."""
    return [_price_of(record, talk, each, name) for each in record["flights"]]


def _price_of(record: Json, talk: Talk, flight: Json, name: str) -> Json:
    offered = price_now(talk.memory, flight)
    people = len(record["passengers"])
    if offered is None or offered["available_seats"][name] < people:
        why = (
            "can no longer be booked" if offered is None else f"has too few seats in {cabin(name)}"
        )
        text = f"I can't change the cabin to {cabin(name)}: {booked_flight(flight)} {why}."
        refuse(text, record)
    return {**flight, "price": int(offered["prices"][name])}


def price_now(memory: Memory, flight: Json) -> Json | None:
    """What a reservation's flight is offered at now; None where it can no longer be booked."""
    found = memory.search(0, flight["origin"], flight["destination"], flight["date"])
    numbers = (each[0] for each in found if each[0]["flight_number"] == flight["flight_number"])
    return next(numbers, None)


def cabin_told(task: Task, talk: Talk, record: Json) -> str:
    """The cabin that was asked for last, other than the one there is; or nothing."""
    said = [each for line in reversed(talk.lines(task)) for each in line.cabins]
    named = [each.value for each in said if each.role != FROM]
    other = [each for each in named if each != record["cabin"]]
    return next(iter([*other, *named]), "")


def find_cabin(task: Task, talk: Talk, record: Json) -> str:
    """The cabin that was asked for; Settled with the question where "upgrade" leaves it open."""
    told = cabin_told(task, talk, record)
    if told:
        return told
    place = CABINS.index(record["cabin"])
    down = talk.tells(task, "down")
    above = CABINS[:place][::-1] if down else CABINS[place + 1 :]
    if len(above) == 1 and talk.tells(task, "down", "up"):
        return above[0]
    if not above:
        return str(record["cabin"])
    choices = [Choice(each, cabin(each)) for each in above]
    names = join_parts((f"**{each.words}**" for each in choices), "or")
    text = say("which cabin?", trip=trip(record), names=names)
    ask(task, "cabin", text, record, choices=choices)


def unflown(record: Json, talk: Talk) -> None:
    """Settled with a refusal where a flight was flown, after which the cabin has to stay."""
    gone = talk.memory.flown_flights(record, talk.today)
    if gone:
        refuse(say("cabin flown", trip=trip(record), flight=booked_flight(gone[0])), record)


def in_order(task: Task, record: Json, talk: Talk, new: list[list[Json]]) -> None:
    """Settled with a question where the way back would begin before the way out has ended."""
    if len(new) < 2:
        return
    for each in new:
        know_times(talk.memory, each[0])
    out, back = new[0][-1], new[1][0]
    midnight = ("00:00", "00:00")
    lands = talk.memory.times.get(out["flight_number"], midnight)[1]
    leaves = talk.memory.times.get(back["flight_number"], midnight)[0]
    if at(back["date"], leaves) < at(out["date"], lands):
        text = say("out of order", back=booked_flight(back), out=booked_flight(out))
        ask(task, "out_date", text, record)


def legs_of(task: Task, record: Json, told: Wanted, talk: Talk) -> list[Leg]:
    """What is wanted of each way of a reservation, whichever way the words were hung on."""
    ways_out, ways_back = ways(record)
    loose = told.open
    if not ways_back:
        return [loose.then(told.back).then(told.out)]
    if loose.empty or task.chosen.get("way"):
        side = task.chosen.get("way") if not loose.empty else ""
        return [loose if side == "out" else told.out, loose if side == "back" else told.back]
    if loose.date and told.out.empty and loose.date <= told.back.date:
        return [loose, told.back]
    if not told.back.empty or (told.back.wanted and not told.out.wanted):
        return [told.out, loose.then(told.back)]
    if told.out.wanted:
        return [loose.then(told.out), Leg()]
    out, back = ({each["date"] for each in way} for way in (ways_out, ways_back))
    if max(out) < talk.today or (back.intersection(told.old) and out.isdisjoint(told.old)):
        return [Leg(), loose]
    if loose.shift is not None or loose.rank in {"cheapest", "fastest"}:
        return [loose, loose]
    if loose.date > max(out) and not told.old:
        _ask_way(task, record)
    return [loose, Leg()]


def _ask_way(task: Task, record: Json) -> NoReturn:
    choices = [
        Choice(side, f"the flight {side}, {way(flights)} on {day(flights[0]['date'])}")
        for side, flights in zip(("out", "back"), ways(record), strict=True)
    ]
    ask_which(task, "way", "Which flight should be changed?", choices, record)


def new_way(task: Task, record: Json, talk: Talk, leg: Leg, name: str, number_: int) -> list[Json]:
    """The flights of one way as they would be, each with the price of a seat."""
    current = ways(record)[number_]
    if leg.empty and not leg.wanted:
        same = name == record["cabin"]
        return [dict(e) if same else _price_of(record, talk, e, name) for e in current]
    gone = [each for each in current if each["date"] < talk.today]
    if gone:
        refuse(f"{booked_flight(gone[0])} has been flown already and cannot be changed.", record)
    slot = "back" if number_ else "out"
    if leg.empty:
        text = say("fly when instead?", way=way(current), id=record["reservation_id"])
        ask(task, f"{slot}_date", text, record)
    dates = leg.days or (shift_day(current[0]["date"], leg.shift or 0),)
    ends = (current[0]["origin"],), (current[-1]["destination"],)
    seats, may_stay = len(record["passengers"]), name != record["cabin"]
    if leg.around or leg.relative:
        know_times(talk.memory, current[0])
    asked = Way(*ends, dates, name, seats, current, may_stay)
    found = choose(task, talk, asked, leg, slot)
    return [{**each, "price": int(each["prices"][name])} for each in found]


def know_times(memory: Memory, flight: Json) -> None:
    """Look up when a reservation's flight leaves, where a search can tell."""
    if flight["flight_number"] not in memory.times:
        memory.search(0, flight["origin"], flight["destination"], flight["date"])
