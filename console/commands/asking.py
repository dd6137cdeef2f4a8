"""Options of ``play``, ``run``, ``ablate`` and ``stream`` on how the agent's models are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from console.commands.numbers import Finite, Whole

if TYPE_CHECKING:
    from sessions.events import RequestSettings

_OPTIONS = (
    click.option(
        "--temperature", type=Finite(0, 2),
        help="Temperature of the agent's model and the second one.  [default: 0, if they take one]",
    ),
    click.option(
        "--reasoning-effort", metavar="low|medium|high",
        help="How much they reason, if they can.  [default: the provider's]",
    ),
    click.option(
        "--max-tokens", type=Whole(),
        help="Most tokens of one answer, reasoning included.  [default: SABER_MAX_TOKENS, or "
             "16384]",
    ),
    click.option(
        "--timeout", type=Finite(0, min_open=True), metavar="SECONDS",
        help="How long an answer may send nothing; in total it may take five times as long.  "
             "[default: 60]",
    ),
    click.option(
        "--ask-as", type=click.Choice(["saber", "tau2"]), default="saber", show_default=True,
        help="Whose system prompt, tool descriptions and parameters the agent gets: this "
        "program's, or those of the installed τ²-bench.",
    ),
    click.option(
        "--think-tool", is_flag=True,
        help="Give the agent τ-bench's tool that takes a thought and returns nothing.",
    ),
)  # fmt: skip
NAMES = ("temperature", "reasoning_effort", "max_tokens", "timeout", "ask_as", "think_tool")
"""The names of the options in the code, and in the settings that a session records."""


def request_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add these options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def request_settings(asked: Mapping[str, Any]) -> RequestSettings:
    """The request settings that the command line asks for."""
    from sessions.events import RequestSettings

    return RequestSettings(**{name: asked[name] for name in NAMES})
