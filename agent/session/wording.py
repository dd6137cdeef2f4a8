"""What the agent of a session is told of its job, by what the session was asked for."""

from __future__ import annotations

from dataclasses import replace

from domains.core.domain import Domain
from domains.core.wording import THINK, Wording, own_wording, with_think
from sessions.events import RequestSettings
from sessions.events.memory import RETRIEVE


def equip(domain: Domain, requests: RequestSettings) -> Domain:
    """The domain with the tools that a session's agent has."""
    return with_think(domain) if requests.think_tool else domain


def wording_of(domain: Domain, requests: RequestSettings) -> Wording:
    """How an equipped domain is put to the session's model.

    Takes seconds where τ²-bench is asked for the first time; raises DomainError where it is not
    here.
    """
    if requests.ask_as == "saber":
        return own_wording(domain)
    from domains.tau2.wording import installed_wording

    installed = installed_wording(domain.name, domain.policy)
    more = [tool.schema for tool in domain.tools if tool.name in (THINK, RETRIEVE)]
    return replace(installed, tools=[*installed.tools, *more]) if more else installed
