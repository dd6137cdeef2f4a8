"""Finding the reservation that a request speaks of, among the customer's own."""

from __future__ import annotations

from collections.abc import Iterable

from agent.clerk.airline import looking_up
from agent.clerk.airline.journeys import minutes
from agent.clerk.airline.memory import Memory, ways
from agent.clerk.airline.requests import Intent, Request, Trip
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import choices, described, trip
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Choice, Settled, Tell
from agent.clerk.wording import joined

VERBS = {
    Intent.CANCEL: "cancel",
    Intent.FLIGHTS: "change",
    Intent.CABIN: "change the cabin of",
    Intent.PASSENGERS: "change the passengers of",
    Intent.BAGS: "add bags to",
    Intent.INSURANCE: "insure",
}
_LEFT_OVER = {Intent.CANCEL, Intent.FLIGHTS, Intent.CABIN, Intent.PASSENGERS, Intent.BAGS}
"""Requests that can only be about a reservation that still stands and lies ahead."""


def the_one(request: Request, talk: Talk) -> Json:
    """The reservation that a request is about; Settled with a question or a refusal if unclear."""
    found = meant(request, talk)
    if len(found) == 1:
        return found[0]
    raise Settled(_which(request, talk, found))


def to_do(request: Request, talk: Talk) -> Json | None:
    """The next reservation that a request is still to be carried out on; None once all are."""
    if request.written and not request.trip.several:
        return None
    left = [each for each in meant(request, talk) if each["reservation_id"] not in request.written]
    if request.written and not left:
        return None
    if len(left) == 1 or (left and request.trip.several and not _one_of(request)):
        return left[0]
    raise Settled(_which(request, talk, left))


def _one_of(request: Request) -> bool:
    return request.trip.which in {"any", "only"}


def meant(request: Request, talk: Talk) -> list[Json]:
    """The reservations that a request can mean, by everything that was said of it."""
    memory, wanted = talk.memory, request.trip
    if wanted.ids:
        return _named(wanted.ids, memory)
    if wanted.which == "same" and talk.focus in memory.reservations:
        return [memory.reservations[str(talk.focus)]]
    everything = looking_up.reservations(memory)
    found = [each for each in everything if _meets(wanted, each, memory)]
    if wanted.which == "other" and talk.focus:
        found = [each for each in found if each["reservation_id"] != talk.focus]
    return _ranked(wanted, _likely(request, found, talk), talk)


def _named(ids: Iterable[str], memory: Memory) -> list[Json]:
    """Reservations named by their ids; Settled where one is not the customer's."""
    foreign = [each for each in ids if each not in memory.reservation_ids]
    if foreign:
        text = (
            f"I don't see {joined(foreign)} among your reservations, and I can only help with "
            "reservations on your own profile."
        )
        raise Settled(Tell(text, "refused"))
    found = [(each, looking_up.reservation(memory, each)) for each in ids]
    failed = [key for key, record in found if record is None]
    if failed:
        raise Settled(Tell(f"I can't open reservation {joined(failed)} right now.", "refused"))
    return [record for _, record in found if record is not None]


def _meets(wanted: Trip, record: Json, memory: Memory) -> bool:
    """Whether a description fits a reservation as it is, or as it was when it was first read."""
    first = memory.as_found.get(record["reservation_id"], record)
    return points_at(wanted, record, memory) or points_at(wanted, first, memory)


def points_at(wanted: Trip, record: Json, memory: Memory) -> bool:
    """Whether every part of a description fits a reservation."""
    flights = record["flights"]
    ends = {(record["origin"], record["destination"])}
    if record["flight_type"] == "round_trip":
        ends.add((record["destination"], record["origin"]))
    ends |= {(each["origin"], each["destination"]) for each in flights}
    touched = {each[end] for each in flights for end in ("origin", "destination")}
    dates, numbers = ({each[key] for each in flights} for key in ("date", "flight_number"))
    return (
        any(_among(wanted.origin, start) and _among(wanted.destination, end) for start, end in ends)
        and (not wanted.place or bool(touched & set(wanted.place)))
        and (not wanted.dates or set(wanted.dates) <= dates)
        and (not wanted.numbers or set(wanted.numbers) <= numbers)
        and wanted.cabin in {"", record["cabin"]}
        and wanted.passengers in {None, len(record["passengers"])}
        and wanted.flight_type in {"", record["flight_type"]}
        and _as_long(wanted, record, memory)
        and (wanted.stops is None or wanted.stops == max(0, len(ways(record)[0]) - 1))
    )


