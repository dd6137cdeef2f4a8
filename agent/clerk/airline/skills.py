"""The airline as a trade of the clerk's: reservations, flights, and what can be done with them."""

from __future__ import annotations

from agent.clerk.airline import (
    answers,
    booking,
    cancelling,
    changing,
    compensating,
    costing,
    prices,
    profiles,
    renaming,
    updating,
)
from agent.clerk.airline.cards import ASKED, CARD_TOPICS
from agent.clerk.airline.dialogue import AirlineDialogue
from agent.clerk.airline.manner import ACTS, now_of
from agent.clerk.airline.memory import TOOLS, WRITES
from agent.clerk.airline.mistakes import AIRLINE_MISTAKES
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import CAN_DO
from agent.clerk.reading_messages import policy_of
from agent.clerk.serving import BEYOND
from agent.clerk.steps import Answer, Call
from agent.clerk.task import Task
from agent.clerk.trade import Trade
from agent.models.protocol import Message

_WHO = "What is your user id?"


def begin(messages: list[Message]) -> Talk:
    """A conversation that knows what day it is, by the policy."""
    return AirlineDialogue(now=now_of(policy_of(messages)))


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
        return (
            "I still can't find a profile with that user id, and without one I can't help. Please "
            "look it up and give me exactly that."
        )
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
    earlier = tasks[: tasks.index(task)]
    later = [e for e in tasks if e.intent in changes and e not in earlier and e is not task]
    waits = task.intent == "add_bags" or (
        task.intent == "cancel_reservation" and _same_trip(task, later)
    )
    return 1.5 if later and waits else 1


def _same_trip(task: Task, later: list[Task]) -> bool:
    """Whether a later change is of no other trip than the one to be cancelled."""
    words = set(task.text.lower().split())
    return any(each.message == task.message and "it" in words for each in later)


AIRLINE = Trade(
    tools=TOOLS,
    writes=WRITES,
    begin=begin,
    identify=identify,
    skills={
        "book_flight": booking.book,
        "cancel_reservation": cancelling.cancel,
        "change_flights": changing.flights,
        "change_cabin": changing.cabins,
        "change_passengers": renaming.people,
        "add_bags": updating.bags,
        "insurance": updating.insurance,
        "compensation": compensating.compensate,
        "complaint": compensating.complain,
        "flight_status": answers.status,
        "reservation_info": answers.reservation,
        "reservations": answers.reservations,
        "count": answers.reservations,
        "paid": answers.spending,
        "outcome": prices.outcome,
        costing.COST: costing.cost,
        "search_flights": prices.search,
        "allowance": profiles.allowance,
        "profile": profiles.profile,
        "methods": profiles.methods,
        "balance": profiles.balance,
        "membership": profiles.membership,
        "policy_question": profiles.policy_question,
    },
    what_if=prices.what_if,
    rank=_rank,
    can_do=CAN_DO,
    sayings={
        "seat": "Single seats don't stand in my records: a reservation holds only its cabin.",
        "advice": (
            "I can't recommend one flight over another, but I can tell you times, prices and seats."
        ),
        "other_person": (
            "I can only help you with your own profile and reservations, not somebody else's."
        ),
        "undo": (
            "What has been done can't simply be taken back; I can look at what else is possible."
        ),
    },
    mistakes=AIRLINE_MISTAKES,
    card_topics=CARD_TOPICS,
    asked_of_cards=ASKED,
)
