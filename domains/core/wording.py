"""What an agent is told about its job: a system prompt, a greeting, and its tools in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from domains.core.canonical import digest
from domains.core.draft import Draft
from domains.core.tool import generic

if TYPE_CHECKING:
    from domains.core.domain import Domain

THINK = "think"


@dataclass(frozen=True, slots=True)
class Wording:
    """How a domain is presented to a model; the tools are the same, however they are described."""

    prompt: str
    greeting: str
    tools: list[dict[str, Any]]
    """The tools' schemas in OpenAI's function-calling format, which models are given."""

    @property
    def digest(self) -> str:
        """Digest of the whole wording."""
        return digest([self.prompt, self.greeting, self.tools])


def own_wording(domain: Domain) -> Wording:
    """A domain in its own words: its policy, and its tools by their docstrings."""
    return Wording(domain.policy, domain.greeting, domain.tools.schemas)


@cache
def _think() -> Any:
    @generic
    def think(draft: Draft, thought: Annotated[str, "What you are thinking."]) -> str:
        """Write a thought down before you go on, where a step needs care.

        Nobody reads it, nothing is looked up and nothing is changed.
        """
        return ""

    return think


def with_think(domain: Domain) -> Domain:
    """The domain with τ-bench's ``think`` tool added to its own (τ-bench, agent methods)."""
    if THINK in domain.tools:
        return domain
    return replace(domain, tools=domain.tools.with_tool(_think()))
