"""Conversations written down as what each side says, and changes that are made up of values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent.comparison import Talk, compare
from agent.comparison.scope import Scope
from domains.core.facts import Choice, Facts, Keys, Ways
from sessions.events import (
    AgentSaid,
    AnyEvent,
    CustomerSaid,
    Disagreement,
    ToolReturned,
    WriteApplied,
)

NO_FACTS = Facts(verbs=frozenset({"change"}))
"""A change of which nothing is known but how it is asked for."""


def customer(text: str) -> AnyEvent:
    """Words of the customer."""
    return CustomerSaid(text=text, turn=1)


def agent(text: str) -> AnyEvent:
    """Words of the agent."""
    return AgentSaid(text=text)


def read(text: str, *, error: bool = False) -> AnyEvent:
    """What a look-up gave back."""
    return ToolReturned(call_id="c", name="look", text=text, error=error)


def written() -> AnyEvent:
    """A change that was carried out."""
    return WriteApplied(
        card_id="k", call_id="c", name="change", arguments={}, result="", patch=[],
        records_digest="d",
    )  # fmt: skip


def talk(*events: AnyEvent) -> Talk:
    """A conversation."""
    found = Talk()
    for event in events:
        found.add(event)
    return found


def scope(facts: Facts, *events: AnyEvent) -> Scope:
    """A change under a conversation."""
    return Scope(facts, talk(*events))


def lines(facts: Facts, *events: AnyEvent) -> list[tuple[str, str, str]]:
    """The disagreements of a change with a conversation: kind, words, whose they are."""
    return [told(each) for each in compare(facts, talk(*events)).disagreements]


def told(line: Disagreement) -> tuple[str, str, str]:
    """A disagreement without what the change does."""
    return line.kind, line.said, line.by or ""


def ways(**names: str) -> Ways:
    """Alternatives by their keys, each with what may be said of it, ``|`` between."""
    found: dict[str, Keys] = {}
    for key, said in names.items():
        for way in said.split("|"):
            found[way] = found.get(way, frozenset()) | {key}
    return found


def choice(kind: str, chosen: Iterable[str] | str, known: Ways, **more: Any) -> Choice:
    """A choice among alternatives."""
    keys = frozenset({chosen} if isinstance(chosen, str) else chosen)
    return Choice(kind, f"settles on {', '.join(sorted(keys))}", keys, known, **more)
