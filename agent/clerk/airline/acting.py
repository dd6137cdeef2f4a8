"""Carrying a task out on each reservation that it is about, and telling what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_meant, find_one, means_several
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
from agent.clerk.state.records import HAND_OVER, Json
from agent.clerk.state.steps import Ask, Call, Settled, Tell
from agent.clerk.state.task import Task
from agent.clerk.trade import Skill
from agent.clerk.wording import join_parts

Step = Call | Ask | Tell
One = Callable[[Task, Talk, Json], Step]
"""The step for one of the reservations; may raise Settled with it."""


def with_news(step: Step, talk: Talk, news: str) -> Step:
    """A question that begins with what was found, where nobody has told that yet."""
    if not isinstance(step, Ask) or not news or talk.has_told(news):
        return step
    return replace(step, lead=f"{step.lead} {news}".strip())


def on_each(one: One) -> Skill:
    """The skill that takes a step for each reservation that a task is about."""

    def skill(task: Task, talk: Talk, policy: str) -> Step:
        if means_several(task, talk):
            return _for_all(task, talk, one)
        return tell_done(task, talk) if task.written else one(task, talk, find_one(task, talk))

    return skill


def _for_all(task: Task, talk: Talk, one: One) -> Step:
    """The next step for several reservations; refusals come at the end, a hand-over before them."""
    left = (e for e in find_meant(task, talk) if e["reservation_id"] not in task.written)
    refusals: list[Tell] = []
    hand_over: Call | None = None
    for record in left:
        try:
            step = one(task, talk, record)
        except Settled as settled:
            step = settled.step
        if isinstance(step, Tell):
            refusals.append(step)
        elif isinstance(step, Call) and step.name == HAND_OVER:
            hand_over = step
        else:
            return step
    if hand_over is not None:
        return hand_over
    done = [tell_done(task, talk)] if task.written else []
    if not done and not refusals:
        return Tell("I find no reservation of yours for that.", "refused")
    text = "\n\n".join(each.text for each in [*done, *refusals])
    forbidden = next((each.forbidden for each in refusals if each.forbidden), None)
    return Tell(text, "done" if done else "refused", forbidden=None if done else forbidden)


def tell_done(task: Task, talk: Talk) -> Tell:
    """What came of a task that was carried out."""
    known = (talk.memory.reservations.get(key) for key in dict.fromkeys(task.written))
    lines = [_DONE[str(task.intent)](record, talk) for record in known if record is not None]
    return Tell("\n".join(lines) or "That is done.", "done", focus=task.written[-1])


def _tell_booked(record: Json, talk: Talk) -> str:
    rows = record["payment_history"]
    known = {**(talk.memory.profile_before or {}).get("payment_methods", {}), **talk.memory.methods}
    split = f": {_sums(known, rows, 'from')}" if len(rows) > 1 else ""
    paid = sum(row["amount"] for row in rows)
    return f"You are booked: reservation {trip(record)}, for {money(paid)} in all{split}."


def _tell_cancelled(record: Json, talk: Talk) -> str:
    rows = record["payment_history"]
    back = _sums(talk.memory.methods, rows[len(rows) // 2 :], "to")
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


def _tell_changed(record: Json, talk: Talk) -> str:
    on = join_parts(booked_flight(each) for each in record["flights"])
    now = f"is now in {cabin(record['cabin'])} on {on}"
    moved = _money_moved(record, talk, "update_reservation_flights")
    return f"Reservation {_named(record)} {now}{moved}."


def _tell_packed(record: Json, talk: Talk) -> str:
    number = count(record["total_baggages"], "checked bag")
    moved = _money_moved(record, talk, "update_reservation_baggages")
    return f"Reservation {_named(record)} now has {number}{moved}."


def _tell_renamed(record: Json, talk: Talk) -> str:
    who = join_parts(name(each) for each in record["passengers"])
    verb = "is" if len(record["passengers"]) == 1 else "are"
    return f"On reservation {_named(record)} {verb} now {who}."


def _named(record: Json) -> str:
    return f"{record['reservation_id']} ({route(record)})"


def _money_moved(record: Json, talk: Talk, tool: str) -> str:
    """What the last change of a reservation by a tool cost or brought, as a sentence's end."""
    key = record["reservation_id"]
    moves = (each for each in reversed(talk.memory.moves) if each.reservation_id == key)
    move = next((each for each in moves if each.call.name == tool), None)
    if move is None or not move.amount:
        return ""
    method_id = str(move.call.arguments.get("payment_id"))
    way = "is charged to" if move.amount > 0 else "goes back to"
    whose = method_bare(talk.memory.methods.get(method_id), method_id)
    return f"; {money(abs(move.amount))} {way} your {whose}"


_DONE: dict[str, Callable[[Json, Talk], str]] = {
    "book_flight": _tell_booked,
    "cancel_reservation": _tell_cancelled,
    "change_flights": _tell_changed,
    "change_cabin": _tell_changed,
    "add_bags": _tell_packed,
    "change_passengers": _tell_renamed,
}
"""What is told of a reservation after a change, by the intent of that."""
