"""Models outside the agent: those that play the customer, judge a session, or learn from it.

Their events are separate from the agent's requests and answers, so that nothing written for those
mistakes them for the agent's: its context, its steps, its display, and the training exports.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from sessions.events.base import Event
from sessions.events.models import Usage

OtherPurpose = Literal["play_customer", "check_own_words", "decide_on_card", "judge", "learn"]
"""The purpose of such a request.

It yields the customer's words, a check that they are the customer's, the customer's decision,
verdicts, or what is to be remembered.
"""


class OtherModelAsked(Event):
    """A model outside the agent was asked; what it said is recorded in separate events.

    A customer's words are in ``customer_said`` or ``decision_made``, a judge's verdicts in
    ``scored``.
    """

    type: Literal["other_model_asked"] = "other_model_asked"
    model: str
    purpose: OtherPurpose
    usage: Usage = Usage()
    """Usage of the final answer; no provider reports what a failed attempt cost."""

    attempts: int = 1
    fault: str = ""
    """Short name of the last attempt's fault, as in ``model_failed``; empty if it succeeded."""

    milliseconds: int = 0


Record = Callable[[OtherModelAsked], Awaitable[object]]
"""A function that writes such an event to a log."""
