"""Compare a second model's judgements of tools with what the tools declare about themselves.

In the paper a model decides which actions are mutating (SABER, section 4.2); here the tool declares
it. How far the two agree tests the paper's claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sessions.events import Logged, ToolJudged
from sessions.statistics.intervals import Share, share


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model said about one tool in one session."""

    tool: str
    by: str
    declared: bool
    """Whether the tool declares that it changes something."""

    mutating: bool | None
    """Whether the model says so; None if it gave no usable answer."""


@dataclass(frozen=True, slots=True)
class ToolAgreement:
    """What was said about one tool in all sessions."""

    tool: str
    declared: bool
    agreed: int
    said: int
    """The number of usable answers."""

    unusable: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far a second model's answers agree with what tools declare."""

    by: tuple[str, ...]
    changes: Share
    """The share of answers about mutating tools that call them mutating."""

    look_ups: Share
    """The share of answers about look-ups that call them look-ups."""

    tools: tuple[ToolAgreement, ...]
    """The tools, most often misjudged first."""


def judgements(events: Iterable[Logged]) -> tuple[Judgement, ...]:
    """The judgements in a session about tools that declare whether they change anything."""
    said = (logged.event for logged in events if isinstance(logged.event, ToolJudged))
    return tuple(
        Judgement(each.name, each.by, each.declared, each.mutating if each.usable else None)
        for each in said
        if each.declared is not None
    )


def agreement(sessions: Iterable[Sequence[Judgement]]) -> Agreement | None:
    """The agreement over these sessions; None if nothing was judged."""
    said = [each for session in sessions for each in session]
    if not said:
        return None
    names = {each.tool: each.declared for each in said}
    tools = [_of_tool([one for one in said if one.tool == name]) for name in sorted(names)]
    tools.sort(key=lambda each: each.agreed - each.said)
    return Agreement(
        by=tuple(sorted({each.by for each in said})),
        changes=_share([each for each in tools if each.declared]),
        look_ups=_share([each for each in tools if not each.declared]),
        tools=tuple(tools),
    )


def _share(tools: Iterable[ToolAgreement]) -> Share:
    found = [*tools]
    return share(sum(each.agreed for each in found), sum(each.said for each in found))


def _of_tool(said: Sequence[Judgement]) -> ToolAgreement:
    usable = [each for each in said if each.mutating is not None]
    return ToolAgreement(
        tool=said[0].tool,
        declared=said[0].declared,
        agreed=sum(each.mutating == each.declared for each in usable),
        said=len(usable),
        unusable=len(said) - len(usable),
    )
