"""Carry a task out on each of its reservations and report the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.reservation_slots import find_candidates, find_reservation, means_several
from agent.clerk.airline.wording import (
    REFUND_TIME,
    booked_flight,
    cabin,
    count,
    method_bare,
    money,
    name,
    route,
    trip,
)  # fmt: skip
from agent.clerk.domain_skills import Skill
from agent.clerk.state.records import HAND_OVER, Json
from agent.clerk.state.steps import Call, Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts

Step = Call | Question | Statement
ReservationSkill = Callable[[Task, AirlineState, Json], Step]
"""The next step for one reservation; may raise Settled with it."""


def with_news(step: Step, dialogue: AirlineState, news: str) -> Step:
    """The step; a question gets the news as its lead, unless it was reported before."""
    if not isinstance(step, Question) or not news or dialogue.has_told(news):
        return step
    return replace(step, lead=f"{step.lead} {news}".strip())


def for_each_reservation(one: ReservationSkill) -> Skill:
    """The skill that takes a step for each reservation a task is about."""

    def skill(task: Task, dialogue: AirlineState, policy: str) -> Step:
        if means_several(task, dialogue):
            return _for_all(task, dialogue, one)
        return (
            tell_done(task, dialogue)
            if task.written
            else one(task, dialogue, find_reservation(task, dialogue))
        )

    return skill


def _for_all(task: Task, dialogue: AirlineState, one: ReservationSkill) -> Step:
    """The next step for several reservations.

    Refusals are reported at the end, and a hand-over to a human comes before them.
    """
    left = (e for e in find_candidates(task, dialogue) if e["reservation_id"] not in task.written)
    refusals: list[Statement] = []
    hand_over: Call | None = None
    for record in left:
        try:
            step = one(task, dialogue, record)
        except Settled as settled:
            step = settled.step
        if isinstance(step, Statement):
            refusals.append(step)
        elif isinstance(step, Call) and step.name == HAND_OVER:
            hand_over = step
        else:
            return step
    if hand_over is not None:
        return hand_over
    done = [tell_done(task, dialogue)] if task.written else []
    if not done and not refusals:
        return Statement("I can't find a reservation of yours for that.", "refused")
    text = "\n\n".join(each.text for each in [*done, *refusals])
    forbidden = next((each.forbidden for each in refusals if each.forbidden), None)
    return Statement(text, "done" if done else "refused", forbidden=None if done else forbidden)


def tell_done(task: Task, dialogue: AirlineState) -> Statement:
    """The report on a task that was carried out."""
    known = (dialogue.records.reservations.get(key) for key in dict.fromkeys(task.written))
    lines = [_REPORTS[str(task.intent)](record, dialogue) for record in known if record is not None]
    return Statement("\n".join(lines) or "That's done.", "done", focus=task.written[-1])


def _tell_booked(record: Json, dialogue: AirlineState) -> str:
    rows = record["payment_history"]
    known = {
        **(dialogue.records.profile_before or {}).get("payment_methods", {}),
        **dialogue.records.methods,
    }
    split = f": {_sums(known, rows, 'from')}" if len(rows) > 1 else ""
    paid = sum(row["amount"] for row in rows)
    return f"You are booked: reservation {trip(record)}, for {money(paid)} in all{split}."


def _tell_cancelled(record: Json, dialogue: AirlineState) -> str:
    rows = record["payment_history"]
    back = _sums(dialogue.records.methods, rows[len(rows) // 2 :], "to")
    refund = f" You get back {back}, {REFUND_TIME}." if back else ""
    return f"Reservation {trip(record)} is cancelled.{refund}"


def _sums(known: Mapping[str, Json], rows: list[Json], way: str) -> str:
    """What each payment method paid or got back: ``$200 to your Visa ending in 2217``."""
    sums: Counter[str] = Counter()
    for row in rows:
        sums[row["payment_id"]] += row["amount"]
    return join_parts(
        f"{money(abs(amount))} {way} your {method_bare(known.get(key), key)}"
        for key, amount in sums.items()
        if amount
    )


def _tell_changed(record: Json, dialogue: AirlineState) -> str:
    on = join_parts(booked_flight(each) for each in record["flights"])
    now = f"is now in {cabin(record['cabin'])} on {on}"
    moved = _money_moved(record, dialogue, "update_reservation_flights")
    return f"Reservation {_named(record)} {now}{moved}."


def _tell_bags_added(record: Json, dialogue: AirlineState) -> str:
    number = count(record["total_baggages"], "checked bag")
    moved = _money_moved(record, dialogue, "update_reservation_baggages")
    return f"Reservation {_named(record)} now has {number}{moved}."


def _tell_renamed(record: Json, dialogue: AirlineState) -> str:
    who = join_parts(name(each) for each in record["passengers"])
    one = len(record["passengers"]) == 1
    noun, verb = ("passenger", "is") if one else ("passengers", "are")
    return f"The {noun} on reservation {_named(record)} {verb} now {who}."


def _named(record: Json) -> str:
    return f"{record['reservation_id']} ({route(record)})"


def _money_moved(record: Json, dialogue: AirlineState, tool: str) -> str:
    """What the last change of a reservation by a tool charged or refunded, as a sentence's end."""
    key = record["reservation_id"]
    moves = (each for each in reversed(dialogue.records.moves) if each.reservation_id == key)
    move = next((each for each in moves if each.call.name == tool), None)
    if move is None or not move.amount:
        return ""
    method_id = str(move.call.arguments.get("payment_id"))
    way = "is charged to" if move.amount > 0 else "goes back to"
    whose = method_bare(dialogue.records.methods.get(method_id), method_id)
    return f"; {money(abs(move.amount))} {way} your {whose}"


_REPORTS: dict[str, Callable[[Json, AirlineState], str]] = {
    "book_flight": _tell_booked,
    "cancel_reservation": _tell_cancelled,
    "change_flights": _tell_changed,
    "change_cabin": _tell_changed,
    "add_bags": _tell_bags_added,
    "change_passengers": _tell_renamed,
}
"""The report on a reservation after a change, by the intent of the change."""
