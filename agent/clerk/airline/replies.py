"""Ways to end the work on a task: a question, an offer, a refusal, an answer or a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.known_records import AirlineRecords
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
)
from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts, number_lines

Step = Call | Question | Statement


def ask(
    task: Task,
    slot: str,
    text: str,
    record: Json | None = None,
    *,
    lead: str = "",
    choices: Sequence[Choice] = (),
    shown: int = 0,
    end: str = "",
    keeps: Sequence[str] = (),
) -> NoReturn:
    """Raise Settled with a question for a slot, maybe about a reservation.

    The first ``shown`` choices are numbered below it, before ``end``; ``keeps`` are the ids of
    payment methods that were settled before.
    """
    if shown:
        text = f"{text}\n\n{number_lines((each.words for each in choices), shown)}{end}".strip()
    told, focus = tuple(choices[: shown or None]), _focus(record)
    raise Settled(Question(text, slot, task, told, focus=focus, lead=lead, keeps=tuple(keeps)))


def refuse(
    text: str, record: Json | None = None, forbidden: Call | None = None, rule: Rule | None = None
) -> NoReturn:
    """Raise Settled with a refusal, maybe about a reservation."""
    raise Settled(Statement(text, "refused", forbidden=forbidden, focus=_focus(record), rule=rule))


def answer(text: str, record: Json | None = None) -> Statement:
    """A reply that settles a question, maybe about a reservation."""
    return Statement(text, "answered", focus=_focus(record))


def _focus(record: Json | None) -> str:
    """The id of the reservation, or an empty string without one."""
    return str(record["reservation_id"]) if record else ""


def with_news(step: Step, dialogue: AirlineState, news: str) -> Step:
    """The step; a question gets the news as its lead, unless it was reported before."""
    if not isinstance(step, Question) or not news or dialogue.has_told(news):
        return step
    return replace(step, lead=f"{step.lead} {news}".strip())


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
        split = f": {sums(dialogue.records, rows, 'from')}" if len(rows) > 1 else ""
        return f"You are booked: reservation {trip(record)}, for {paid} in all{split}."
    if task.intent == "cancel_reservation":
        back = sums(dialogue.records, rows[len(rows) // 2 :], "to")
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


def sums(records: AirlineRecords, rows: list[Json], way: str) -> str:
    """What each payment method paid or got back: ``$200 to your Visa ending in 2217``."""
    known = {**(records.profile_before or {}).get("payment_methods", {}), **records.methods}
    by_method: Counter[str] = Counter()
    for row in rows:
        by_method[row["payment_id"]] += row["amount"]
    moved = ((known.get(key), key, abs(amount)) for key, amount in by_method.items() if amount)
    return join_parts(f"{money(n)} {way} your {method_bare(each, key)}" for each, key, n in moved)
