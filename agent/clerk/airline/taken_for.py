"""What a message was taken for, by the names with which strangers' sentences are labelled."""

from __future__ import annotations

from agent.clerk.airline.guessing import GUESSED
from agent.clerk.airline.requests import WHETHER, Intent, Request
from agent.clerk.airline.talk import Talk
from agent.clerk.trade import Understood

NAMES: dict[Intent | None, str] = {
    Intent.BOOK: "book_flight", Intent.CANCEL: "cancel_reservation",
    Intent.FLIGHTS: "change_flights", Intent.CABIN: "change_cabin",
    Intent.PASSENGERS: "change_passengers", Intent.BAGS: "add_bags",
    Intent.COMPENSATION: "compensation", Intent.COMPLAINT: "compensation",
    Intent.STATUS: "flight_status", Intent.RESERVATION: "reservation_info",
    Intent.PAID: "reservation_info", Intent.RESERVATIONS: "account_info",
    Intent.COUNT: "account_info", Intent.PROFILE: "account_info",
    Intent.METHODS: "account_info", Intent.BALANCE: "account_info",
    Intent.MEMBERSHIP: "account_info", Intent.SEARCH: "search_flights",
    Intent.POLICY: "policy_question", Intent.ALLOWANCE: "policy_question",
    Intent.PRICE: "hypothetical", Intent.OUTCOME: "hypothetical", Intent.TRANSFER: "human",
    Intent.HELP: "smalltalk",
}  # fmt: skip
"""Whatever else there is counts as ``other``."""

REPORTED = {
    "reservations": "account_info", "balance": "account_info", "membership": "account_info",
    "profile": "account_info", "methods": "account_info", "allowance": "policy_question", "insurance": "other",
}  # fmt: skip
"""The wider intents that the finer ones of the examples are kinds of."""


def understood(talk: Talk) -> Understood:
    """What the last message was taken for."""
    said = talk.last
    if said is None:
        return Understood()
    made = [each for each in talk.requests if each.made == talk.heard]
    offered = {NAMES.get(each.intent, "other") for each in made if each.wait == GUESSED}
    names = {_name(each) for each in made if each.wait != GUESSED and each.intent is not None}
    names |= {"nothing_changes"} if said.forget else set()
    offered |= {REPORTED.get(each, each) for one in made for each in one.guesses}
    names |= {"identify"} if said.identity.user_ids else set()
    if not names:
        flags = {"yes": said.yes, "no": said.no, "smalltalk": said.nothing and not said.no}
        names = {name for name, meant in flags.items() if meant}
    return Understood(frozenset(names), frozenset(offered))


def _name(request: Request) -> str:
    if WHETHER in request.asks and request.intent is not Intent.SEARCH:
        return "hypothetical"
    return NAMES.get(request.intent, "other")
