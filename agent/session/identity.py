"""Who the customer is: whom look-ups found, and whom the customer's own words name.

The tools of the τ-bench family read and change anybody's records. The policy's first rule, that
the customer says who they are and only their own records are touched, is checked here, and speaks
on every card. For that only the customer's own words count: an id that the agent guessed, or read
in somebody's order, says nothing of who is asking.
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
"""Whose words on a card are the customer's."""

_BEFORE, _AFTER = r"(?<!\w)(?<!\w[.@+-])", r"(?!\w|[.@+-]\w)"
"""Where a word begins and ends: an e-mail address is one, and no id stands in it."""

_WORD = re.compile(rf"{_BEFORE}\w+(?:-\w+)*{_AFTER}")

LONG, LONGER = 4, 8
"""Letters from which one letter of a name may be mistyped, and from which two may."""


class Identity:
    """Hears what happens in a conversation, and remembers who the customer is."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.customer: str | None = None
        """The id of the first customer whom a look-up found, whoever gave the agent what to look
        for; None while there is none."""

        self._named: dict[str, str] = {}
        """Customers whom the customer's own words name, the first one first, with those words."""

        self._said: list[str] = []
        self._words: set[str] = set()
        self._calls: dict[str, Mapping[str, Any]] = {}
        self._unsaid: list[tuple[str, Mapping[str, Any]]] = []
        """Whom look-ups found with what stands in no words of the customer's yet."""

    @classmethod
    def following(cls, domain: Domain, log: Log) -> Identity:
        """Who the customer of a log is, now and as it grows."""
        found = cls(domain)
        for logged in log.events:
            found.hear(logged.event)
        log.subscribe(lambda logged: found.hear(logged.event))
        return found

    def hear(self, event: AnyEvent) -> None:
        """Take the next event in."""
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

    def whom_words_name(self, owner: str) -> tuple[str, str] | None:
        """Whom the customer's own words name first, and those words; None where nobody is."""
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
        """Count the look-ups of whose arguments each stands in the customer's own words."""
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
        """Whether a value was said as it is; a name, which is all letters, may be mistyped."""
        wanted = text.strip().casefold()
        exact = re.compile(f"{_BEFORE}{re.escape(wanted)}{_AFTER}")
        if any(exact.search(said) for said in self._said):
            return True
        parts = re.findall(r"\w+", wanted)
        return (
            all(map(str.isalpha, parts)) and "@" not in wanted and _resembling(parts, self._words)
        )


def _resembling(names: Iterable[str], words: Iterable[str]) -> bool:
    """Whether each name is among the words, but for a slip of a letter or, in a long one, two."""
    from rapidfuzz.distance import OSA

    return all(
        any(OSA.distance(name, word, score_cutoff=slips) <= slips for word in words)
        for name in names
        for slips in [(len(name) >= LONG) + (len(name) >= LONGER)]
    )


def whose_records(identity: Identity, records: Records, call: ToolCall) -> Precondition | None:
    """Whether a write touches the records of whom the customer says to be.

    None where nobody owns what it touches.
    """
    owner = identity.domain.owner_of(records, call.arguments)
    if owner is None:
        return None
    customer, words = identity.whom_words_name(owner) or ("", "")
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
