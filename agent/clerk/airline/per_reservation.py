"""Carry a task out on each of its reservations and report the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.reservation_slots import find_candidates, find_reservation, means_several
from agent.clerk.airline.vocabulary import TOOLS
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
        if task.written:
            return tell_done(task, dialogue)
        return one(task, dialogue, find_reservation(task, dialogue))

    return skill


def _for_all(task: Task, dialogue: AirlineState, one: ReservationSkill) -> Step:
    """The next step for several reservations; a hand-over, then refusals, come at the end."""
    refusals: list[Statement] = []
    hand_over: Call | None = None
    for record in find_candidates(task, dialogue):
        if record["reservation_id"] in task.written:
            continue
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
    done = [tell_done(task, dialogue)] if task.written else []
    if hand_over is not None or not (done or refusals):
        return hand_over or Statement("I can't find a reservation of yours for that.", "refused")
    text = "\n\n".join(each.text for each in [*done, *refusals])
    forbidden = next((each.forbidden for each in refusals if each.forbidden and not done), None)
    return Statement(text, "done" if done else "refused", forbidden=forbidden)


def tell_done(task: Task, dialogue: AirlineState) -> Statement:
    """The report on a task that was carried out."""
    known = (dialogue.records.reservations.get(key) for key in dict.fromkeys(task.written))
    lines = [_report(task, each, dialogue) for each in known if each is not None]
    return Statement("\n".join(lines) or "That's done.", "done", focus=task.written[-1])


def _report(task: Task, record: Json, dialogue: AirlineState) -> str:
    """The report on a reservation after a change."""
    rows, key = record["payment_history"], f"{record['reservation_id']} ({route(record)})"
    if task.intent == "book_flight":
        paid = money(sum(row["amount"] for row in rows))
        split = f": {_sums(dialogue, rows, 'from')}" if len(rows) > 1 else ""
        return f"You are booked: reservation {trip(record)}, for {paid} in all{split}."
    if task.intent == "cancel_reservation":
        back = _sums(dialogue, rows[len(rows) // 2 :], "to")
        refund = f" You get back {back}, {REFUND_TIME}." if back else ""
        return f"Reservation {trip(record)} is cancelled.{refund}"
    if task.intent == "change_passengers":
        who = join_parts(map(name, record["passengers"]))
        are = "passengers {} are" if len(record["passengers"]) > 1 else "passenger {} is"
        return f"The {are.format(f'on reservation {key}')} now {who}."
    tools = TOOLS[str(task.intent)]
    own = [e for e in dialogue.records.moves if e.reservation_id == record["reservation_id"]]
    moves = [each for each in own if each.call.name in tools]
    moved = ""
    if moves and moves[-1].amount:
        due, paid_with = moves[-1].amount, str(moves[-1].call.arguments.get("payment_id"))
        way = "is charged to" if due > 0 else "goes back to"
        whose = method_bare(dialogue.records.methods.get(paid_with), paid_with)
        moved = f"; {money(abs(due))} {way} your {whose}"
    if task.intent == "add_bags":
        bags = count(record["total_baggages"], "checked bag")
        return f"Reservation {key} now has {bags}{moved}."
    on = join_parts(map(booked_flight, record["flights"]))
    return f"Reservation {key} is now in {cabin(record['cabin'])} on {on}{moved}."


def _sums(dialogue: AirlineState, rows: list[Json], way: str) -> str:
    """What each payment method paid or got back: ``$200 to your Visa ending in 2217``."""
    before = (dialogue.records.profile_before or {}).get("payment_methods", {})
    known = {**before, **dialogue.records.methods}
    sums: Counter[str] = Counter()
    for row in rows:
        sums[row["payment_id"]] += row["amount"]
    return join_parts(
        f"{money(abs(amount))} {way} your {method_bare(known.get(key), key)}"
        for key, amount in sums.items()
        if amount
    )
