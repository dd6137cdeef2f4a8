"""What a domain tells the router, to separate simple sessions from complex ones.

(Difficulty-routed control, section 3.1.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Literal


@dataclass(frozen=True, slots=True)
class ChangeKind:
    """One kind of change, and how people ask for it."""

    verbs: frozenset[str]
    """Verbs in the infinitive: ``cancel``, ``send back``."""

    things: frozenset[str] = frozenset()
    """Words of which one must be in the verb's sentence; empty if the verb says it all."""

    tools: tuple[str, ...] = ()
    """The tools that make the change; empty if the domain does not say."""

    passing_verbs: frozenset[str] = frozenset()
    """The verbs that may only mention a thing in passing: *I'll pay with my Visa*.

    In a kind that has any, a thing named only after *on*, *with* or *to* is no second change beside
    another.
    """


@dataclass(frozen=True, slots=True)
class Routing:
    """How a domain's sessions are routed."""

    prompt: str
    """The prompt for the model router: in which cases to answer which of the two words."""

    default: Literal["simple", "complex"] = "complex"
    """The label if there is no usable answer; a domain that does not say gets the stricter one."""

    requests: Mapping[str, ChangeKind] = field(default_factory=dict)
    """The kinds of change by name, for a router without a model."""

    records: str = ""
    """The collection whose ids customers name; empty if the domain does not say."""


def read_prompt(package: str) -> str:
    """The text of the routing prompt in a package."""
    return (files(package) / "routing.md").read_text(encoding="utf-8").strip()


@cache
def default_routing() -> Routing:
    """The routing of a domain that declares none of its own."""
    return Routing(read_prompt("domains.core"))
