"""The two tools that every domain has and that touch no records.

They are created separately for each domain, because a tool carries the name of its toolset.
"""

from __future__ import annotations

from typing import Annotated

from domains.core import calculator
from domains.core.draft import Draft
from domains.core.tool import Tool, generic


def generic_tools() -> tuple[Tool, Tool]:
    """The tools ``calculate`` and ``transfer_to_human_agents``."""

    @generic
    def calculate(
        draft: Draft,
        expression: Annotated[str, "Arithmetic with numbers, + - * / and parentheses."],
    ) -> str:
        """Work out an arithmetic expression and round the value to two decimals."""
        return calculator.calculate(expression)

    @generic
    def transfer_to_human_agents(
        draft: Draft,
        summary: Annotated[str, "What the customer needs, for the person who takes over."],
    ) -> str:
        """Hand the customer over to a human agent.

        Right only when the request lies outside what the policy and the other tools allow, or when
        the policy says so.
        """
        return "Transfer successful"

    return calculate, transfer_to_human_agents
