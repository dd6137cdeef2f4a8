"""Knowing who speaks before anything else is done: the customer gives their user id."""

from __future__ import annotations

from agent.clerk.airline.talk import Talk
from agent.clerk.airline.wording import CAN_DO
from agent.clerk.steps import Answer, Call

_WHO = "What is your user id?"


def identify(talk: Talk) -> Call | Answer | None:
    """Read the profile of the user id that was given; ask for it where none was."""
    memory = talk.memory
    if memory.user is not None:
        return None
    for user_id in reversed(talk.user_ids):
        if user_id not in memory.failed_users:
            return Call("get_user_details", {"user_id": user_id})
    return Answer(_question(talk))


def _question(talk: Talk) -> str:
    failed = talk.memory.failed_users
    if len(failed) > 1:
        return (
            "I still can't find a profile with that user id, and without one I can't help. Please "
            "look it up and give me exactly that."
        )
    if failed:
        return f"I find no profile with the user id {failed[-1]}. Please check it: {_WHO}"
    named = talk.last is not None and (talk.last.identity.names or talk.last.identity.emails)
    asked_before = bool(talk.spoken) and talk.spoken[-1].endswith(f"W{_WHO[1:]}")
    if named or asked_before or (talk.last is not None and talk.last.unknown):
        return f"I can find you only by your user id, which looks like anna_berg_2041. {_WHO}"
    if talk.heard == 1 and not talk.requests:
        return f"Hello! {CAN_DO} To begin with: {_WHO[:1].lower()}{_WHO[1:]}"
    lead = "Happy to help! " if talk.heard == 1 else ""
    return f"{lead}{'First of all, w' if lead else 'W'}{_WHO[1:]}"
