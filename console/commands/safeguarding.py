"""Options of ``play``, ``run``, ``ablate`` and ``stream`` on how the safeguards work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from console.commands.numbers import Whole
from console.commands.options import ATTENTION_CHECKS

_OPTIONS = (
    click.option(
        "--after-feedback", type=click.Choice(["confirm", "execute"]), default="confirm",
        show_default=True,
        help="Whether the change that follows the customer's words on a card is shown again or "
        "carried out.",
    ),
    click.option(
        "--reflection-as", type=click.Choice(["auto", "thinking", "scratchpad", "message"]),
        default="auto", show_default=True,
        help="How the reminder before a change reaches the agent: in its reasoning, in a ReAct "
        "scratchpad, in a message; auto: the first of these that the model takes.",
    ),
    click.option(
        "--reflection-from", type=click.Choice(["policy", "policy+records"]),
        default="policy+records", show_default=True,
        help="What the reminder is made of: the policy alone, as in the paper, or also what is "
        "checked in the records.",
    ),
    click.option(
        "--blocks", type=Whole(0), default=16, show_default=True,
        help="How many of the most similar blocks of the conversation are sent each turn.",
    ),
    click.option(
        "--blocks-as", type=click.Choice(["verbatim", "summaries"]), default="verbatim",
        show_default=True, help="How blocks that are not pinned are sent.",
    ),
    click.option(
        "--blocks-by", type=click.Choice(["text", "summary"]), default="text", show_default=True,
        help="What of a block is compared with the customer's words: its text or its summary.",
    ),
    click.option(
        "--judge-declared", is_flag=True,
        help="Have the second model also judge tools that say whether they change anything, only "
        "to be counted; what they say holds.",
    ),
    ATTENTION_CHECKS,
)  # fmt: skip
NAMES = (
    "after_feedback", "reflection_as", "reflection_from", "blocks", "blocks_as", "blocks_by",
    "judge_declared", "attention_checks",
)  # fmt: skip
"""The names of the options in the code, and in the safeguards that a session records."""


def safeguard_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add these options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def safeguard_settings(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the safeguards that the command line asks for."""
    return {name: asked[name] for name in NAMES}
