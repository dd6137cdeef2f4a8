"""Slot filling for changes of a reservation: its new flights or cabin, and their current prices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from agent.clerk.airline.ask_or_refuse import ask, ask_which, refuse
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_query import FlightQuery, flight_keys
from agent.clerk.airline.flight_search import choose_journey, moment_of
from agent.clerk.airline.flight_slots import Leg
from agent.clerk.airline.known_records import CABINS, AirlineRecords, ways
from agent.clerk.airline.vocabulary import FROM
from agent.clerk.airline.wanted_legs import WantedLegs
from agent.clerk.airline.wording import booked_flight, cabin, day, say, shift_day, trip, way
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts


def difference(record: Json, new: Sequence[Json]) -> int:
    """Dollars that other flights, each with its ``price``, cost more for all passengers."""
    more = sum(each["price"] for each in new) - sum(each["price"] for each in record["flights"])
    return int(more) * len(record["passengers"])


def reprice(record: Json, dialogue: AirlineState, name: str) -> list[Json]:
    """A reservation's flights at their current prices in another cabin.

    Raises Settled with a refusal if a flight is full, and with a look-up.
    """
    return [_price_of(record, dialogue, each, name) for each in record["flights"]]


def _price_of(record: Json, dialogue: AirlineState, flight: Json, name: str) -> Json:
    offered = price_now(dialogue.records, flight)
    people = len(record["passengers"])
    if offered is None or offered["available_seats"][name] < people:
        why = (
            "can no longer be booked" if offered is None else f"has too few seats in {cabin(name)}"
        )
        text = f"I can't change the cabin to {cabin(name)}: {booked_flight(flight)} {why}."
        refuse(text, record)
    return {**flight, "price": int(offered["prices"][name])}


def price_now(records: AirlineRecords, flight: Json) -> Json | None:
    """The current offer of a reservation's flight, or None if it can no longer be booked."""
    found = records.search(0, flight["origin"], flight["destination"], flight["date"])
    numbers = (each[0] for each in found if each[0]["flight_number"] == flight["flight_number"])
    return next(numbers, None)


def cabin_told(task: Task, dialogue: AirlineState, record: Json) -> str:
    """The cabin mentioned last, preferably one other than the current; empty without a mention."""
    said = [each for line in reversed(dialogue.sentences_of(task)) for each in line.cabins]
    named = [each.value for each in said if each.role != FROM]
    other = [each for each in named if each != record["cabin"]]
    return next(iter([*other, *named]), "")


def find_cabin(task: Task, dialogue: AirlineState, record: Json) -> str:
    """The requested cabin; raises Settled with a question if "upgrade" leaves it open."""
    told = cabin_told(task, dialogue, record)
    if told:
        return told
    place = CABINS.index(record["cabin"])
    down = dialogue.task_says(task, "down")
    above = CABINS[:place][::-1] if down else CABINS[place + 1 :]
    if len(above) == 1 and dialogue.task_says(task, "down", "up"):
        return above[0]
    if not above:
        return str(record["cabin"])
    choices = [Choice(each, cabin(each)) for each in above]
    names = join_parts((f"**{each.words}**" for each in choices), "or")
    text = say("which cabin?", trip=trip(record), names=names)
    ask(task, "cabin", text, record, choices=choices)


def refuse_if_flown(record: Json, dialogue: AirlineState) -> None:
    """Raise Settled with a refusal if a flight has departed, as the cabin is then fixed."""
    gone = dialogue.records.flown_flights(record, dialogue.today)
    if gone:
        refuse(say("cabin flown", trip=trip(record), flight=booked_flight(gone[0])), record)


def ask_if_out_of_order(
    task: Task, record: Json, dialogue: AirlineState, new: list[list[Json]]
) -> None:
    """Raise Settled with a question if the way back would begin before the way out ends."""
    if len(new) < 2:
        return
    for each in new:
        look_up_times(dialogue.records, each[0])
    out, back = new[0][-1], new[1][0]
    midnight = ("00:00", "00:00")
    lands = dialogue.records.times.get(out["flight_number"], midnight)[1]
    leaves = dialogue.records.times.get(back["flight_number"], midnight)[0]
    if moment_of(back["date"], leaves) < moment_of(out["date"], lands):
        text = say("out of order", back=booked_flight(back), out=booked_flight(out))
        moved = flight_keys(new[1]) != flight_keys(ways(record)[1])
        ask(task, "back_date" if moved else "out_date", text, record)


def legs_of(task: Task, record: Json, told: WantedLegs, dialogue: AirlineState) -> list[Leg]:
    """The slots of each way of a reservation.

    Slots that were given without a way are assigned to the one that fits, or a question is raised.
    """
    ways_out, ways_back = ways(record)
    loose = told.either
    if not ways_back:
        return [loose.updated_by(told.back).updated_by(told.out)]
    if loose.is_empty or task.chosen.get("way"):
        side = task.chosen.get("way") if not loose.is_empty else ""
        return [loose if side == "out" else told.out, loose if side == "back" else told.back]
    if loose.date and told.out.is_empty and loose.date <= told.back.date:
        return [loose, told.back]
    if told.back.mentioned or told.out.mentioned:
        legs = {"out": told.out, "back": told.back}
        side = told.side or ("out" if told.out.mentioned else "back")
        legs[side] = loose.updated_by(legs[side])
        return [*legs.values()]
    out, back = ({each["date"] for each in way} for way in (ways_out, ways_back))
    if max(out) < dialogue.today or (back.intersection(told.old) and out.isdisjoint(told.old)):
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


def new_way(
    task: Task, record: Json, dialogue: AirlineState, leg: Leg, name: str, number_: int
) -> list[Json]:
    """The new flights of one way, each with the price of a seat."""
    current = ways(record)[number_]
    if leg.is_empty and not leg.mentioned:
        same = name == record["cabin"]
        return [dict(e) if same else _price_of(record, dialogue, e, name) for e in current]
    gone = [each for each in current if each["date"] < dialogue.today]
    if gone:
        refuse(f"{booked_flight(gone[0])} has already been flown and can't be changed.", record)
    slot = "back" if number_ else "out"
    if leg.is_empty:
        text = say("fly when instead?", way=way(current), id=record["reservation_id"])
        ask(task, f"{slot}_date", text, record)
    dates = leg.days or (shift_day(current[0]["date"], leg.shift or 0),)
    ends = (current[0]["origin"],), (current[-1]["destination"],)
    seats, may_stay = len(record["passengers"]), name != record["cabin"]
    if leg.around or leg.relative:
        look_up_times(dialogue.records, current[0])
    asked = FlightQuery(*ends, dates, name, seats, current, record, may_stay)
    found = choose_journey(task, dialogue, asked, leg, slot)
    return [{**each, "price": int(each["prices"][name])} for each in found]


def look_up_times(records: AirlineRecords, flight: Json) -> None:
    """Look up the times of a reservation's flight, if a search can give them."""
    if flight["flight_number"] not in records.times:
        records.search(0, flight["origin"], flight["destination"], flight["date"])
