"""The airline as a trade of the clerk's: reservations, flights, and what can be done with them."""

from __future__ import annotations

from agent.clerk.airline import (
    answers,
    bags,
    booking,
    cancelling,
    changing,
    compensating,
    prices,
    renaming,
)  # fmt: skip
from agent.clerk.airline.acting import on_each
from agent.clerk.airline.asides import ASIDES
from agent.clerk.airline.cards import ASKED, CARD_TOPICS
from agent.clerk.airline.dialogue import AirlineDialogue
from agent.clerk.airline.manner import ACTS, SAYINGS, WRITES, now_of
from agent.clerk.airline.memory import TOOLS
from agent.clerk.airline.mistakes import AIRLINE_MISTAKES
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import CAN_DO, say
from agent.clerk.deciding.serving import BEYOND
from agent.clerk.state.messages import policy_of
from agent.clerk.state.steps import Answer, Call
from agent.clerk.state.task import Task
from agent.clerk.trade import Trade

_WHO = "What is your user id?"


def identify(talk: Talk) -> Call | Answer | None:
    """Read the profile of the user id that was given; ask for it where none was."""
    if talk.memory.user is not None:
        return None
    for user_id in reversed(talk.identity.user_ids):
        if user_id not in talk.memory.failed_users:
            return Call("get_user_details", {"user_id": user_id})
    return Answer(_who_question(talk))


def _who_question(talk: Talk) -> str:
    failed = talk.memory.failed_users
    if len(failed) > 1:
        return say("still unknown")
    if failed:
        return f"I find no profile with the user id {failed[-1]}. Please check it: {_WHO}"
    asked_before = bool(talk.spoken) and talk.spoken[-1].endswith(f"W{_WHO[1:]}")
    if talk.identity.names or talk.identity.emails or asked_before:
        return f"I can find you only by your user id, which looks like anna_berg_2041. {_WHO}"
    if talk.heard == 1 and not talk.requests:
        return f"Hello! {CAN_DO} To begin with: {_WHO[:1].lower()}{_WHO[1:]}"
    return f"Happy to help! First of all, w{_WHO[1:]}" if talk.heard == 1 else _WHO


def _rank(task: Task, tasks: list[Task]) -> float:
    """Questions first, then changes, then what these come to.

    A reservation is changed before it is cancelled or gets bags: once cancelled it could not be
    changed, and how many bags are free depends on the cabin. A delay is made up for only after a
    change.
    """
    acting = any(each.intent in ACTS and not each.what_if for each in tasks)
    if task.intent in BEYOND:
        return 4
    if task.intent == "outcome" and acting:
        return 3
    if task.intent is None:
        return 3.5
    if task.what_if or task.intent not in ACTS:
        return 0
    if task.intent == "compensation":
        return 2
    changes = {"change_cabin", "change_flights"}
    later = [each for each in tasks[tasks.index(task) + 1 :] if each.intent in changes]
    of_it = "it" in task.text.lower().split() and task.message in {e.message for e in later}
    waits = task.intent == "add_bags" or (task.intent == "cancel_reservation" and of_it)
    return 1.5 if later and waits else 1


AIRLINE = Trade(
    tools=TOOLS,
    writes=WRITES,
    begin=lambda messages: AirlineDialogue(now=now_of(policy_of(messages))),
    identify=identify,
    skills={
        "book_flight": booking.book,
        "cancel_reservation": on_each(cancelling.cancel),
        "change_flights": on_each(changing.flights),
        "change_cabin": on_each(changing.cabins),
        "change_passengers": on_each(renaming.people),
        "add_bags": on_each(bags.add_bags),
        "insurance": bags.insurance,
        "compensation": compensating.compensate,
        "complaint": compensating.complain,
        "flight_status": answers.status,
        "reservation_info": answers.reservation,
        "reservations": answers.reservations,
        "count": answers.reservations,
        "paid": answers.spending,
        "outcome": prices.outcome,
        **ASIDES,
        "search_flights": prices.search,
        "allowance": answers.allowance,
        "profile": answers.profile,
        "methods": answers.methods,
        "balance": answers.balance,
        "membership": answers.membership,
        "policy_question": answers.policy_question,
    },
    what_if=prices.what_if,
    rank=_rank,
    can_do=CAN_DO,
    sayings=SAYINGS,
    mistakes=AIRLINE_MISTAKES,
    card_topics=CARD_TOPICS,
    asked_of_cards=ASKED,
)
