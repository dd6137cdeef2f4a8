"""What a domain says of its requests, for telling the routine ones from those that hang together.

(Difficulty-routed control, section 3.1.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Literal


@dataclass(frozen=True, slots=True)
class Request:
    """One kind of change, and how people ask for it."""

    verbs: frozenset[str]
    """In the infinitive: ``cancel``, ``send back``."""

    things: frozenset[str] = frozenset()
    """Words of which one has to stand beside the verb; none where the verb says it all."""

    tools: tuple[str, ...] = ()
    """The tools by which it is made; none where a domain does not say."""

    passing: frozenset[str] = frozenset()
    """Of the verbs, those that tell of a thing in passing: *I'll pay with my Visa*. Of a kind that
    has any, what is named behind *on*, *with* or *to* alone is no second change beside another."""


@dataclass(frozen=True, slots=True)
class Routing:
    """How a domain's sessions are routed."""

    prompt: str
    """What a model is told that is asked: in which cases which of the two words."""

    default: Literal["simple", "complex"] = "complex"
    """The label where there is no usable answer; of a domain that does not say, the stricter."""

    requests: Mapping[str, Request] = field(default_factory=dict)
    """The kinds of change by what they are called, for a router without a model."""

    records: str = ""
    """The collection whose ids customers name; empty where a domain does not say."""


def read_prompt(package: str) -> str:
    """The routing prompt that lies in a package, as text."""
    return (files(package) / "routing.md").read_text(encoding="utf-8").strip()


@cache
def general() -> Routing:
    """For a domain that brings none of its own."""
    return Routing(read_prompt("domains.core"))
