"""The request that a message implies by its details, without a verb for it."""

from __future__ import annotations

from agent.clerk.airline.bags import bags_mentioned, wants_insurance
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.people import people_in
from agent.clerk.airline.reasons import intent_of_details
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest


def implied_request(
    dialogue: AirlineState, message: ParsedMessage, task: Task | None = None
) -> ParsedRequest | None:
    """The request that details without a verb imply: two cities and a day are a booking."""
    said = dialogue.parse(f"{task.text} . {message.text}" if task is not None else message.text)
    last = dialogue.tasks[-1] if dialogue.tasks else None
    found = last is not None and last.intent == "search_flights" and last.outcome == "answered"
    of_booking = (
        bags_mentioned(said) or wants_insurance([said]) is not None or people_in(said, dialogue)
    )
    if found and of_booking and "?" not in said.words:
        return ParsedRequest("book_flight", message.text, 1.0, ())
    if (
        said.births
        and said.has_phrase("born", "birthday", "birth", "dob")
        and not dialogue.open_tasks
    ):
        return ParsedRequest("change_passengers", message.text, 1.0, ())
    for each in (dialogue.parse(message.text), said):
        intent = intent_of_details(each, changes=task is not None)
        if intent:
            return ParsedRequest(intent, each.text, 1.0, ())
    return None
