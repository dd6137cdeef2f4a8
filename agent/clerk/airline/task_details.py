"""Which requests only add details to the current task."""

from __future__ import annotations

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.intent_data import ACTS
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.request_refinement import asked_beside
from agent.clerk.airline.reservation_slots import is_on_route
from agent.clerk.airline.side_questions import ASIDES
from agent.clerk.airline.wanted_legs import read_wanted
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import CERTAIN, CLEAR, ParsedRequest

OF_A_BOOKING = frozenset(
    {"change_flights", "change_cabin", "change_passengers", "add_bags", "insurance"}
)
"""Intents of changes that may be details of the current booking instead."""

_OF_A_CHANGE = frozenset({"change_flights", "change_cabin"})

OF_FLIGHTS = ("_date", "legs", "route", "origin", "destination")
"""How the slots end whose questions are also answered by asking for flights."""


def keeps_as_booked(dialogue: AirlineState, task: Task, text: str, *, of_all: bool = False) -> bool:
    """Whether a text names only what is booked now of what a task would change, or of all ways."""
    record = dialogue.records.reservations.get(str(dialogue.focus))
    said = dialogue.parse(text)
    if record is None or not (said.days or said.cabins):
        return False
    wanted = read_wanted(dialogue.sentences_of(task), record)
    moved = [e for e in ("out", "back") if not (of_all or wanted.of(e).is_empty)] or [""]
    booked = {day for side in moved for day in wanted.booked(side)}
    days, cabins = ({each.value for each in some} for some in (said.days, said.cabins))
    return days <= booked and cabins <= {record["cabin"]}


def adds_detail(
    dialogue: AirlineState, request: ParsedRequest, task: Task, *, filled: bool
) -> bool:
    """Whether a request only adds details to the current task."""
    sure = request.modality == "meant" and not request.is_uncertain
    said = dialogue.parse(request.text)
    if task.what_if and sure and request.intent != task.intent:
        return False
    if _stands_apart(dialogue, request, said, task):
        return False
    if request.intent == task.intent and task.what_if == (request.modality == "what_if"):
        return True
    if task.intent == "book_flight" and request.intent in OF_A_BOOKING:
        return not (said.ids or said.has_phrase_of("a reservation"))
    if request.intent == "book_flight" and task.intent == "change_flights":
        record = dialogue.records.reservations.get(str(dialogue.focus))
        same = is_on_route(said, record) if record else len(said.places) < 2
        return same and not said.has_phrase("another", "new", "also", "too")
    if dialogue.declined and {request.intent, str(task.intent)} <= _OF_A_CHANGE:
        return True
    if request.intent in {"human", "other"}:
        return False
    asks = "?" in request.text or said.has_phrase("how much", "what", "which", "how many", "who")
    apart = sure and request.probability >= CERTAIN
    if apart if request.intent in ACTS else asks:
        return False
    return filled or request.probability < CLEAR


def _stands_apart(
    dialogue: AirlineState, request: ParsedRequest, said: ParsedSentence, task: Task
) -> bool:
    """Whether a request is a question on the way, or about another reservation than the task."""
    own = dialogue.parse(task.all_words).ids
    ask = dialogue.question
    slot = ask.slot if ask is not None and not dialogue.declined else "revise"
    beside = not slot.endswith(OF_FLIGHTS) and request in asked_beside(dialogue.last)
    other = (own and said.ids and not {*said.ids} & {*own}) or said.has_phrase_of("cancelled trip")
    supposed = request.modality == "what_if" and not task.what_if
    return bool(beside or other or supposed or request.intent in ASIDES)
