"""The arms of an ablation: each safeguard alone, both, none; and the context filter on and off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from agent.headless.plan import Arm
from sessions.events import Safeguards

Filtering = Literal["on", "off", "both"]

SETTINGS: dict[str, tuple[bool, bool]] = {
    "none": (False, False),
    "reflection": (False, True),
    "verification": (True, False),
    "both": (True, True),
}
"""Name of the setting, and whether the gate and the reminder before a change are on."""


def arms(base: Safeguards, filtering: Filtering = "both") -> tuple[Arm, ...]:
    """The safeguards to compare; what they have in common is `base`'s."""
    return tuple(_arms(base, [True, False] if filtering == "both" else [filtering == "on"]))


def _arms(base: Safeguards, contexts: Sequence[bool]) -> Iterator[Arm]:
    for context in contexts:
        for name, (gate, reflection) in SETTINGS.items():
            changed = {"gate": gate, "reflection": reflection, "context": context}
            suffix = "context" if context else "no context"
            yield Arm(base.model_copy(update=changed), f"{name}, {suffix}")
