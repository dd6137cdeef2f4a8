"""A tool call and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Arguments = Mapping[str, Any]
"""A call's arguments as parsed JSON, not validated before the tool's own code sees them."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as an agent proposes it: the tool's name and the parsed arguments."""

    name: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The text that a call returns to the agent, and whether it reports a failure."""

    text: str
    error: bool = False


class ToolError(Exception):
    """A refusal by the tool itself; the agent reads its message as ``Error: <message>``."""
