"""Measure how long answers took, by role and safeguard, and how many came too late."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sessions.events import (
    Logged,
    ModelAnswered,
    ModelFailed,
    ModelRequested,
    OtherModelAsked,
    OtherPurpose,
    Purpose,
)

LATE = "timeout"

ROLES: dict[Purpose | OtherPurpose, str] = {
    "act": "agent",
    "answer_about_card": "agent, on a card",
    "route": "router",
    "verify": "verifier",
    "word_card": "card",
    "reflect": "reminder",
    "summarise": "summaries",
    "judge_tool": "tool judgement",
    "play_customer": "customer",
    "check_own_words": "customer, checking",
    "decide_on_card": "customer, on a card",
    "judge": "judge",
    "learn": "policy agent",
}
"""The roles that are waited for: the agent, each job of the second model, and the others."""

BY_RULES = frozenset({"card", "reminder", "summaries", "tool judgement"})
"""The second model's jobs that rules do if it does not answer in time."""


@dataclass(frozen=True, slots=True)
class Waits:
    """The requests of one role."""

    milliseconds: tuple[int, ...] = ()
    """How long each answer took."""

    late: int = 0
    """Requests without an answer within the time limit."""

    failed: int = 0
    """Requests that failed for another reason."""

    @property
    def asked_count(self) -> int:
        """The number of all requests."""
        return len(self.milliseconds) + self.late + self.failed

    def __add__(self, other: Waits) -> Waits:
        return Waits(
            self.milliseconds + other.milliseconds,
            self.late + other.late,
            self.failed + other.failed,
        )


def waits(events: Iterable[Logged]) -> dict[str, Waits]:
    """The requests in these events by role, in the order of ROLES.

    Imported runs have none, because it is unknown how long their answers took.
    """
    found = {role: Waits() for role in ROLES.values()}
    purpose: Purpose | None = None
    for logged in events:
        match logged.event:
            case ModelRequested() as event:
                purpose = event.purpose
            case ModelAnswered() as event if purpose is not None:
                found[ROLES[_purpose_of(event, purpose)]] += Waits((event.milliseconds,))
            case ModelFailed(retry_in=None) as event if purpose is not None:
                found[ROLES[purpose]] += _without_answer(event.fault)
            case OtherModelAsked() as event:
                answered = Waits((event.milliseconds,))
                found[ROLES[event.purpose]] += (
                    _without_answer(event.fault) if event.fault else answered
                )
            case _:
                pass
    return {role: each for role, each in found.items() if each.asked_count}


def together(found: Iterable[Mapping[str, Waits]]) -> dict[str, Waits]:
    """The requests of several sessions, by role."""
    every = [*found]
    summed = {
        role: sum((each.get(role, Waits()) for each in every), Waits()) for role in ROLES.values()
    }
    return {role: each for role, each in summed.items() if each.asked_count}


def _purpose_of(answered: ModelAnswered, purpose: Purpose) -> Purpose:
    """The purpose of the request; a verifier's answer may be recorded as the agent's next step."""
    return purpose if answered.purpose == "act" else answered.purpose


def _without_answer(fault: str) -> Waits:
    return Waits(late=1) if fault == LATE else Waits(failed=1)
