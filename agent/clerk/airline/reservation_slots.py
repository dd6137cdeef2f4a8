"""Slot filling for reservations: which one a task is about, by how well its words match."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NoReturn

from agent.clerk.airline.ask_or_refuse import ask_which, refuse
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.intent_data import ACTS, VERBS
from agent.clerk.airline.known_records import AirlineRecords
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import FROM, NOT, TO
from agent.clerk.airline.wording import describe_reservation, say
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

_MOVES = frozenset({"change_flights"})
"""Tasks that mention days on which no reservation has a flight yet."""

_OTHER_DAYS = _MOVES | {"change_passengers", None}
"""Tasks that mention such days, or dates of birth, or that may do so."""

_BY_ORDER = ("last trip", "next trip", "other trip", "cancelled trip")
"""Phrase lists that refer to a reservation by its position among the others, or its state."""


def is_active(record: Json) -> bool:
    """Whether a reservation has not been cancelled."""
    return record.get("status") != "cancelled"


def is_upcoming(record: Json, dialogue: AirlineState) -> bool:
    """Whether a reservation has a flight today or later."""
    return any(each["date"] >= dialogue.today for each in record["flights"])


def upcoming(pool: Sequence[Json], dialogue: AirlineState) -> list[Json]:
    """The reservations that are not cancelled and lie ahead."""
    return [each for each in pool if is_active(each) and is_upcoming(each, dialogue)]


def means_several(task: Task, dialogue: AirlineState) -> bool:
    """Whether a task is about more than one reservation."""
    ids = {each for line in dialogue.sentences_of(task) for each in line.ids}
    return len(ids & {*dialogue.records.reservation_ids}) > 1 or dialogue.task_says(
        task, "all trips"
    )


def find_reservation(task: Task, dialogue: AirlineState) -> Json:
    """The one reservation that a task is about; raises Settled with an offer or a refusal."""
    found = find_candidates(task, dialogue)
    if not found and (task.what_if or task.intent not in ACTS):
        found = upcoming(dialogue.records.read_reservations(), dialogue)
        found = found if len(found) == 1 else []  # a question can only be about this one
    if len(found) == 1:
        return found[0]
    _ask_which(task, dialogue, found)


def find_candidates(task: Task, dialogue: AirlineState) -> list[Json]:
    """The reservations that a task may be about, by all of its sentences."""
    records, lines = dialogue.records, dialogue.sentences_of(task)
    ids = _ids(lines, records)
    if ids:
        return [each for each in (records.read_reservation(key) for key in ids) if each]
    pool = records.read_reservations()
    focus = records.reservations.get(task.chosen.get("focus", ""))
    if task.intent is not None:  # "show me F3BM2R. and what did I pay?"
        focus = named_reservation(dialogue.parse(task.message), pool) or focus
    focus = None if means_several(task, dialogue) else focus
    if focus and not any(_names_another(line, focus, pool, task) for line in lines):
        return [focus]
    before = [] if focus else dialogue.parse_all(task.context)
    for told in (lines, before):
        if any(_identifies_reservation(line, pool, task) for line in told):
            return _without_excluded(task, dialogue, _best(task, dialogue, told, pool))
    return _without_excluded(task, dialogue, _likely(task, dialogue, pool))


def _names_another(line: ParsedSentence, focus: Json, pool: Sequence[Json], task: Task) -> bool:
    """Whether a sentence names another reservation than the one that is the subject."""
    if line.has_phrase_of(*_BY_ORDER):
        return True
    if not is_on_route(line, focus):
        return True
    if task.intent in _MOVES and not line.places:
        return False
    own = {e[key] for e in focus["flights"] for key in ("date", "flight_number")}
    moved = {each.value for each in line.days if each.role == TO}
    known = {e[key] for r in pool for e in r["flights"] for key in ("date", "flight_number")}
    named = {*line.flight_numbers, *_days(line, {e["date"] for e in focus["flights"]})} - moved
    strange = task.intent in ACTS - _OTHER_DAYS and not task.what_if
    return bool(named if strange else named & known) and not named & own


def _days(line: ParsedSentence, booked: set[str]) -> set[str]:
    """The days that a sentence mentions; a mere weekday is a booked day, if one falls on it."""
    found: set[str] = set()
    for each in line.days:
        weekday = date.fromisoformat(each.value).weekday()
        same = {e for e in booked if date.fromisoformat(e).weekday() == weekday}
        found |= same if same and line.is_weekday(each) else {each.value}
    return found


def is_on_route(line: ParsedSentence, record: Json) -> bool:
    """Whether a sentence names no place that a reservation does not touch."""
    places = [each for each in line.places if each.role != NOT]
    return all(_touched(record).intersection(each.value) for each in places)


def named_reservation(said: ParsedSentence, pool: Sequence[Json]) -> Json | None:
    """The one reservation that a message names by its id or its places; else None."""
    places = any(each.role != NOT for each in said.places)
    ids = {*said.ids} & {each["reservation_id"] for each in pool}
    found = [each for each in pool if each["reservation_id"] in ids] if ids else []
    found = found or [each for each in pool if places and is_on_route(said, each)]
    return found[0] if len(found) == 1 else None


def _touched(record: Json) -> set[str]:
    """The airports of a reservation's flights."""
    return {code for each in (record, *record["flights"]) for code in _ends(each)}


def _ends(flight: Json) -> tuple[str, str]:
    return flight["origin"], flight["destination"]


