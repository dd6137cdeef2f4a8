"""From the conversation so far to the next step: who is it, what is asked, what comes next."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.airline import (
    answers,
    booking,
    cancelling,
    changing,
    compensating,
    outcomes,
    pricing,
    profiles,
    updating,
)
from agent.clerk.airline.asking_again import in_other_words
from agent.clerk.airline.identifying import identify
from agent.clerk.airline.open_wishes import ask_about
from agent.clerk.airline.policy import policy
from agent.clerk.airline.requests import ACTIONS, OUTCOMES, Intent, Request
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import CAN_DO, TRANSFER
from agent.clerk.offers import ask_beyond, hand_over
from agent.clerk.serving import Service
from agent.clerk.steps import Answer, Ask, Call, Tell

_ACTS: dict[Intent, Callable[[Request, Talk], Call | Ask | Tell]] = {
    Intent.BOOK: booking.book,
    Intent.CANCEL: cancelling.cancel,
    Intent.FLIGHTS: changing.flights,
    Intent.CABIN: changing.cabins,
    Intent.PASSENGERS: updating.people,
    Intent.BAGS: updating.bags,
    Intent.INSURANCE: updating.insurance,
    Intent.COMPENSATION: compensating.compensate,
    Intent.COMPLAINT: compensating.complain,
    Intent.STATUS: answers.status,
    Intent.RESERVATION: answers.reservation,
    Intent.RESERVATIONS: answers.reservations,
    Intent.COUNT: answers.counted,
    Intent.PAID: answers.spent,
    Intent.PRICE: pricing.price,
    Intent.OUTCOME: outcomes.outcome,
    Intent.SEARCH: pricing.search,
    Intent.ALLOWANCE: profiles.allowance,
    Intent.PROFILE: profiles.profile,
    Intent.METHODS: profiles.methods,
    Intent.BALANCE: profiles.balance,
    Intent.MEMBERSHIP: profiles.membership,
    Intent.SEAT: profiles.seat,
    Intent.ADVICE: profiles.advice,
}
_UNCLEAR = (
    "I'm sorry, I didn't understand that; I can, for example, book a flight, or change or cancel "
    "a reservation."
)
_UNCLEAR_AGAIN = (
    "I'm afraid I don't understand that either. Short sentences work best with me, for example "
    '"cancel my trip to Denver", "move my flight a day later" or "how many bags are free?".'
)


def next_step(talk: Talk, policy_text: str = "") -> Call | Answer:
    """What to do now; the conversation itself is left as it is."""
    if talk.memory.transferred:
        return Answer(TRANSFER, tuple((each, "done") for each in talk.open))
    unknown = identify(talk)
    if unknown is not None:
        return unknown
    return SERVICE.serve(talk, policy_text)


def _ordered(requests: list[Request]) -> list[Request]:
    """Questions first, then changes as they were asked for, then what these come to.

    A delay is made up for only after a change, so compensation comes last of the changes; a
    hand-over comes at the very end.
    """
    acting = any(each.intent in ACTIONS for each in requests)

    def rank(request: Request) -> float:
        if request.intent is Intent.TRANSFER:
            return -1 if request.wait == "at once" else 4
        if request.intent is Intent.OUT_OF_SCOPE:
            return 4
        if request.intent in OUTCOMES and acting and request.wait != "now":
            return 3
        if request.intent is None:
            return 3.5
        if request.intent is Intent.COMPENSATION:
            return 2
        return 1 if request.intent in ACTIONS else 0

    return _upgraded_first(sorted(requests, key=rank))


def _upgraded_first(requests: list[Request]) -> list[Request]:
    """A reservation is changed before it is cancelled, and before bags are added.

    Once cancelled it could not be changed, and how many bags are free depends on the cabin.
    """
    for place, request in enumerate(requests):
        if request.intent not in {Intent.CANCEL, Intent.BAGS}:
            continue
        later = [
            each
            for each in requests[place + 1 :]
            if each.intent in {Intent.CABIN, Intent.FLIGHTS} and each.trip == request.trip
        ]
        rest = [each for each in requests[place:] if not any(each is one for one in later)]
        if later:
            return [*requests[:place], *later, *_upgraded_first(rest)]
    return requests


def _settle(request: Request, talk: Talk, policy_text: str) -> Call | Ask | Tell:
    if request.intent is None:
        return ask_about(request, talk)
    act = _ACTS.get(request.intent)
    if act is not None:
        return act(request, talk)
    if request.intent is Intent.HELP:
        return Tell(f"I'm the airline's built-in clerk, a program. {CAN_DO}", "answered")
    if request.intent is Intent.POLICY:
        return policy(request, policy_text)
    if request.intent is Intent.OTHER_PERSON:
        text = "I can only help you with your own profile and reservations, not somebody else's."
        return Tell(text, "refused")
    if request.intent is Intent.UNDO:
        text = "What has been done can't simply be taken back; I can look at what else is possible."
        return Tell(text, "refused")
    return _beyond(request, talk)


def _beyond(request: Request, talk: Talk) -> Call | Ask | Tell:
    """What no tool can do goes to a human; a bare wish for one is asked about once."""
    if request.intent is Intent.TRANSFER and not request.wait:
        if talk.puzzled or any(each.outcome == "refused" for each in talk.requests):
            text = (
                "I understand, but a human agent could not do more about that than I can. "
                "Is there something else that it is about?"
            )
        else:
            text = (
                f"{CAN_DO} What is it about? If it's something else, or if you'd still rather have "
                "a human agent, say so and I'll transfer you."
            )
        return Tell(text, "answered", asks=True)
    if request.intent is Intent.TRANSFER or request.chosen == "human":
        return hand_over(request, request.text)
    if request.chosen == "leave":
        return Tell("All right, I leave it.", "dropped")
    return ask_beyond(request)


def _no_conflict(call: Call, queue: list[Request], talk: Talk) -> Call | Ask | None:
    """Nothing that is still to come stands in the way of a call."""
    return None


SERVICE: Service[Talk] = Service(
    _settle, _ordered, _no_conflict, _UNCLEAR, _UNCLEAR_AGAIN, in_other_words
)
"""How the airline's clerk serves."""
