"""A policy gap: a clause that says something other than what is right (PolicyBank, section 3).

Scenarios name the gap that they are about by its id: the parents in which it was found, and three
sisters of each parent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

GapKind = Literal["false dependency", "missing exception", "ambiguous scope"]
"""The kinds of fault in a clause (PolicyBank, section 3)."""

Variant = Literal["", "simplified", "different", "complex"]
"""How a sister differs from its parent (PolicyBank, appendix A.4); empty for other scenarios."""


@dataclass(frozen=True, slots=True)
class PolicyGap:
    """A clause of a policy that prevents what is right."""

    id: str
    domain: str
    kind: GapKind
    tool: str
    """The tool of the change that the clause is about."""

    check: str
    """The name of the card's policy check that fails; empty if the card leaves it to the person."""

    policy: str
    """The clause, verbatim."""

    problem: str
    """What is wrong with the clause, in a sentence."""

    clarification: str
    """What is right, as someone responsible for the policy would say it."""

    parents: tuple[str, ...]
    """The ids of the scenarios in which the gap was found."""
