"""Models that are no part of the agent: whoever plays the customer, judges, or learns from it.

They stand apart from the agent's requests and answers, so that nothing made for those takes them
for the agent's: its context, its steps, what is shown of it and what is exported to learn from.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from sessions.events.base import Event
from sessions.events.models import Usage

OtherPurpose = Literal["play_customer", "check_own_words", "decide_on_card", "judge", "learn"]
"""What such a model is asked for: the customer's words, whether they are the customer's, the
customer's decision, verdicts, what is to be remembered."""


class OtherModelAsked(Event):
    """A model that is no part of the agent was asked; what it said has events of its own.

    What a customer says is ``customer_said`` or ``decision_made``, what a judge says is ``scored``.
    """

    type: Literal["other_model_asked"] = "other_model_asked"
    model: str
    purpose: OtherPurpose
    usage: Usage = Usage()
    """Of the answer; no provider tells what an attempt that failed has cost."""

    attempts: int = 1
    fault: str = ""
    """A short name of the last attempt's fault, as in ``model_failed``; empty where it answered."""

    milliseconds: int = 0


Record = Callable[[OtherModelAsked], Awaitable[object]]
"""Whoever puts that into a log."""
