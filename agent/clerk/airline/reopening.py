"""Reopens a settled task if the customer comes back to it: an objection, or another trip."""

from __future__ import annotations

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import read_flight_slots
from agent.clerk.airline.intent_data import ACTS
from agent.clerk.airline.slot_answers import sentence_for_answer
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest

_REPEATED = frozenset({"flight_status", "reservation_info", "paid", "search_flights", "allowance"})
"""Questions that are answered again if the customer then names another trip."""


def reopen_last(dialogue: AirlineState, message: ParsedMessage) -> bool:
    """Reopen the last task on an objection to a refusal, or on another trip after an answer.

    Returns whether the task was reopened.
    """
    last = dialogue.tasks[-1] if dialogue.tasks else None
    if last is not None and _ask_of_another(dialogue, last, message):
        return False
    if (
        last is None
        or dialogue.open_tasks
        or (dialogue.question is not None and dialogue.current_task is not None)
    ):
        return False
    goes_on = all(each.intent == last.intent for each in message.requests)
    if last.outcome == "answered" and last.intent in _REPEATED and goes_on:
        again = _names_another(dialogue, last, message)
    else:
        refused = last.outcome == "refused" and last.intent in ACTS
        again = refused and _objects(dialogue, last, message)
    if again:
        last.closed, last.wait = False, ""
        last.note(message.text)
        message.requests = []
    return again


def _ask_of_another(dialogue: AirlineState, last: Task, message: ParsedMessage) -> bool:
    """Repeat the questions answered last for the reservation that a message names: "and N7XT3M?".

    Returns whether it did; the message then has their requests.
    """
    named = dialogue.parse(message.text).ids
    ids = [each for each in named if each in dialogue.records.reservation_ids]
    asked = [e for e in dialogue.tasks if e.message == last.message and e.outcome == "answered"]
    vague = all(each.is_uncertain for each in message.requests)
    if len(ids) != 1 or dialogue.open_tasks or last not in asked or not vague:
        return False
    message.requests[:] = [
        ParsedRequest(str(e.intent), _with_id(e.text, ids[0], dialogue), 1.0, ()) for e in asked
    ]
    return True


def _with_id(text: str, reservation_id: str, dialogue: AirlineState) -> str:
    """A text about another reservation."""
    said = dialogue.parse(text)
    words = [each for each in said.raw if each.upper() not in said.ids]
    return " ".join([*words, reservation_id])


def _names_another(dialogue: AirlineState, last: Task, message: ParsedMessage) -> bool:
    """Whether a message names another trip, or for a search another time: "evening is better"."""
    denied = any(each.modality == "denied" for each in message.requests)
    if "farewell" in message.aside_intents or denied:
        return False
    said = dialogue.parse(message.text)
    named = bool(said.places or said.days)
    if last.intent == "search_flights":
        return named or not read_flight_slots(said).is_empty
    return named and "?" not in said.words


def names_finished(dialogue: AirlineState, message: ParsedMessage) -> bool:
    """Whether a message after a change only mentions places and days of known reservations."""
    done = any(each.outcome == "done" for each in dialogue.tasks[-2:])
    said = dialogue.parse(message.text)
    if not done or not (said.places or said.days):
        return False
    flights = (e for record in dialogue.records.reservations.values() for e in record["flights"])
    known = {code for e in flights for code in (e["origin"], e["destination"], e["date"])}
    told_of = [{*each.value} for each in said.places] + [{each.value} for each in said.days]
    return all(each & known for each in told_of)


def upgrade_before(dialogue: AirlineState, last: Task) -> list[Task]:
    """The upgrade to make before a cancellation, if the customer asked about both together."""
    upgraded = any(
        line.cabins or line.has_phrase("upgrade") for line in dialogue.sentences_of(last)
    )
    if last.intent != "cancel_reservation" or not upgraded:
        return []
    words = "upgrade it to business"
    return [Task("change_cabin", words, chosen=dict(last.chosen), context=last.words)]


def _objects(dialogue: AirlineState, last: Task, message: ParsedMessage) -> bool:
    """Whether a remark insists on what was refused, or adds details to it."""
    sure = {*ACTS, "human", "other"}
    said = dialogue.parse(message.text)
    insists = said.has_phrase_of("insists") and len(said.words) < 25
    if any(each.intent in sure or each.modality == "denied" for each in message.requests):
        return False
    if insists or {"farewell", "no"} & set(message.aside_intents) or "?" in said.text:
        return insists
    why = bool(sentence_for_answer("reason", last, said, dialogue))
    return why if last.intent == "cancel_reservation" else dialogue.names_something(said.text)
