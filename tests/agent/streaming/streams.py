"""Streams of the toy domain, whose policy has a gap, and a model that goes by what it remembers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

from agent.headless.plan import Arm, Plan
from agent.models.protocol import CallPiece, Finish, ModelRequest, Piece, TextPiece
from agent.streaming.plan import RULES, Learning, StreamPlan
from domains.core.domain import Domain, Gaps, Role, Scenario
from domains.core.gap import PolicyGap, Variant
from domains.core.tool import ToolCall
from sessions.events import Safeguards
from sessions.events.memory import RETRIEVE
from tests.toy import toy_domain

CHECK = "no more than five coins at a time"
LESSON = "A customer may take more than five coins even if that is not written."
EXPLAINED = Learning("policybank", "explanation", "tool")
ORACLE = Learning("policybank", "oracle", "tool")
NOTHING = Learning("none")
END = (ToolCall("take", {"jar": "red", "coins": 7}),)


def scenario(
    name: str, *, parent: str = "", variant: Variant = "", gap: str = "", explanation: str = ""
) -> Scenario:
    return Scenario(
        name, name, Role("Ann", wants=("seven coins from the red jar",)), ends=(END,), gap=gap,
        parent=parent, variant=variant, explanation=explanation,
    )  # fmt: skip


def family(name: str, *variants: Variant) -> list[Scenario]:
    """A parent and its sisters."""
    sisters = [
        scenario(f"{name}-{each}", parent=name, variant=each, gap="coins", explanation=LESSON)
        for each in variants
    ]
    return [scenario(name, gap="coins", explanation=LESSON), *sisters]


def gap_domain(families: int = 1, others: int = 0) -> Domain:
    """The toy domain with families of four, and tasks that have none."""
    gap = PolicyGap(
        "coins", "jars", "missing exception", "take", CHECK, "", "", LESSON,
        tuple(f"p{n}" for n in range(families)),
    )  # fmt: skip
    scenarios = [
        each
        for n in range(families)
        for each in family(f"p{n}", "simplified", "different", "complex")
    ]
    return replace(
        toy_domain(),
        read_scenarios=lambda _: tuple(scenario(f"other-{n}") for n in range(others)),
        read_gaps=lambda _: Gaps((gap,), tuple(scenarios)),
    )


def stream_plan(
    domain: Domain,
    *learnings: Learning,
    seeds: Sequence[int] = (0,),
    trials: int = 1,
    policy_agent: str = RULES,
    begun_by: str = RULES,
    **more: Any,
) -> StreamPlan:
    """All tasks of a domain, without reminders."""
    arms = tuple(Arm(Safeguards(reflection=False), each.name) for each in learnings)
    plan = Plan(
        domain, (*domain.scenarios, *domain.gap_scenarios), "follower", "scripted", arms, **more
    )
    return StreamPlan(plan, learnings, tuple(seeds), trials, policy_agent, begun_by)


class Follower:
    """Takes seven coins where it reads that it may, and refuses where it does not."""

    name = "follower"

    def __init__(self, pause: float = 0.0) -> None:
        self._pause = pause

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        await asyncio.sleep(self._pause)
        told = str(request.messages[1:])
        if "'coins': 3" in told or '"coins": 3' in told:
            yield TextPiece("There you are: three are left.")
            yield Finish("stop")
        elif "more than five coins even" in told:
            yield CallPiece(0, "take", "take", '{"jar": "red", "coins": 7}')
            yield Finish("tool_calls")
        elif f"'name': '{RETRIEVE}'" in str(request.tools) and "'role': 'tool'" not in told:
            yield CallPiece(0, "read", RETRIEVE, '{"capabilities": ["take"]}')
            yield Finish("tool_calls")
        else:
            yield TextPiece("That I may not do.")
            yield Finish("stop")
