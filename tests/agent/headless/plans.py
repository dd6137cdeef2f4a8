"""Runs of the toy domain: a model that takes three coins, and counts who asks at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from agent.headless.plan import Arm, Plan
from agent.models.protocol import CallPiece, Finish, ModelFault, ModelRequest, Piece, TextPiece
from domains.core.domain import Domain
from sessions.events import Safeguards
from tests.toy import toy_domain


def many_tasks(number: int) -> Domain:
    """The toy domain with so many scenarios, all alike."""
    domain = toy_domain()
    (one,) = domain.scenarios
    tasks = tuple(replace(one, id=f"task-{n}", communicate=()) for n in range(number))
    return replace(domain, read_scenarios=lambda _: tasks)


def plan(domain: Domain, **more: Any) -> Plan:
    """All tasks of a domain, without reminders unless told otherwise."""
    given: dict[str, Any] = {
        "scenarios": domain.scenarios,
        "model": "taker",
        "customer": "scripted",
        "arms": (Arm(Safeguards(reflection=False)),),
        **more,
    }
    return Plan(domain, **given)


class Taker:
    """Takes three coins out of the red jar, once; every instance counts in the same place."""

    def __init__(
        self,
        name: str = "taker",
        *,
        coins: int = 3,
        pause: float = 0.0,
        fault: ModelFault | None = None,
    ) -> None:
        self.name = name
        self.asked = 0
        self.under_way = 0
        self.most = 0
        self.fault = fault
        self._coins = coins
        self._pause = pause

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        self.asked += 1
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await asyncio.sleep(self._pause)
            if self.fault is not None:
                raise self.fault
        finally:
            self.under_way -= 1
        if any(message["role"] == "tool" for message in request.messages):
            yield TextPiece("There you are: seven are left.")
            yield Finish("stop")
        else:
            yield CallPiece(0, "call", "take", f'{{"jar": "red", "coins": {self._coins}}}')
            yield Finish("tool_calls")
