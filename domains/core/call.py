"""A call of a tool, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Arguments = Mapping[str, Any]
"""A call's arguments as parsed JSON; never validated before the tool's own code sees them."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as an agent proposes it: a tool's name and parsed arguments."""

    name: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call returns to the agent: text, and whether that text reports a failure."""

    text: str
    error: bool = False


class ToolError(Exception):
    """A refusal by the tool itself; its message reaches the agent as ``Error: <message>``."""
