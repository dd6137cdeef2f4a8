"""Skills for amounts: what the changes of a conversation moved, and what an amount is for."""

from __future__ import annotations

from agent.clerk.airline.answers import balance, spending
from agent.clerk.airline.ask_or_refuse import answer
from agent.clerk.airline.cancellation import answer_cancellable
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.known_records import amount_paid
from agent.clerk.airline.prices import cabin_price
from agent.clerk.airline.reservation_changes import describe_change, reroute
from agent.clerk.airline.reservation_slots import find_candidates, find_reservation
from agent.clerk.airline.wording import REFUND_TIME, count, method_bare, money, say, trip
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts
from domains.airline.fares import EXTRA_BAG

_OF_AMOUNTS = frozenset({None, "price_told", "outcome"})


def told_last(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """What the amount is for that was told last: "is that for both of us?"; else what was paid."""
    before = [e for e in dialogue.tasks[: dialogue.tasks.index(task)] if e.message != task.message]
    last = next((e for e in reversed(before) if e.intent not in _OF_AMOUNTS), task)
    if last.intent in {"allowance", "add_bags"} and not last.written:
        return answer(say("bags once", price=money(EXTRA_BAG)))
    if last.written:
        done = outcome if last.intent == "cancel_reservation" else spending
        return done(task, dialogue)
    if last.intent == "cancel_reservation":
        return _refund(find_reservation(last, dialogue), dialogue)
    if last.intent == "change_cabin":
        return cabin_price(last, dialogue)
    if last.intent == "change_flights":
        record = find_reservation(last, dialogue)
        return answer(describe_change(dialogue, record, *reroute(last, dialogue, record)), record)
    return spending(task, dialogue)


def _refund(record: Json, dialogue: AirlineState) -> Statement:
    """What a cancellation would give back, for whom and to where; raises Settled if it cannot."""
    if record["insurance"] == "no":
        answer_cancellable(dialogue, record)
    known = dialogue.records.methods
    ids = dict.fromkeys(each["payment_id"] for each in record["payment_history"])
    told = {"trip": trip(record), "back": money(amount_paid(record)), "soon": REFUND_TIME}
    told["people"] = count(len(record["passengers"]), "passenger")
    told["methods"] = join_parts(f"your {method_bare(known.get(each), each)}" for each in ids)
    return answer(say("refund", **told), record)


def outcome(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The money that this conversation's changes moved; without changes, the refund to expect."""
    moves = [each.amount for each in dialogue.records.moves if each.amount]
    given = sum(dialogue.records.given.values())
    if not moves and not given:
        return _would_be(task, dialogue)
    if dialogue.parse(task.text).has_phrase("left", "be on it", "remain", "remains"):
        return balance(Task("balance", ""), dialogue)
    charged = sum(each for each in moves if each > 0)
    back = -sum(each for each in moves if each < 0)
    parts = [f"you get back {money(back)} in all, {REFUND_TIME}"] if back else []
    parts += [f"you were charged {money(charged)} in all"] if charged else []
    if back and charged:
        whose = "to pay" if charged > back else "in your favour"
        parts.append(f"the difference is {money(abs(charged - back))} {whose}")
    parts += [f"the certificate is worth {money(given)}"] if given else []
    text = "; ".join(parts)
    return answer(f"{text[:1].upper()}{text[1:]}.")


def _would_be(task: Task, dialogue: AirlineState) -> Statement:
    line = dialogue.parse(task.text)
    if line.cabins:
        return cabin_price(task, dialogue)
    if line.has_phrase("left", "remain"):
        return balance(Task("balance", ""), dialogue)
    if line.has_phrase("go", "goes", "which card", "both", "each", "full"):
        return told_last(task, dialogue)
    found = find_candidates(task, dialogue) if line.has_phrase("back", "refund", "refunded") else []
    asks = len(found) == 1 and (line.places or line.days or line.ids or dialogue.focus)
    if not asks or line.has_phrase("already"):
        return answer("Nothing has been charged or refunded in this conversation.")
    text = f"For reservation {trip(found[0])} you paid {money(amount_paid(found[0]))}."
    return answer(text, found[0])
