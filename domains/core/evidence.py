"""Evidence guards: what a write assumes, compared with what its session has seen.

A guard reads the call, the records and what was looked up or said, and reports what does not fit,
with the record's value. It is declared beside a tool, as checks are, so that every domain can have
its own. A check appears on the card; a guard sends the call back before there is one.
(Difficulty-routed control, section 3.2.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from domains.core.draft import Draft

NOT_SEEN = "does not appear in anything that was looked up or said."
"""The end of the objection to an id that the session has not seen."""


class Seen(Protocol):
    """What the session has seen so far."""

    @property
    def customers(self) -> frozenset[str]:
        """The ids of the customers whom look-ups identified."""
        ...

    def has(self, value: str) -> bool:
        """Whether a value occurs in what was looked up, or in the customer's words."""
        ...


@dataclass(frozen=True, slots=True)
class EvidenceGuard:
    """One thing that a write assumes: a short name, and a function that verifies it."""

    name: str
    objections: Callable[[Draft, Mapping[str, Any], Seen], Iterator[str]]
    """Yields a sentence for the agent on each thing that does not fit, with the record's value.

    It may raise for arguments that cannot be looked up; the guard then has no objection.
    """


def _in_no_other_way(draft: Draft, given: Mapping[str, Any], id: str) -> str | None:
    return None


def must_be_seen(
    name: str,
    *arguments: str,
    spoken: Callable[[Draft, Mapping[str, Any], str], str | None] = _in_no_other_way,
) -> EvidenceGuard:
    """A guard: each id in these arguments, or in the lists that they hold, was looked up or named.

    ``spoken`` returns what people call the thing with that id, if they have another name for it.
    """

    def look(draft: Draft, given: Mapping[str, Any], seen: Seen) -> Iterator[str]:
        for argument in arguments:
            listed = given[argument] if isinstance(given[argument], list) else [given[argument]]
            for each in listed:
                words = spoken(draft, given, str(each))
                if not seen.has(str(each)) and not (words and seen.has(words)):
                    yield f"{argument} {each} {NOT_SEEN}"

    return EvidenceGuard(name, look)


def must_be_customers_own(owner: Callable[[Draft, Mapping[str, Any]], str | None]) -> EvidenceGuard:
    """A guard: what is changed belongs to a customer whom a look-up identified, if one did."""

    def look(draft: Draft, given: Mapping[str, Any], seen: Seen) -> Iterator[str]:
        whose = owner(draft, given)
        if whose is not None and seen.customers and whose not in seen.customers:
            identified = ", ".join(sorted(seen.customers))
            yield f"It belongs to {whose}, but the customer was identified as {identified}."

    return EvidenceGuard("It belongs to the customer", look)
