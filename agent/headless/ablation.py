"""The arms of an ablation: each safeguard alone, both, none; and the context filter on and off.

Where no conversation grows long enough for the filter to leave anything out, sessions without it
would be the same ones again: they are not played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from agent.headless.plan import Arm, Plan
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


def leave_filtered_arms(plan: Plan) -> Plan:
    """The part of an ablation in which the context filter is on, under the ablation's own name."""
    arms = tuple(arm for arm in plan.arms if arm.safeguards.context)
    return replace(plan, arms=arms, given_name=plan.name)


def compares_filter(plan: Plan) -> bool:
    """Whether arms differ by the context filter."""
    return len({arm.safeguards.context for arm in plan.arms}) > 1


def _arms(base: Safeguards, contexts: Sequence[bool]) -> Iterator[Arm]:
    for context in contexts:
        for name, (gate, reflection) in SETTINGS.items():
            changed = {"gate": gate, "reflection": reflection, "context": context}
            suffix = "context" if context else "no context"
            yield Arm(base.model_copy(update=changed), f"{name}, {suffix}")


def control_arms(
    base: Safeguards, controls: Mapping[str, Mapping[str, Any]], cards: Filtering = "on"
) -> tuple[Arm, ...]:
    """Ways of control to compare, by name what each sets; with the card, without it, or both."""
    gates = [True, False] if cards == "both" else [cards == "on"]
    return tuple(
        Arm(
            base.model_copy(update={**sets, "gate": gate}),
            f"{name}, {'card' if gate else 'no card'}",
        )
        for gate in gates
        for name, sets in controls.items()
    )
