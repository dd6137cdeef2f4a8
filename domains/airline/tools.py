"""The airline's toolset, with the tools in the order in which they are declared to a model."""

from __future__ import annotations

from domains.airline import (
    book,
    cancel,
    change_bags,
    change_flights,
    change_passengers,
    compensate,
    look_ups,
)
from domains.airline.protocol_guards import PROTOCOL
from domains.airline.quirks import Quirks
from domains.core.generic_tools import generic_tools
from domains.core.tool import Toolset


def toolset(quirks: Quirks, now: str) -> Toolset:
    """All fourteen tools, with the given defects; ``now`` is the current time, EST."""
    return Toolset(
        "AirlineTools",
        (
            *generic_tools(),
            *look_ups.tools(quirks),
            book.tool(quirks, now),
            cancel.tool(quirks, now),
            compensate.tool(quirks),
            change_bags.tool(quirks),
            change_flights.tool(quirks),
            change_passengers.tool(quirks),
        ),
        PROTOCOL,
    )
