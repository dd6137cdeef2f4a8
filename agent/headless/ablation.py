"""The arms of an ablation: each safeguard alone, both, none; with and without context filter.

If no conversation grows long enough for the filter to leave anything out, sessions without it would
repeat the same ones, so they are not played.
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
"""The name of each setting, and whether it turns on the gate and the reminder before a change."""


def arms(base: Safeguards, filtering: Filtering = "both") -> tuple[Arm, ...]:
    """The safeguards to compare; everything else is taken from `base`."""
    return tuple(_arms(base, [True, False] if filtering == "both" else [filtering == "on"]))


def leave_filtered_arms(plan: Plan) -> Plan:
    """The part of an ablation that has the context filter on, under the ablation's own name."""
    arms = tuple(arm for arm in plan.arms if arm.safeguards.context)
    return replace(plan, arms=arms, given_name=plan.name)


def compares_filter(plan: Plan) -> bool:
    """Whether the plan's arms differ in the context filter."""
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
    """The arms that compare ways of control, with the card, without it, or both.

    `controls` maps the name of each way to the safeguards that it sets.
    """
    gates = [True, False] if cards == "both" else [cards == "on"]
    return tuple(
        Arm(
            base.model_copy(update={**sets, "gate": gate}),
            f"{name}, {'card' if gate else 'no card'}",
        )
        for gate in gates
        for name, sets in controls.items()
    )
