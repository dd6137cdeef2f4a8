"""Answers about the customer's profile: its data, payment methods, balances, free bags."""

from __future__ import annotations

from agent.clerk.airline import looking_up
from agent.clerk.airline.acting import answer
from agent.clerk.airline.bags import EXTRA_BAG, free_bags
from agent.clerk.airline.memory import CABINS
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.talk_of_money import payments
from agent.clerk.airline.trips import find_one, lies_ahead
from agent.clerk.airline.wording import cabin, count, method, money, name, trip
from agent.clerk.policy import policy_lines
from agent.clerk.steps import Ask, Settled, Tell
from agent.clerk.task import Task
from agent.clerk.wording import join_parts, list_lines


def allowance(task: Task, talk: Talk, policy: str = "") -> Tell:
    """How many checked bags are free."""
    named = any(line.places or line.days or line.ids for line in talk.lines(task))
    booking = any(each.intent == "book_flight" for each in talk.open)
    try:
        record = None if booking and not named else find_one(task, talk)
    except Settled as settled:
        if not isinstance(settled.step, Tell | Ask) or named:
            raise
        record = None
    if record is None or (not named and not lies_ahead(record, talk)):
        return _by_cabin(talk)
    people = len(record["passengers"])
    free = free_bags(talk.memory.membership, record["cabin"], people)
    text = (
        f"On reservation {trip(record)} {count(free, 'checked bag')} "
        f"{'is' if free == 1 else 'are'} free for {count(people, 'passenger')} "
        f"({talk.memory.membership} member in {cabin(record['cabin'])}); it has "
        f"{count(record['total_baggages'], 'bag')} now. Each further one costs {money(EXTRA_BAG)}."
    )
    return answer(text, record)


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
    user = looking_up.profile(talk.memory)
    saved = join_parts(f"{name(each)}, born {each['dob']}" for each in talk.memory.saved)
    lines = [
        f"name: {name(user['name'])}",
        f"email: {user['email']}",
        f"date of birth: {user['dob']}",
        f"membership: {talk.memory.membership}",
        f"saved passengers: {saved or 'nobody'}",
    ]
    return answer(f"Your profile:\n\n{list_lines(lines)}")


def methods(task: Task, talk: Talk, policy: str = "") -> Tell:
    """Which payment methods there are."""
    looking_up.profile(talk.memory)
    found = [method(each, key) for key, each in talk.memory.methods.items()]
    text = f"Your payment methods:\n\n{list_lines(found)}"
    return answer(text if found else "There are none on your profile.")


def balance(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What is on gift cards and certificates, in all too."""
    looking_up.profile(talk.memory)
    named = {each.kind for each in payments(talk.line(task.text)) if each.kind}
    kinds = {"gift_card", "certificate"} & (named or {"gift_card", "certificate"})
    held = {k: e for k, e in talk.memory.methods.items() if e["source"] in kinds}
    if not held:
        words = join_parts((each.replace("_", " ") for each in sorted(kinds or named)), "or")
        return answer(f"There is no {words} on your profile.")
    lines = join_parts(method(each, key) for key, each in held.items())
    sums = {
        kind: sum(float(each["amount"]) for each in held.values() if each["source"] == kind)
        for kind in ("gift_card", "certificate")
    }
    told = (f"{money(each)} in all on {k.replace('_', ' ')}s" for k, each in sums.items() if each)
    more = f"; that is {join_parts(told)}" if len(held) > 1 else ""
    return answer(f"You have: {lines}{more}.")


def membership(task: Task, talk: Talk, policy: str = "") -> Tell:
    """Which membership the customer has."""
    return answer(f"You are a {talk.memory.membership} member.")


def policy_question(task: Task, talk: Talk, policy: str = "") -> Tell:
    """The policy's own lines on what was asked."""
    return answer(policy_lines(task.text, policy))
