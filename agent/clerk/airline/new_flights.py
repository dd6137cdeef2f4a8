"""Slot filling for changes of a reservation: its new flights or cabin, and their current prices."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_search import FlightQuery, choose_journey, flight_keys, moment_of
from agent.clerk.airline.flight_slots import Leg
from agent.clerk.airline.known_records import CABINS, AirlineRecords, ways
from agent.clerk.airline.replies import ask, refuse
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


def reprice(
    record: Json, dialogue: AirlineState, name: str, flights: Sequence[Json] | None = None
) -> list[Json]:
    """A reservation's flights, or some of them, at their current prices in another cabin.

    Raises Settled with a refusal if a flight is full, and with a look-up.
    """
    found: list[Json] = []
    for flight in record["flights"] if flights is None else flights:
        offered = price_now(dialogue.records, flight)
        seats = offered["available_seats"][name] if offered else 0
        if offered is None or seats < len(record["passengers"]):
            why = f"has too few seats in {cabin(name)}" if offered else "can no longer be booked"
            text = f"I can't change the cabin to {cabin(name)}: {booked_flight(flight)} {why}."
            refuse(text, record)
        found.append({**flight, "price": int(offered["prices"][name])})
    return found


def price_now(records: AirlineRecords, flight: Json) -> Json | None:
    """The current offer of a reservation's flight, or None if it can no longer be booked."""
    found = records.search(0, flight["origin"], flight["destination"], flight["date"])
    numbers = (each[0] for each in found if each[0]["flight_number"] == flight["flight_number"])
    return next(numbers, None)


def cabin_told(task: Task, dialogue: AirlineState, record: Json) -> str:
    """The cabin mentioned last, preferably one other than the current; empty without a mention.

    The only other one that is mentioned is meant, whatever is said: "economy will have to do".
    """
    said = [each for line in reversed(dialogue.sentences_of(task)) for each in line.cabins]
    named = [str(each.value) for each in said if each.role != FROM]
    other = [each for each in named if each != record["cabin"]]
    left = {str(each.value) for each in said} - {record["cabin"]}
    return next(iter([*other, *(left if len(left) == 1 else ()), *named]), "")


def find_cabin(task: Task, dialogue: AirlineState, record: Json) -> str:
    """The requested cabin; raises Settled with a question if "upgrade" leaves it open."""
    told = cabin_told(task, dialogue, record)
    if told:
        return told
    place = CABINS.index(record["cabin"])
    down = dialogue.task_says(task, "down")
    above = CABINS[:place][::-1] if down else CABINS[place + 1 :]
    if not above or (len(above) == 1 and dialogue.task_says(task, "down", "up")):
        return above[0] if above else str(record["cabin"])
    choices = [Choice(each, cabin(each)) for each in above]
    names = join_parts((f"**{each.words}**" for each in choices), "or")
    ask(task, "cabin", say("which cabin?", trip=trip(record), names=names), record, choices=choices)


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
    out, back = new[0][-1], new[1][0]
    for each in (out, back):
        look_up_times(dialogue.records, each)
    times, midnight = dialogue.records.times, ("00:00", "00:00")
    lands = moment_of(out["date"], times.get(out["flight_number"], midnight)[1])
    if moment_of(back["date"], times.get(back["flight_number"], midnight)[0]) < lands:
        text = say("out of order", back=booked_flight(back), out=booked_flight(out))
        moved = flight_keys(new[1]) != flight_keys(ways(record)[1])
        ask(task, "back_date" if moved else "out_date", text, record)


def legs_of(task: Task, record: Json, told: WantedLegs, dialogue: AirlineState) -> list[Leg]:
    """The slots of each way of a reservation.

    Slots that were given without a way are assigned to the one that fits, or a question is raised.
    """
    loose = told.either
    if not ways(record)[1]:
        return [loose.updated_by(told.back).updated_by(told.out)]
    if loose.is_empty:
        return [told.out, told.back]
    side = task.chosen.get("way") or _way_meant(told, dialogue)
    if not side:
        choices = [
            Choice(side, f"the flight {side}, {way(flights)} on {day(flights[0]['date'])}")
            for side, flights in zip(("out", "back"), ways(record), strict=True)
        ]
        ask(task, "way", "Which flight should be changed?", record, choices=choices, shown=2)
    return [
        loose.updated_by(leg) if side in {name, "both"} else leg
        for name, leg in (("out", told.out), ("back", told.back))
    ]


def _way_meant(told: WantedLegs, dialogue: AirlineState) -> str:
    """The way that slots without one are about: out, back or both; empty if it is not clear."""
    loose, out, back = told.either, {*told.booked("out")}, {*told.booked("back")}
    if loose.date and told.out.is_empty and loose.date <= told.back.date:
        return "out"
    if max(out) < dialogue.today or (back & {*told.old} and not out & {*told.old}):
        return "back"
    if loose.shift is not None or loose.rank in {"cheapest", "fastest"}:
        return "both"
    return "" if loose.date > max(out) and not told.old else "out"


def new_way(
    task: Task, record: Json, dialogue: AirlineState, leg: Leg, name: str, number_: int
) -> list[Json]:
    """The new flights of one way, each with the price of a seat."""
    current, same = ways(record)[number_], name == record["cabin"]
    if leg.is_empty and not leg.mentioned:
        return [dict(e) for e in current] if same else reprice(record, dialogue, name, current)
    if current[0]["date"] < dialogue.today:
        text = f"{booked_flight(current[0])} has already been flown and can't be changed."
        refuse(text, record)
    slot = "back" if number_ else "out"
    if leg.is_empty:
        text = say("fly when instead?", way=way(current), id=record["reservation_id"])
        ask(task, f"{slot}_date", text, record)
    dates = leg.days or (shift_day(current[0]["date"], leg.shift or 0),)
    ends = (current[0]["origin"],), (current[-1]["destination"],)
    if leg.around or leg.relative:
        look_up_times(dialogue.records, current[0])
    people = len(record["passengers"])
    asked = FlightQuery(*ends, dates, name, people, current, record, may_stay=not same)
    found = choose_journey(task, dialogue, asked, leg, slot)
    return [{**each, "price": int(each["prices"][name])} for each in found]


def look_up_times(records: AirlineRecords, flight: Json) -> None:
    """Look up the times of a reservation's flight, if a search can give them."""
    if flight["flight_number"] not in records.times:
        records.search(0, flight["origin"], flight["destination"], flight["date"])
