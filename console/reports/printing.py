"""The transcript as lines of a terminal, for ``saber sessions show``."""

from __future__ import annotations

from collections.abc import Iterator

from sessions.views import (
    AgentWords,
    AttentionCheck,
    CardAnswer,
    CardOutcome,
    CustomerWords,
    Ended,
    Fault,
    Interrupted,
    Item,
    LookUp,
    Note,
    Result,
)


def item_lines(item: Item) -> Iterator[str]:
    """One item as indented lines under who spoke."""
    match item:
        case CustomerWords():
            yield from _said("customer", item.text)
        case AgentWords():
            yield from _said("agent", item.text)
        case CardAnswer():
            yield from _said("records", item.text)
        case LookUp():
            yield f"    {'✗' if item.error else '·'} {item.name} {item.arguments}"
        case CardOutcome() | Note() | Ended():
            yield f"  {item.text}"
        case AttentionCheck():
            yield f"  ◇ {item.text}"
        case Fault():
            yield f"  ! {item.sentence}"
        case Interrupted():
            yield "  ◼ stopped by the customer"
        case Result():
            yield f"  reward {item.scored.reward:g}"


def _said(who: str, text: str) -> Iterator[str]:
    first, *rest = text.splitlines() or [""]
    yield f"{who}: {first}"
    yield from (f"{' ' * (len(who) + 2)}{line}" for line in rest)
