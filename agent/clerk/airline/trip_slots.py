"""Slot filling for a trip to book or search: origin, destination, days and cabin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import Leg, read_flight_slots, way_mentioned
from agent.clerk.airline.known_records import ways
from agent.clerk.airline.parsed_sentence import ParsedSentence, parse_sentence
from agent.clerk.airline.request_refinement import is_question
from agent.clerk.airline.reservation_slots import find_candidates, upcoming
from agent.clerk.airline.vocabulary import FROM, NOT, TO, words_of
from agent.clerk.airline.wording import shift_day
from agent.clerk.state.records import Json
from agent.clerk.state.task import Task
from agent.clerk.understanding.correcting import is_correction
from agent.clerk.understanding.tokens import tokens


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
    own = any(said.places for said in lines)
    before = [] if own and any(said.days for said in lines) else dialogue.parse_all(task.context)
    for said in before:
        _read(said, found)
    for said in lines:
        _read(said, found)
        found.copied_from = _reservation_to_copy(said, task, dialogue) or found.copied_from
    for said in dialogue.parse_all(task.alternatives):
        stops = read_flight_slots(said).stops
        if stops and found.out.stops:
            found.out = replace(found.out, stops=(*found.out.stops, *stops))
    if found.copied_from is not None:
        _copy_from_reservation(found, found.copied_from)
    out, back = found.out.date, found.back.date
    found.kind = found.kind or "round_trip" * bool(back)
    if out and back and back < out:  # "back on Friday": the first one after the way out
        late = (date.fromisoformat(out) - date.fromisoformat(back)).days
        found.back = replace(found.back, date=shift_day(back, late + -late % 7))
    return found


def _reservation_to_copy(
    sentence: ParsedSentence, task: Task, dialogue: AirlineState
) -> Json | None:
    """The reservation that the trip should resemble: "the same flight as my current one"."""
    if not sentence.has_phrase_of("the like") or dialogue.records.user is None:
        return None
    key = task.chosen.get("focus") or dialogue.focus
    if key in dialogue.records.reservations:
        return dialogue.records.reservations[str(key)]
    found = find_candidates(task, dialogue)
    if len(found) != 1:
        found = upcoming(dialogue.records.read_reservations(), dialogue)
    return found[0] if len(found) == 1 else None


def _read(sentence: ParsedSentence, found: TripSlots) -> None:
    _read_places(sentence, found)
    if sentence.has_phrase_of("one way"):
        found.kind = "one_way"
    elif sentence.has_phrase_of("round trip") or (
        sentence.has_phrase("return") and not sentence.has_phrase("to return")
    ):
        found.kind = "round_trip"
    named = [each.value for each in sentence.cabins if each.role != FROM]
    costs = sentence.has_phrase("cost", "fare", "fares") and is_question(sentence)
    if named and not (costs or sentence.has_phrase("what does", "how much", "what would")):
        found.cabin = named[-1]
    if "?" not in sentence.words or sentence.days:
        _read_legs(sentence.parts(), found)
    if sentence.has_phrase_of("same day") and sentence.has_phrase(
        "back", "return", "the same day", "returning"
    ):
        found.back = found.back.updated_by(Leg(date=found.out.date))
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


def _read_legs(parts: Iterable[ParsedSentence], found: TripSlots) -> None:
    side = ""
    here: dict[str, Leg] = {}
    corrects = False
    for part in _cut_at_return(parts):
        if is_correction(tokens(part.text)):
            corrects = True
            continue
        leaves = part.has_phrase("leave", "leaving", "depart", "departing", "out")
        side = way_mentioned(part) or ("out" if leaves else side)
        told = replace(read_flight_slots(part), shift=None)
        wanted = [each for each in part.days if each.role != NOT]
        days = [day for each in wanted for day in part.days_meant(each, each.value)]
        days = (
            [days[-1]]
            if part.has_phrase("i mean", "rather") and days
            else list(dict.fromkeys(days))
        )
        ranged = len(part.days) > 1 and part.days[1].role == TO and side != "back"
        if ranged and len(days) > 1:
            found.back = found.back.updated_by(Leg(date=days.pop(1)))
            found.kind = found.kind or "round_trip"
        if days:
            told = replace(told, date=days[0], dates=tuple(days[1:]))
        corrected = part.has_phrase("i mean") and side != "back"
        name = "back" if side == "back" and not corrected else "out"
        before = here.get(name, Leg())
        here[name] = before.updated_by(told) if corrects else before.merged_with(told)
        if side == "both":
            here["back"] = here.get("back", Leg()).merged_with(replace(told, date="", dates=()))
    found.out = found.out.updated_by(here.get("out", Leg()))
    found.back = found.back.updated_by(here.get("back", Leg()))


def _cut_at_return(parts: Iterable[ParsedSentence]) -> Iterator[ParsedSentence]:
    """Yield the parts, each cut before the way back; a bare "and back" is left out."""
    for part in parts:
        returns = [n for n, word in enumerate(part.words) if word in words_of("coming")]
        if returns and len(part.words) < 3:
            continue
        place = next(iter(returns), 0)
        head = parse_sentence(" ".join(part.raw[:place]), part.today)
        if head.days or head.places:
            yield head
            yield parse_sentence(" ".join(part.raw[place:]), part.today)
        else:
            yield part


def _copy_from_reservation(found: TripSlots, model: Json) -> None:
    """Fill the empty slots from the reservation that the trip should resemble."""
    found.origin = found.origin or (model["origin"],)
    found.destination = found.destination or (model["destination"],)
    found.kind = found.kind or model["flight_type"]
    found.cabin = found.cabin or model["cabin"]
    out, back = ways(model)
    for name, flights in (("out", out), ("back", back)):
        leg: Leg = getattr(found, name)
        if flights and leg.date in {"", flights[0]["date"]}:
            numbers = tuple(each["flight_number"] for each in flights)
            same = replace(leg, date=flights[0]["date"], numbers=numbers, around="", shift=None)
            setattr(found, name, same)
