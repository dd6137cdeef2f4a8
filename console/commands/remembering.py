"""``--memory`` and ``--memory-by``: which memory an agent has, and how it reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from console.commands.options import Refused

if TYPE_CHECKING:
    from sessions.events.memory import ReadBy

WAYS: tuple[ReadBy, ...] = ("tool", "embedding", "whole", "none")
"""The ways in which an agent can read its memory of the policy."""

_MEMORY = click.option(
    "--memory",
    metavar="NAME",
    help="A memory that the agent can read; saber memory makes one.  [default: none]",
)
_MEMORY_BY = click.option(
    "--memory-by",
    type=click.Choice(WAYS),
    default="tool",
    show_default=True,
    help="How the agent reads it: by a look-up; the entries closest to the customer's words at "
    "each turn, or all of them; not at all, as a baseline.",
)


def memory_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add both options to a command."""
    return _MEMORY(_MEMORY_BY(command))


def refuse_memory_by_alone(memory: str | None, by: ReadBy) -> None:
    """Raise Refused if ``--memory-by`` is given without a memory."""
    if memory is None and by != "tool":
        raise Refused("--memory-by says how a memory is read; name one with --memory.")
