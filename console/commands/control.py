"""``--control`` and ``--router``: which of the two papers' ways an agent is guarded in.

The card is a switch of its own in each of them.
"""

from __future__ import annotations

from typing import Any

import click

ARMS: dict[str, dict[str, Any]] = {
    "none": {"reflection": False, "context": False, "control": "baseline"},
    "saber": {"reflection": True, "context": True, "control": "baseline"},
    "routed": {"reflection": False, "context": False, "control": "routed"},
    "routed+saber": {"reflection": True, "context": True, "control": "routed"},
}
"""Name of the arm, and the safeguards that it sets."""

CONTROL = click.option(
    "--control",
    type=click.Choice(list(ARMS)),
    default="saber",
    show_default=True,
    help="saber: a reminder before each change, and only the blocks that matter are sent; routed: "
    "changes are verified once what is asked for hangs together; none: neither.",
)
ROUTER = click.option(
    "--router",
    type=click.Choice(["model", "rules"]),
    default="model",
    show_default=True,
    help="Who tells whether it does: the agent's own model, or rules. Of the clerk, always rules.",
)
