"""Who the customer is: the customers that look-ups found, and those that their own words name.

The tools of the τ-bench family read and change anybody's records. The policy's first rule is that
customers say who they are and that only their own records are touched; it is checked here and shown
on every card. Only the customer's own words count for that: an id that the agent guessed, or read
in another customer's order, says nothing about who is asking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from domains.core.domain import Domain
from domains.core.records import Records
from domains.core.tool import ToolCall
from domains.text.one_line import value
from domains.text.wording import listing
from sessions.events import (
    AnyEvent,
    CustomerSaid,
    DecisionMade,
    Precondition,
    ToolCalled,
    ToolReturned,
)
from sessions.log import Log

NAME = "You were identified, and these records are yours"

OWN_WORDS = frozenset({"person", "simulated", "script"})
"""The deciders whose words on a card are the customer's."""

_BEFORE, _AFTER = r"(?<!\w)(?<!\w[.@+-])", r"(?!\w|[.@+-]\w)"
"""Word boundaries: an e-mail address is a single word, and no id is recognised inside it."""

_WORD = re.compile(rf"{_BEFORE}\w+(?:-\w+)*{_AFTER}")

LONG, LONGER = 4, 8
"""Letters from which one letter of a name may be mistyped, and from which two may."""


class Identity:
    """Follows the events of a conversation and keeps track of who the customer is."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.customer: str | None = None
        """The id of the first customer that a look-up found, whoever supplied the search terms;
        None until then."""

        self._named: dict[str, str] = {}
        """Customers that the customer's own words name, the first one first, with those words."""

        self._said: list[str] = []
        self._words: set[str] = set()
        self._calls: dict[str, Mapping[str, Any]] = {}
        self._unsaid: list[tuple[str, Mapping[str, Any]]] = []
        """Customers found by look-ups whose arguments the customer has not said yet, with those
        arguments."""

    @classmethod
    def following(cls, domain: Domain, log: Log) -> Identity:
        """The identity of a log's customer; it is kept up to date as the log grows."""
        found = cls(domain)
        for logged in log.events:
            found.add_event(logged.event)
        log.subscribe(lambda logged: found.add_event(logged.event))
        return found

    def add_event(self, event: AnyEvent) -> None:
        """Process the next event."""
        match event:
            case CustomerSaid(text=text):
                self._listen(text)
            case DecisionMade(words=text, by=by) if text and by in OWN_WORDS:
                self._listen(text)
            case ToolCalled(name=name) if name in self.domain.identifies:
                self._calls[event.call_id] = event.arguments
            case ToolReturned(customer=str(customer)):
                self.customer = self.customer or customer
                self._unsaid.append((customer, self._calls.get(event.call_id, {})))
                self._compare()
            case _:
                pass

    def customer_named(self, owner: str) -> tuple[str, str] | None:
        """Whom the customer's own words name first, and those words; None if they name no one.

        If no customer is named, `owner` counts as named as soon as its id has been said.
        """
        first = next(iter(self._named.items()), None)
        if first is None and owner.casefold() in self._words:
            return owner, value(owner)
        return first

    def _listen(self, text: str) -> None:
        self._said.append(text.casefold())
        for word in _WORD.findall(self._said[-1]):
            self._words.add(word)
            customer = self.domain.customer_ids.get(word)
            if customer is not None:
                self._named.setdefault(customer, value(customer))
        if self._unsaid:
            self._compare()

    def _compare(self) -> None:
        """Accept the look-ups whose arguments the customer has now all said in their own words."""
        still = []
        for customer, arguments in self._unsaid:
            values = [str(each) for each in arguments.values() if str(each).strip()]
            if values and all(map(self._has_said, values)):
                self._named.setdefault(
                    customer, f"{listing([value(each) for each in values])}: {value(customer)}"
                )
            else:
                still.append((customer, arguments))
        self._unsaid = still

    def _has_said(self, text: str) -> bool:
        """Whether a value was said verbatim; a name, which is all letters, may be mistyped."""
        wanted = text.strip().casefold()
        exact = re.compile(f"{_BEFORE}{re.escape(wanted)}{_AFTER}")
        if any(exact.search(said) for said in self._said):
            return True
        parts = re.findall(r"\w+", wanted)
        return (
            all(map(str.isalpha, parts)) and "@" not in wanted and _resembling(parts, self._words)
        )


def _resembling(names: Iterable[str], words: Iterable[str]) -> bool:
    """Whether each name is among the words, allowing one wrong letter, or two in a long name."""
    from rapidfuzz.distance import OSA

    return all(
        any(OSA.distance(name, word, score_cutoff=slips) <= slips for word in words)
        for name in names
        for slips in [(len(name) >= LONG) + (len(name) >= LONGER)]
    )


def ownership_check(identity: Identity, records: Records, call: ToolCall) -> Precondition | None:
    """The card's check of whether a write touches only the records of the identified customer.

    None if what it touches has no owner.
    """
    owner = identity.domain.owner_of(records, call.arguments)
    if owner is None:
        return None
    customer, words = identity.customer_named(owner) or ("", "")
    if customer == owner:
        read = f"you gave {words}"
    elif customer:
        read = f"you gave {words}, but these belong to {value(owner)}"
    elif identity.customer:
        read = f"the agent looked up {value(identity.customer)}; you have not said who you are"
    else:
        read = "you have not said who you are"
    return Precondition(
        name=NAME,
        source="policy",
        verdict="holds" if customer == owner else "fails",
        value=read,
    )
