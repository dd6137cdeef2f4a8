"""The look-up with which an agent reads its memory of the policy, if it has one.

It neither reads nor changes records: what it returns is advice to the agent. Whether a change is
made is still decided on its card (law 2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated

from domains.core.domain import Domain
from domains.core.draft import Draft
from domains.core.tool import Tool, ToolError, generic

Retrieve = Callable[[Sequence[str]], str]
"""Returns the entries of these capabilities, or an overview if none is named.

May raise ToolError.
"""


def with_retrieval(domain: Domain, retrieve: Retrieve) -> Domain:
    """The same domain with ``retrieve_policy`` added to the agent's tools."""
    return replace(domain, tools=domain.tools.with_tool(_tool(retrieve)))


def retrieves_nothing(_: Sequence[str]) -> str:
    """Raise ToolError; for uses in which only the tool's declaration matters, without a memory."""
    raise ToolError("The agent's memory is not available here.")


def _tool(retrieve: Retrieve) -> Tool:
    @generic
    def retrieve_policy(
        draft: Draft,
        capabilities: Annotated[
            list[str] | None,
            "Capability ids to read whole; leave it out to see which there are.",
        ] = None,
    ) -> str:
        """Read how the policy is to be understood, as learned from earlier conversations.

        Call it before you help with a new request, and again when the customer wants something
        else: first without arguments, then with the ids that bear on the request. It is advice on
        the policy; every change still needs the customer's confirmation.
        """
        wanted = [] if capabilities is None else capabilities
        if not isinstance(wanted, list) or not all(isinstance(each, str) for each in wanted):
            raise ToolError("capabilities must be a list of ids.")
        return retrieve(wanted)

    return retrieve_policy
