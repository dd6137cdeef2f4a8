"""Skills for prices and amounts: what a change would cost, and what the changes have moved."""

from __future__ import annotations

from agent.clerk.airline.answers import asked_flights, balance, policy_question, spending
from agent.clerk.airline.ask_or_refuse import answer
from agent.clerk.airline.cancellation import after_upgrade, answer_cancellable
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.known_records import CABINS, amount_paid
from agent.clerk.airline.new_flights import cabin_told, difference, price_now
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.per_reservation import Step
from agent.clerk.airline.reservation_changes import describe_change, part_meant, quote, reroute
from agent.clerk.airline.reservation_slots import find_candidates, find_reservation
from agent.clerk.airline.trip_search import search
from agent.clerk.airline.wording import (
    REFUND_TIME,
    booked_flight,
    cabin,
    cost_of,
    count,
    money,
    say,
    trip,
    way,
)
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts, list_lines
from domains.airline.fares import EXTRA_BAG

_PRICED = frozenset({"cancel_reservation", "change_cabin", "change_flights"})
_OF_AMOUNTS = frozenset({None, "price_told", "outcome"})


def what_if(task: Task, dialogue: AirlineState, policy: str) -> Step:
    """The effect of a hypothetical change."""
    if task.intent == "change_cabin":
        return cabin_price(task, dialogue)
    if task.intent == "change_flights":
        return quote(task, dialogue, find_reservation(task, dialogue))
    if task.intent == "book_flight":
        return search(task, dialogue)
    if task.intent == "add_bags":
        return answer(f"Each checked bag beyond the free ones costs {money(EXTRA_BAG)}.")
    if task.intent != "cancel_reservation":
        return policy_question(task, dialogue, policy)
    record, lines = find_reservation(task, dialogue), dialogue.sentences_of(task)
    named = any(each.value == "business" for line in lines for each in line.cabins)
    if named or any(line.has_phrase("upgrade", "upgraded") for line in lines):
        return after_upgrade(dialogue, record, "business")
    return answer_cancellable(dialogue, record)


def cabin_price(task: Task, dialogue: AirlineState) -> Statement:
    """The current price of a seat in the cabin asked about, or in all, and of the change."""
    record = find_reservation(task, dialogue)
    told, part = cabin_told(task, dialogue, record), part_meant(task, dialogue, record)
    names = [told] if told else list(CABINS)
    moved = _cost_of_cabin(record, told, dialogue)
    if part:
        return answer(say("cabin of all", what=part, cost=f" {moved}".rstrip()), record)
    lines = [
        f"{booked_flight(each)}, {way([each])}: {_prices(each, names, record, dialogue)}"
        for each in asked_flights(task, dialogue, record)
    ]
    return answer(f"The current price of a seat:\n\n{list_lines(lines)}\n\n{moved}".strip(), record)


def _prices(flight: Json, names: list[str], record: Json, dialogue: AirlineState) -> str:
    """The prices of a seat on a booked flight, or why it cannot be had."""
    found = price_now(dialogue.records, flight)
    if found is None:
        return "there is no price, as it can no longer be booked"
    people = len(record["passengers"])
    full = [e for e in names if found["available_seats"][e] < people and e != record["cabin"]]
    if full == names:
        return f"there are too few seats left in {join_parts(map(cabin, names))}"
    return join_parts(f"{money(found['prices'][each])} in {cabin(each)}" for each in names)


def _cost_of_cabin(record: Json, name: str, dialogue: AirlineState) -> str:
    """The cost of changing the whole trip to another cabin; empty if that is not possible."""
    found = [price_now(dialogue.records, each) for each in record["flights"]] if name else []
    people, open_ = len(record["passengers"]), [each for each in found if each]
    full = any(each["available_seats"][name] < people for each in open_)
    if name in {"", record["cabin"]} or full or len(open_) < len(found):
        return ""
    due = difference(record, [{"price": each["prices"][name]} for each in open_])
    both = ", both ways together" if record["flight_type"] == "round_trip" else ""
    key, who = record["reservation_id"], count(people, "passenger")
    return f"Changing reservation {key} would {cost_of(due)} for {who}{both}."


def told_last(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """What the amount is for that was told last: "is that for both of us?"; else what was paid."""
    before = [e for e in dialogue.tasks[: dialogue.tasks.index(task)] if e.message != task.message]
    last = next((e for e in reversed(before) if e.intent not in _OF_AMOUNTS), task)
    if last.written and last.intent == "cancel_reservation":
        return outcome(task, dialogue)
    if last.intent in {"allowance", "add_bags"} and not last.written:
        return answer(say("bags once", price=money(EXTRA_BAG)))
    if last.intent not in _PRICED or last.written:
        return spending(task, dialogue)
    record = find_reservation(last, dialogue)
    if last.intent == "change_cabin":
        return cabin_price(last, dialogue)
    if last.intent == "change_flights":
        return answer(describe_change(dialogue, record, *reroute(last, dialogue, record)), record)
    return answer_cancellable(dialogue, record)


def outcome(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The money that this conversation's changes moved; without changes, what was paid."""
    moves = [each.amount for each in dialogue.records.moves if each.amount]
    given = sum(dialogue.records.given.values())
    line = dialogue.parse(task.text)
    if line.has_phrase("left", "be on it", "remain", "remains"):
        return balance(Task("balance", ""), dialogue)
    if not moves and not given:
        return _would_be(task, dialogue, line)
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


def _would_be(task: Task, dialogue: AirlineState, line: ParsedSentence) -> Statement:
    """What a question about amounts can mean while nothing has been charged or refunded."""
    if line.cabins:
        return cabin_price(task, dialogue)
    if line.has_phrase("go", "goes", "which card", "both", "each", "full"):
        return told_last(task, dialogue)
    refund = line.has_phrase("back", "refund", "refunded") and not line.has_phrase("already")
    found = find_candidates(task, dialogue) if refund else []
    if len(found) != 1:
        return answer("Nothing has been charged or refunded in this conversation.")
    text = f"For reservation {trip(found[0])} you paid {money(amount_paid(found[0]))}."
    return answer(text, found[0])
