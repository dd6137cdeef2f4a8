"""``--control`` and ``--router``: which of the two papers' methods guard the agent.

The card is switched on or off separately.
"""

from __future__ import annotations

import click

from agent.control.experiment_arms import ARMS, DEFAULT_ARM

CONTROL = click.option(
    "--control",
    type=click.Choice(list(ARMS)),
    default=DEFAULT_ARM,
    show_default=True,
    help="saber: a reminder before each change, and only the blocks that matter are sent; routed: "
    "changes are checked against what was said and the records, once requests depend on each "
    "other; none: neither.",
)
ROUTER = click.option(
    "--router",
    type=click.Choice(["model", "rules"]),
    default="model",
    show_default=True,
    help="Who decides whether requests depend on each other: the agent's own model, or rules; for "
    "the clerk, always rules.",
)
