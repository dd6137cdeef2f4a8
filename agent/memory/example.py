"""A past conversation as an example (Synapse, as adapted in PolicyBank, section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from agent.control.model_router import talk_as_text
from sessions.events import Logged

LONGEST = 6_000
"""The maximum length of one example in characters: a model is handed two."""


def as_example(log: Sequence[Logged]) -> str:
    """The words, look-ups and changes, one line each; only the last part if it is long."""
    return f"A conversation that came out right:\n{talk_as_text(log, LONGEST)}"
