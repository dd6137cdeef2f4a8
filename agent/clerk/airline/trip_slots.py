"""Slot filling for a trip to book or search: origin, destination, days and cabin."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import Leg, read_flight_slots
from agent.clerk.airline.known_records import ways
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.request_refinement import is_question
from agent.clerk.airline.reservation_slots import find_candidates, upcoming
from agent.clerk.airline.vocabulary import FROM, NOT, TO
from agent.clerk.airline.wanted_legs import WantedLegs
from agent.clerk.airline.wording import shift_day
from agent.clerk.state.records import Json
from agent.clerk.state.task import Task


@dataclass
class TripSlots:
    """The slots of a trip; a slot that was not mentioned is empty."""

    origin: tuple[str, ...] = ()
    destination: tuple[str, ...] = ()
    unknown: str = ""
    """A mentioned city that the airline does not fly to."""

    out: Leg = field(default_factory=Leg)
    back: Leg = field(default_factory=Leg)
    kind: str = ""
    """``one_way`` or ``round_trip``."""

    cabin: str = ""
    copied_from: Json | None = None
    """The reservation that the trip should resemble."""


def trip_of(task: Task, dialogue: AirlineState) -> TripSlots:
    """The trip that a task's sentences describe, read oldest first."""
    found = TripSlots()
    lines = dialogue.sentences_of(task)
    own = any(said.places for said in lines) and any(said.days for said in lines)
    for said in [*([] if own else dialogue.parse_all(task.context)), *lines]:
        _read(said, found)
    if any(said.has_phrase_of("the like") for said in lines) and dialogue.records.user:
        found.copied_from = _reservation_to_copy(task, dialogue)
    for said in dialogue.parse_all(task.alternatives):
        stops = read_flight_slots(said).stops if found.out.stops else ()
        found.out = replace(found.out, stops=(*found.out.stops, *stops))
    if found.copied_from is not None:
        _copy_from_reservation(found, found.copied_from)
    out, back = found.out.date, found.back.date
    found.kind = found.kind or "round_trip" * bool(back)
    if out and back and back < out:  # "back on Friday": the first one after the way out
        late = (date.fromisoformat(out) - date.fromisoformat(back)).days
        found.back = replace(found.back, days=(shift_day(back, late + -late % 7),))
    return found


def _reservation_to_copy(task: Task, dialogue: AirlineState) -> Json | None:
    """The reservation that the trip should resemble: "the same flight as my current one"."""
    known = dialogue.records.reservations.get(task.chosen.get("focus") or str(dialogue.focus))
    found = [known] if known else find_candidates(task, dialogue)
    if len(found) != 1:
        found = upcoming(dialogue.records.read_reservations(), dialogue)
    return found[0] if len(found) == 1 else None


def _read(sentence: ParsedSentence, found: TripSlots) -> None:
    _read_places(sentence, found)
    if sentence.has_phrase_of("one way"):
        found.kind = "one_way"
    elif sentence.has_phrase_of("round trip") or sentence.has_phrase("return"):
        found.kind = "round_trip"
    costs = sentence.has_phrase("cost", "fare", "fares", "how much") and is_question(sentence)
    named = [] if costs else [each.value for each in sentence.cabins if each.role != FROM]
    found.cabin = [found.cabin, *named][-1]
    if "?" not in sentence.words or sentence.days:
        legs = WantedLegs(None, found.out, found.back)
        legs.read(sentence)
        found.out, found.back = legs.out, legs.back
    if sentence.has_phrase_of("same day") and sentence.has_phrase_of("way back"):
        found.back = found.back.updated_by(Leg(days=found.out.days[:1]))
        found.kind = found.kind or "round_trip"


def _read_places(sentence: ParsedSentence, found: TripSlots) -> None:
    """Read origin and destination; a place without either role fills the one that is missing."""
    named: dict[str, list[tuple[str, ...]]] = {FROM: [], TO: [], NOT: [], "": []}
    for place in sentence.places:
        named[place.role].append(place.value)
        if not place.value and place.role != NOT:
            found.unknown = " ".join(sentence.raw[place.start : place.end])
    origins, destinations, loose = (list(filter(None, named[e])) for e in (FROM, TO, ""))
    if len(loose) > 1 and not (origins or destinations):
        origins, destinations = loose[:1], loose[1:]
    elif loose and not destinations:
        destinations = loose
    elif loose and not origins and loose[0] != destinations[0]:
        origins = loose
    found.origin = next(iter(origins), found.origin)
    found.destination = next(iter(destinations), found.destination)


def _copy_from_reservation(found: TripSlots, model: Json) -> None:
    """Fill the empty slots from the reservation that the trip should resemble."""
    found.origin = found.origin or (model["origin"],)
    found.destination = found.destination or (model["destination"],)
    found.kind = found.kind or model["flight_type"]
    found.cabin = found.cabin or model["cabin"]
    for name, flights in zip(("out", "back"), ways(model), strict=True):
        leg: Leg = getattr(found, name)
        if flights and leg.date in {"", flights[0]["date"]}:
            numbers = tuple(each["flight_number"] for each in flights)
            days = (flights[0]["date"],)
            setattr(found, name, replace(leg, days=days, numbers=numbers))
