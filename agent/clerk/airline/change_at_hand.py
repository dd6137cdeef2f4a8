"""The change of flights under discussion: what it would be, for questions about it."""

from __future__ import annotations

from contextlib import suppress

from agent.clerk.airline import payment_slots
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.known_records import Journey, ways
from agent.clerk.airline.new_flights import difference
from agent.clerk.airline.reservation_changes import describe_change, reroute
from agent.clerk.airline.reservation_slots import find_candidates
from agent.clerk.airline.wording import method_bare
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Settled
from agent.clerk.state.task import Task


def change_at_hand(dialogue: AirlineState) -> Task | None:
    """The open change of flights that was spoken of last; None if there is none."""
    tasks = [*dialogue.open_tasks, dialogue.current_task]
    own = [e for e in tasks if e and not e.closed and e.intent == "change_flights"]
    return own[-1] if own else None


def tell_change(task: Task, dialogue: AirlineState) -> str:
    """What a change would be: flights, times, cost and payment; empty if it is not clear yet."""
    found = _proposed(task, dialogue)
    if found is None:
        return ""
    record, due, paid = found[0], difference(found[0], found[2]), ""
    with suppress(Settled):
        paid = payment_slots.one_method(task, dialogue, record, due) if due else ""
    way = "charged to" if due > 0 else "refunded to"
    whose = method_bare(dialogue.records.methods.get(paid), paid)
    end = f" It would be {way} your {whose}." if paid else ""
    return f"{describe_change(dialogue, *found)}{end}"


def tell_declined_change(call: Call, dialogue: AirlineState) -> str:
    """What a change of flights that was declined would be; empty for other changes."""
    with suppress(Settled):
        if call.task is not None and call.task.intent == "change_flights":
            return tell_change(call.task, dialogue)
    return ""


def _proposed(task: Task, dialogue: AirlineState) -> tuple[Json, str, list[Json]] | None:
    """The reservation, and the cabin and the flights that it would have, if that is clear."""
    found = find_candidates(task, dialogue)
    try:
        return (found[0], *reroute(task, dialogue, found[0])) if len(found) == 1 else None
    except Settled as settled:
        if isinstance(settled.step, Call):
            raise
        return None


def flights_now(
    task: Task, dialogue: AirlineState, record: Json, side: str, dates: tuple[str, ...]
) -> Journey:
    """The flights of a way that others are compared with: those proposed on that day, or booked."""
    change = change_at_hand(dialogue)
    found = _proposed(change, dialogue) if change is not None and change is not task else None
    if found is not None and found[0] is record:
        new = ways({**record, "flights": found[2]})[side == "back"]
        if new and new[0]["date"] in dates:
            return new
    return ways(record)[side == "back"]
