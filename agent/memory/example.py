"""A past conversation as an example (Synapse, as PolicyBank, section 5, adapts it)."""

from __future__ import annotations

from collections.abc import Sequence

from agent.control.model_router import talk_as_text
from sessions.events import Logged

LONGEST = 6_000
"""Characters of one example: a model is handed two."""


def as_example(log: Sequence[Logged]) -> str:
    """What was said, looked up and changed, a line each; its end where it is long."""
    return f"A conversation that came out right:\n{talk_as_text(log, LONGEST)}"
