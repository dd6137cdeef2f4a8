"""Who the customer is, as this conversation's own look-ups found out; nothing else counts.

The tools of the τ-bench family read and change anybody's records. The policy's first rule, that
the customer is identified and only their own records are touched, is checked here, and speaks on
every card.
"""

from __future__ import annotations

from domains.domain import Domain
from domains.records import Records
from domains.tool import ToolCall
from sessions.events import Logged, Precondition, ToolReturned
from sessions.log import Log

NAME = "You were identified, and these records are yours"


class Identity:
    """Follows a log and remembers the first customer that one of its look-ups identified."""

    def __init__(self, log: Log | None = None) -> None:
        """Follows the log of its own accord; without one it hears what it is handed."""
        self.customer: str | None = None
        """The customer's id, or None while nobody was identified."""

        for logged in log.events if log else ():
            self.hear(logged)
        if log:
            log.subscribe(self.hear)

    def hear(self, logged: Logged) -> None:
        """Take the next event in."""
        if self.customer is None and isinstance(logged.event, ToolReturned):
            self.customer = logged.event.customer


def whose_records(
    domain: Domain, records: Records, call: ToolCall, customer: str | None
) -> Precondition | None:
    """Whether a write touches the identified customer's records; None where nobody owns them."""
    owner = domain.owner_of(records, call.arguments)
    if owner is None:
        return None
    if customer is None:
        value = "nobody was identified yet"
    elif customer != owner:
        value = f"identified as {customer}, but these belong to {owner}"
    else:
        value = f"identified as {customer}"
    return Precondition(
        name=NAME,
        source="policy",
        verdict="holds" if customer == owner else "fails",
        value=value,
    )
