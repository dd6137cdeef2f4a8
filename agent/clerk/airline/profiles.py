"""Answers about the customer: free bags, profile, payment methods, balances, membership."""

from __future__ import annotations

from agent.clerk.airline import looking_up
from agent.clerk.airline.answers import answer
from agent.clerk.airline.bags import EXTRA_BAG, free_bags
from agent.clerk.airline.memory import CABINS
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.talk_of_money import payments
from agent.clerk.airline.trips import find_one, lies_ahead
from agent.clerk.airline.wording import (
    cabin,
    count,
    method,
    money,
    name,
    trip,
)
from agent.clerk.policy import policy_lines
from agent.clerk.remembering import Json
from agent.clerk.steps import Ask, Settled, Tell
from agent.clerk.task import Task
from agent.clerk.wording import join_parts, list_lines


def allowance(task: Task, talk: Talk, policy: str = "") -> Tell:
    """How many checked bags are free."""
    booking = any(each.intent == "book_flight" for each in talk.open)
    named = any(line.places or line.days or line.ids for line in talk.lines(task))
    if booking and not named:
        return _by_cabin(talk)
    try:
        record = find_one(task, talk)
    except Settled as settled:
        if not isinstance(settled.step, Tell | Ask) or named:
            raise
        return _by_cabin(talk)
    if not named and not lies_ahead(record, talk):
        return _by_cabin(talk)
    people = len(record["passengers"])
    free = free_bags(talk.memory.membership, record["cabin"], people)
    now = count(record["total_baggages"], "bag")
    text = (
        f"On reservation {trip(record)} {count(free, 'checked bag')} "
        f"{'is' if free == 1 else 'are'} free for {count(people, 'passenger')} "
        f"({talk.memory.membership} member in {cabin(record['cabin'])}); it has {now} now. "
        f"Each further one costs {money(EXTRA_BAG)}."
    )
    return answer(text, record["reservation_id"])


def _by_cabin(talk: Talk) -> Tell:
    each = join_parts(
        f"{free_bags(talk.memory.membership, name_, 1)} in {cabin(name_)}" for name_ in CABINS
    )
    return answer(
        f"As a {talk.memory.membership} member you have these checked bags free for each "
        f"passenger: {each}. Each further one costs {money(EXTRA_BAG)}."
    )


def profile(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What the profile holds."""
    user = talk.memory.user or {}
    saved = (
        join_parts(f"{name(each)}, born {each['dob']}" for each in talk.memory.saved) or "nobody"
    )
    lines = [
        f"name: {name(user.get('name') or {})}",
        f"email: {user.get('email', 'not on file')}",
        f"date of birth: {user.get('dob', 'not on file')}",
        f"membership: {talk.memory.membership}",
        f"saved passengers: {saved}",
    ]
    return answer(f"Your profile:\n\n{list_lines(lines)}")


def methods(task: Task, talk: Talk, policy: str = "") -> Tell:
    """Which payment methods there are."""
    looking_up.profile(talk.memory)
    found = [method(each, key) for key, each in talk.memory.methods.items()]
    return answer(
        f"Your payment methods:\n\n{list_lines(found)}"
        if found
        else "There are none on your profile."
    )


def balance(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What is on gift cards and certificates, in all too."""
    looking_up.profile(talk.memory)
    kinds = {each.kind for each in payments(talk.line(task.text)) if each.kind} or {
        "gift_card",
        "certificate",
    }
    found = {k: e for k, e in talk.memory.methods.items() if e.get("source") in kinds}
    held = {k: e for k, e in found.items() if e.get("source") != "credit_card"}
    if not held:
        words = join_parts((each.replace("_", " ") for each in sorted(kinds)), "or")
        return answer(f"There is no {words} on your profile.")
    lines = join_parts(method(each, key) for key, each in held.items())
    sums = [_sum_of(kind, held) for kind in ("gift_card", "certificate")]
    more = f"; that is {join_parts(filter(None, sums))}" if len(held) > 1 else ""
    return answer(f"You have: {lines}{more}.")


def _sum_of(kind: str, held: dict[str, Json]) -> str:
    """What all methods of a kind hold together, in words; nothing where there is none."""
    amounts = [float(each["amount"]) for each in held.values() if each.get("source") == kind]
    words = {"gift_card": "gift cards", "certificate": "certificates"}
    return f"{money(sum(amounts))} in all on {words[kind]}" if amounts else ""


def membership(task: Task, talk: Talk, policy: str = "") -> Tell:
    """Which membership the customer has."""
    return answer(f"You are a {talk.memory.membership} member.")


def seat(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What there is in place of seats: the cabin alone is booked."""
    return answer("Single seats don't stand in my records: a reservation holds only its cabin.")


def advice(task: Task, talk: Talk, policy: str = "") -> Tell:
    """No recommendations: facts are offered instead."""
    text = "I can't recommend one flight over another, but I can tell you times, prices and seats."
    return Tell(text, "refused")


def policy_question(task: Task, talk: Talk, policy: str = "") -> Tell:
    """The policy's own lines on what was asked."""
    return answer(policy_lines(task.text, policy))
