"""A gap of a policy: a clause that says something else than what is right, and the words that do.

(PolicyBank, section 3.) The scenarios that stand in one are told by its id: a parent, in which it
was found, and three sisters of each parent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

GapKind = Literal["false dependency", "missing exception", "ambiguous scope"]
"""What is wrong with the clause (PolicyBank, section 3)."""

Variant = Literal["", "simplified", "different", "complex"]
"""How a sister differs from its parent (PolicyBank, appendix A.4); empty for any other scenario."""


@dataclass(frozen=True, slots=True)
class PolicyGap:
    """A clause of a policy that stands in the way of what is right."""

    id: str
    domain: str
    kind: GapKind
    tool: str
    """The change that it is about."""

    check: str
    """The name of the card's policy check that it fails; empty where the card leaves it to one."""

    policy: str
    """The clause, word for word."""

    problem: str
    """What the clause gets wrong, in a sentence."""

    clarification: str
    """What is right, as somebody who answers for the policy would say it."""

    parents: tuple[str, ...]
    """The ids of the scenarios in which it was found."""