def _ids(lines: Sequence[ParsedSentence], records: AirlineRecords) -> list[str]:
    """The customer's reservations named by id; raises Settled with a refusal if none is theirs."""
    named = list(dict.fromkeys(each for line in reversed(lines) for each in line.ids))
    own = [each for each in named if each in records.reservation_ids]
    if named and not own:
        refuse(say("not yours", ids=join_parts(named)))
    return own


def _identifies_reservation(sentence: ParsedSentence, pool: Sequence[Json], task: Task) -> bool:
    """Whether a sentence mentions anything that can identify a reservation."""
    known = {each["date"] for record in pool for each in record["flights"]}
    days = _days(sentence, known)
    if task.intent in _OTHER_DAYS:
        days &= known
    return bool(
        sentence.places or sentence.flight_numbers or days or sentence.has_phrase_of(*_BY_ORDER)
    )


def _best(
    task: Task, dialogue: AirlineState, lines: Sequence[ParsedSentence], pool: list[Json]
) -> list[Json]:
    """The reservations with the highest match score, in their current state or as first read."""
    if any(line.has_phrase_of("last trip") for line in lines):
        return [max(pool, key=lambda each: str(each["created_at"]))] if pool else []
    likely = _likely(task, dialogue, pool)
    if any(line.has_phrase_of("next trip") for line in lines):
        return [min(likely, key=lambda each: str(each["flights"][0]["date"]))] if likely else []
    if any(line.has_phrase_of("cancelled trip") for line in lines):
        return [each for each in likely if dialogue.records.is_called_off(each)] or likely
    if any(line.has_phrase_of("other trip") for line in lines):
        likely = [each for each in likely if each["reservation_id"] != dialogue.focus]
        if not any(line.places or line.days for line in lines):
            return likely
    for among in (likely, pool):
        pairs = [(e, dialogue.records.first_read.get(e["reservation_id"], e)) for e in among]
        scores = [
            sum(max(_match_score(line, e, task) for e in pair) for line in lines) for pair in pairs
        ]
        top = max(scores, default=0.0)
        if top > 0:
            found = [each for each, score in zip(among, scores, strict=True) if score == top]
            same = [each for each in found if each["reservation_id"] == task.chosen.get("focus")]
            return same or found
    return []


def _match_score(sentence: ParsedSentence, record: Json, task: Task) -> float:
    flights = record["flights"]
    ends, touched = {_ends(each) for each in (record, *flights)}, _touched(record)
    score = 0.0
    for place in sentence.places:
        hit = bool(touched & set(place.value))
        score += 1.0 if hit else 0.0 if task.intent in _MOVES or place.role == NOT else -1.5
        score += 0.5 if hit and record["destination"] in place.value else 0.0
    score += 1.0 if _same_ends(sentence, ends) else 0.0
    dates = {each["date"] for each in flights}
    for day in _days(sentence, dates):
        coming = day in {each.value for each in sentence.days}
        score += 1.0 + coming if day in dates else 0.0 if task.intent in _OTHER_DAYS else -3.0
    known = {each["flight_number"] for each in flights}
    score += 3.0 * len(known & set(sentence.flight_numbers))
    described = task.intent not in {"change_cabin", "book_flight"}
    same = described and record["cabin"] in {each.value for each in sentence.cabins}
    return score + 0.5 if same else score


def _same_ends(sentence: ParsedSentence, ends: set[tuple[str, str]]) -> bool:
    """Whether the sentence's origin and destination are those of a flight or of the whole trip."""
    here = [each.value for each in sentence.places if each.role == FROM]
    there = [each.value for each in sentence.places if each.role == TO]
    return any(a in one and b in two for one in here for two in there for a, b in ends)


def _likely(task: Task, dialogue: AirlineState, pool: list[Json]) -> list[Json]:
    """The reservations that are not cancelled and lie ahead, or else as many of those as there are.

    Narrowed to past ones, or to a cabin, if the sentences say so.
    """
    if dialogue.task_says(task, "past trips"):
        return [each for each in pool if not is_upcoming(each, dialogue)] or pool
    found = upcoming(pool, dialogue) or [each for each in pool if is_active(each)] or pool
    all_of = [line for line in dialogue.sentences_of(task) if line.has_phrase_of("all trips")]
    named = {each.value for line in all_of for each in line.cabins if each.role != TO}
    first = dialogue.records.first_read
    wide = [e for e in found if first.get(e["reservation_id"], e)["cabin"] in named]
    return wide or found


def _without_excluded(task: Task, dialogue: AirlineState, found: list[Json]) -> list[Json]:
    """The reservations without those that the customer excluded."""
    for line in dialogue.parse_all(task.excepted):
        left = [e for e in found if e["reservation_id"] not in line.ids]
        found = [each for each in left if _match_score(line, each, task) <= 0]
    return found


def _ask_which(task: Task, dialogue: AirlineState, found: list[Json]) -> NoReturn:
    """Raise Settled with an offer of reservations, or with a refusal if there are none."""
    verb = "" if task.what_if else VERBS.get(str(task.intent), "")
    everything = [] if found else dialogue.records.read_reservations()
    pool = found or upcoming(everything, dialogue) or everything
    if not pool:
        refuse("There are no reservations on your profile.")
    lead = "" if found else "I can't find a reservation like that. "
    question = f"Which of your reservations {f'should I {verb}' if verb else 'do you mean'}?"
    question = question if len(pool) > 1 else "Do you mean this one?"
    new = '\n\nIf it is none of them, say "a new booking".' if lead and verb else ""
    choices = [Choice(each["reservation_id"], describe_reservation(each)) for each in pool]
    ask_which(task, "reservation", f"{lead}{question}", choices, end=new)
