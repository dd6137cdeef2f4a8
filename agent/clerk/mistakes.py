"""Mistakes that the clerk makes when it is told to, so that a demo shows them being caught."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from agent.chat import Message
from agent.clerk.dialogue import Dialogue
from agent.clerk.reading_messages import REMINDER, text_of
from agent.clerk.steps import Answer, Call
from agent.clerk.trade import Trade

T = TypeVar("T", bound=Dialogue[Any, Any])

MISTAKES: dict[str, str] = {
    "wrong-item": "puts another available variant, or another item, into the change",
    "wrong-payment": "uses another of the customer's payment methods",
    "wrong-flight": "puts another flight that can be booked into a booking or a change",
    "wrong-reservation": "changes or cancels another of the customer's reservations",
    "wrong-cabin": "books or changes into another cabin than was asked for",
    "wrong-order": "takes the last of several changes, or payments, first",
    "extra-bag": "adds a bag that nobody asked for, and charges for it",
    "lost-fallback": "forgets what the customer said to do where something is not possible",
    "ungranted-compensation": "sends a certificate to whoever complains",
    "before-identity": "cancels a reservation before anybody knows who is asking",
    "asks-again": "asks in words for a consent that the card asks for, and waits for it",
    "skips-last-request": "forgets the last of several requests",
    "forgets-policy": "tries what the policy forbids but the tools would do",
}
"""Names of the mistakes and what each does; one that a trade does not know changes nothing."""


def mistaken(
    mistake: str, step: Call | Answer, talk: T, messages: list[Message], trade: Trade[T]
) -> Call | Answer:
    """The step with the named mistake in it, where it offers an opportunity."""
    if mistake == "forgets-policy":
        return _against_policy(step, messages)
    if mistake == "skips-last-request":
        return _skipping(step, talk, trade)
    spoil = trade.mistakes.get(mistake)
    return spoil(step, talk) if spoil is not None else step


def _against_policy(step: Call | Answer, messages: list[Message]) -> Call | Answer:
    """Heeds a reminder that came after the customer's last words."""
    for message in reversed(messages):
        text = text_of(message)
        if text.startswith(REMINDER):
            return step
        if message.get("role") in {"user", "assistant"}:
            break
    return step.forbidden if isinstance(step, Answer) and step.forbidden else step


def _skipping(step: Call | Answer, talk: T, trade: Trade[T]) -> Call | Answer:
    """Drops the last request while others came before it."""
    if len(talk.requests) < 2 or talk.requests[-1].closed:
        return step
    shorter = replace(talk, requests=talk.requests[:-1])
    return trade.next_step(shorter, "")
