"""What a session's agent is told about its job, depending on the session's request settings."""

from __future__ import annotations

from dataclasses import replace

from domains.core.domain import Domain
from domains.core.wording import THINK, Wording, own_wording, with_think
from sessions.events import RequestSettings
from sessions.events.memory import RETRIEVE


def equip(domain: Domain, requests: RequestSettings) -> Domain:
    """The domain, with the tools that a session's agent has."""
    return with_think(domain) if requests.think_tool else domain


def wording_of(domain: Domain, requests: RequestSettings) -> Wording:
    """The wording in which an equipped domain is presented to the session's model.

    Takes seconds when τ²-bench is used for the first time; raises DomainError if it is not
    installed.
    """
    if requests.ask_as == "saber":
        return own_wording(domain)
    from domains.tau2.wording import installed_wording

    installed = installed_wording(domain.name, domain.policy)
    more = [tool.schema for tool in domain.tools if tool.name in (THINK, RETRIEVE)]
    return replace(installed, tools=[*installed.tools, *more]) if more else installed