def _among(codes: list[str], code: str) -> bool:
    return not codes or code in codes


def _as_long(wanted: Trip, record: Json, memory: Memory) -> bool:
    """Whether the flights last as long as was said; times are looked up where that matters."""
    if wanted.longer_than is None and wanted.shorter_than is None:
        return True
    hours = [_hours(each, memory) for each in record["flights"]]
    longest, total = max(hours), sum(hours)
    longer = wanted.longer_than is None or longest > wanted.longer_than
    return longer and (wanted.shorter_than is None or total <= wanted.shorter_than)


def _hours(flight: Json, memory: Memory) -> float:
    number = flight["flight_number"]
    if number not in memory.times:
        looking_up.search(memory, 0, flight["origin"], flight["destination"], flight["date"])
    leaves, lands = memory.times.get(number, ("", ""))
    return (minutes(lands) - minutes(leaves)) / 60


def stands(record: Json) -> bool:
    """Whether a reservation was not cancelled."""
    return record.get("status") != "cancelled"


def ahead(record: Json, talk: Talk) -> bool:
    """Whether a reservation has a flight that leaves today or later."""
    return any(each["date"] >= talk.today for each in record["flights"])


def begun(record: Json, talk: Talk) -> bool:
    """Whether a reservation has a flight before today."""
    return any(each["date"] < talk.today for each in record["flights"])


def _likely(request: Request, found: list[Json], talk: Talk) -> list[Json]:
    """Those that still stand and lie ahead, where there are any and nothing else was asked for."""
    wanted = request.trip
    if wanted.past:
        return [each for each in found if not ahead(each, talk)] or found
    standing = [each for each in found if stands(each)]
    coming = [each for each in standing if ahead(each, talk)]
    narrowed = coming or standing
    acting = request.intent in _LEFT_OVER
    if narrowed and (acting or wanted.upcoming or len(found) > 1):
        return narrowed
    return found


def _ranked(wanted: Trip, found: list[Json], talk: Talk) -> list[Json]:
    """One of several, where the customer said the last or the next one."""
    if wanted.same_day:
        first_days = [each["flights"][0]["date"] for each in found]
        return [each for each in found if first_days.count(each["flights"][0]["date"]) > 1]
    if wanted.which == "last" and found:
        return [max(found, key=lambda each: str(each["created_at"]))]
    if wanted.which == "next" and found:
        return [min(found, key=lambda each: str(each["flights"][0]["date"]))]
    if wanted.which == "same" and len(found) > 1 and talk.focus:
        same = [each for each in found if each["reservation_id"] == talk.focus]
        return same or found
    return found


def _which(request: Request, talk: Talk, found: list[Json]) -> Ask | Tell:
    """The question which of several reservations is meant, or that there is none."""
    verb = VERBS.get(request.intent or Intent.RESERVATION, "")
    pool = found
    lead = ""
    if not found:
        everything = looking_up.reservations(talk.memory)
        standing = [each for each in everything if stands(each) and ahead(each, talk)]
        pool = standing or everything
        lead = "I don't find a reservation like that. " if not request.trip.empty else ""
        if not pool:
            return Tell("There are no reservations on your profile.", "refused")
    options = tuple(Choice(each["reservation_id"], trip(each)) for each in pool)
    question = f"Which of your reservations {f'should I {verb}' if verb else 'do you mean'}?"
    new = '\n\nIf it is none of them, say "a new booking".' if lead and verb else ""
    text = f"{lead}{question}\n\n{choices(described(each) for each in pool)}{new}"
    return Ask(text, "reservation", request, None, options)
