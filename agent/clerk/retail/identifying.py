"""Finding the customer's account before anything else is done."""

from __future__ import annotations

from agent.clerk.retail.memory import FIND_BY_EMAIL, FIND_BY_NAME
from agent.clerk.retail.talk import Talk
from agent.clerk.retail.wording import CAN_DO
from agent.clerk.steps import Answer, Call

_WHO = "To find your account, please tell me your email, or your full name and zip code."


def identify(talk: Talk) -> Call | Answer | None:
    """Find the account by e-mail, or by name and zip; ask for what is missing."""
    memory, told = talk.memory, talk.identity
    if memory.user is not None:
        return None
    if memory.user_id is not None:
        if any(key.startswith("get_user_details") for key in memory.failed):
            return Answer("I can't open your account right now. Please try again in a moment.")
        return Call("get_user_details", {"user_id": memory.user_id})
    by_email = (Call(FIND_BY_EMAIL, {"email": each}) for each in reversed(told.emails))
    by_name = (
        Call(FIND_BY_NAME, {"first_name": first, "last_name": last, "zip": code})
        for first, last in reversed(told.names)
        for code in reversed(told.zips)
    )
    untried = (each for each in [*by_email, *by_name] if each.key not in memory.failed)
    return next(untried, None) or Answer(_who_question(talk))


def _who_question(talk: Talk) -> str:
    told, memory = talk.identity, talk.memory
    failed = sum(key.startswith((FIND_BY_EMAIL, FIND_BY_NAME)) for key in memory.failed)
    if failed > 1:
        return (
            "I still can't find an account with those details, and without one I can't help. "
            "Would another email of yours work?"
        )
    if failed:
        return (
            "I couldn't find an account with those details. Please check them: your email, or "
            "your full name and zip code."
        )
    if told.names and not told.zips:
        return f"Thanks, {told.names[-1][0]}. What is your zip code, or your email?"
    if told.zips and not told.names:
        return "Thanks. What is your full name?"
    if told.user_id:
        return f"A user id alone isn't enough for me to identify you. {_WHO}"
    hello = f"Hello! {CAN_DO} " if talk.heard == 1 else ""
    return f"{'Happy to help! ' if talk.requests else hello}{_WHO}"
