"""Ways to end the current work on a task: a question, an offer, a refusal or an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from agent.clerk.deciding.offers import ask_to_pick
from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Question, Settled, Statement
from agent.clerk.state.task import Task


def ask(
    task: Task,
    slot: str,
    text: str,
    record: Json | None = None,
    *,
    lead: str = "",
    choices: Sequence[Choice] = (),
) -> NoReturn:
    """Raise Settled with a question for a slot, maybe about a reservation."""
    raise Settled(Question(text, slot, task, tuple(choices), focus=focus_of(record), lead=lead))


def ask_which(
    task: Task,
    slot: str,
    text: str,
    choices: Sequence[Choice],
    record: Json | None = None,
    end: str = "",
) -> NoReturn:
    """Raise Settled with a numbered offer; of many choices it shows the first few."""
    found = ask_to_pick(text, slot, task, choices, focus_of(record))
    raise Settled(replace(found, text=f"{found.text}{end}"))


def refuse(
    text: str,
    record: Json | None = None,
    forbidden: Call | None = None,
    rule: Rule | None = None,
) -> NoReturn:
    """Raise Settled with a refusal, maybe about a reservation."""
    raise Settled(
        Statement(text, "refused", forbidden=forbidden, focus=focus_of(record), rule=rule)
    )


def answer(text: str, record: Json | None = None) -> Statement:
    """A reply that settles a question, maybe about a reservation."""
    return Statement(text, "answered", focus=focus_of(record))


def focus_of(record: Json | None) -> str:
    """The id of the reservation, or an empty string without one."""
    return str(record["reservation_id"]) if record else ""
