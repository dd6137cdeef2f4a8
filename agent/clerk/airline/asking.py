"""How work on a task ends for now: with a question, a choice, a refusal, or an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from agent.clerk.deciding.offers import ask_to_pick
from agent.clerk.lessons.learned import Rule
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Ask, Call, Choice, Settled, Tell
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
    """Settled with a question for a slot, which may be about a reservation."""
    raise Settled(Ask(text, slot, task, tuple(choices), focus=focus_of(record), lead=lead))


def ask_which(
    task: Task,
    slot: str,
    text: str,
    choices: Sequence[Choice],
    record: Json | None = None,
    end: str = "",
) -> NoReturn:
    """Settled with a question with its answers numbered below it: the first few of many."""
    found = ask_to_pick(text, slot, task, choices, focus_of(record))
    raise Settled(replace(found, text=f"{found.text}{end}"))


def refuse(
    text: str,
    record: Json | None = None,
    forbidden: Call | None = None,
    rule: Rule | None = None,
) -> NoReturn:
    """Settled with a refusal, which may be about a reservation."""
    raise Settled(Tell(text, "refused", forbidden=forbidden, focus=focus_of(record), rule=rule))


def answer(text: str, record: Json | None = None) -> Tell:
    """A question settled by these words, which may be about a reservation."""
    return Tell(text, "answered", focus=focus_of(record))


def focus_of(record: Json | None) -> str:
    """The id of the reservation that is spoken of, where there is one."""
    return str(record["reservation_id"]) if record else ""
