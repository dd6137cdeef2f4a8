"""What a change does, as values that can be compared with what was said.

A card says in sentences what a change does. To notice that the customer asked for something else,
the same has to be available as values: the amount, the payment method among those on file, the
option among those in the catalogue. The values come from the trial of the call, not from the
conversation. A domain says which values its changes have and, beside each, how people speak of it
(``ways``), so that the comparison needs no knowledge of any domain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Keys = frozenset[str]
"""The ids of alternatives in one choice."""

Ways = Mapping[str, Keys]
"""What people say, in lower case, with the alternatives that it may mean."""

NO_WAYS: Ways = MappingProxyType({})
"""No phrases, for a thing that people have no words for."""


def _no_ways() -> Ways:
    return NO_WAYS


@dataclass(frozen=True, slots=True)
class Choice:
    """One or several known alternatives that a change chooses: a cabin, a card, an option."""

    kind: str
    """What is chosen, in a word or two: ``payment method``."""

    does: str
    """What the change chooses, in words: ``pays with Visa ending 1234``."""

    chosen: Keys
    ways: Ways
    topic: Ways = field(default_factory=_no_ways)
    """What a sentence must also speak of for a value named in it to count; may be empty."""

    before: Keys = frozenset()
    """The alternatives in effect so far; naming one of them only describes the present state."""

    usual: Keys = frozenset()
    """What would be chosen if no one said anything, such as the method that was paid with."""

    whole: bool = False
    """Whether everything asked for must be among the chosen, as with the flights of one trip."""

    things: Literal["taken away", "replaced", ""] = ""
    """What the change does to the chosen things, if they are things; *keep* then refuses it."""

    lookup: Callable[[str], str | None] | None = None
    """Returns the alternative that a lower-case word names, where there are too many to list."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The things that a change covers, where leaving one out or adding one matters.

    For example the items of an order, or the passengers of a reservation.
    """

    kind: str
    chosen: Keys
    ways: Ways
    names: Mapping[str, str]
    """What a card calls each thing, by id."""

    is_final: bool = False
    """Whether what is left out cannot be added later."""

    alike: tuple[Keys, ...] = ()
    """Groups of things of one kind; naming one of a group leaves the others out."""

    refusable: bool = True
    """Whether a denial is an objection; of a passenger replaced, *instead of Ivan* is none."""

    takes_away: bool = False
    """Whether the things are given up, so that *keep* is an objection."""

    also_in_other_records: Keys = frozenset()
    """Things of which the customer has another one in a different record."""


@dataclass(frozen=True, slots=True)
class Money:
    """What a change costs or refunds, in dollars."""

    due: float
    """The amount to be paid; negative for a refund."""

    does: str
    people: int = 1
    """How many people a price per person is multiplied by."""

    parts: frozenset[float] = frozenset()
    """Other amounts that the trial confirms: each price, the totals before and after."""

    payments: tuple[float, ...] = ()
    """What each payment method pays, if there are several."""

    is_difference: bool = False
    """Whether the amount is the difference from what was paid before."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many of something there are after the change."""

    does: str
    total: int
    before: int
    words: frozenset[str]
    """What the things are called, in the singular: ``bag``, ``suitcase``."""

    people: int = 1
    """How many people a number per person is multiplied by."""

    is_added: bool = False
    """Whether the change adds to what was there, so that *one more* is a number."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One flight of a trip, with its date in ISO format and its times as ``HH:MM``."""

    name: str
    date: str
    departs: str
    arrives: str
    is_new: bool = True
    """Whether it was not part of the trip before."""


@dataclass(frozen=True, slots=True)
class Source:
    """A value that must come from somewhere: the customer's words, or what was read."""

    kind: str
    value: str
    does: str
    on_file: str = ""
    """What the records have for the same thing, if anything."""

    is_date: bool = False


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a cheaper alternative must have as well."""

    keys: Keys = frozenset()
    """The alternatives of the change's choices that the customer asked for."""

    direct: bool = False
    earliest: str = ""
    """The earliest departure, ``HH:MM``; empty if it does not matter."""

    latest: str = ""


@dataclass(frozen=True, slots=True)
class Cheaper:
    """Something else that would cost less."""

    words: str
    names: tuple[str, ...]
    """The names by which to tell whether the agent has mentioned it: all in one message."""


ACTS = frozenset({"cancel", "return", "exchange", "book", "send back"})
"""What can be done to a record, in words that tell one act from another."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What one call would do, as values."""

    verbs: frozenset[str]
    """How people ask for the change, in the infinitive: ``cancel``, ``call off``."""

    acts: frozenset[str] = frozenset()
    """The verbs that mean this act and no other; *don't* before one of them forbids it."""

    other_acts: frozenset[str] = ACTS
    """The acts of the domain, perhaps including this one; with flights, *return* is not an act."""

    about: Ways = field(default_factory=_no_ways)
    """What people call the record that is changed: its id, its route, its items."""

    others: Ways = field(default_factory=_no_ways)
    """What people call the customer's other records of that kind, where that sets them apart."""

    choices: tuple[Choice, ...] = ()
    selections: tuple[Selection, ...] = ()
    money: Money | None = None
    counts: tuple[Count, ...] = ()
    legs: tuple[Leg, ...] = ()
    dates_before: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    cheaper: Callable[[Requirements], Cheaper | None] | None = None
    """Finds something else that has what is wanted and would cost less."""

    record: Choice | None = None
    """Which of the customer's records of that kind is changed."""
