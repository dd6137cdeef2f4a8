"""Ways to end the current work on a task: a question, an offer, a refusal or an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import number_lines


def ask(
    task: Task,
    slot: str,
    text: str,
    record: Json | None = None,
    *,
    lead: str = "",
    choices: Sequence[Choice] = (),
    shown: int = 0,
    end: str = "",
    keeps: Sequence[str] = (),
) -> NoReturn:
    """Raise Settled with a question for a slot, maybe about a reservation.

    The first ``shown`` choices are numbered below it, before ``end``; ``keeps`` are the ids of
    payment methods that were settled before.
    """
    if shown:
        text = f"{text}\n\n{number_lines((each.words for each in choices), shown)}{end}".strip()
    told, focus = tuple(choices[: shown or None]), focus_of(record)
    raise Settled(Question(text, slot, task, told, focus=focus, lead=lead, keeps=tuple(keeps)))


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
