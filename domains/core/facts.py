"""What a change does, as values that can be held against what was said (the trial, not the talk).

A card tells in sentences what a change does. To notice that somebody asked for something else, the
same has to be there as values: the amount, the payment method among those on file, the option
among those in the catalogue. A domain says which values its changes have; how people speak of them
(``ways``) lies beside each, so that whoever compares knows no domain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Keys = frozenset[str]
"""Alternatives of one choice, by their ids."""

Ways = Mapping[str, Keys]
"""What people say, in lower case, and the alternatives that it may mean."""

NO_WAYS: Ways = MappingProxyType({})
"""Where nothing is said of a thing."""


def _no_ways() -> Ways:
    return NO_WAYS


@dataclass(frozen=True, slots=True)
class Choice:
    """One or several of known alternatives that a change settles on: a cabin, a card, an option."""

    kind: str
    """What is chosen, in a word or two: ``payment method``."""

    does: str
    """What the change settles on, in words: ``pays with Visa ending 1234``."""

    chosen: Keys
    ways: Ways
    topic: Ways = field(default_factory=_no_ways)
    """What has to be spoken of where a value is named; empty where the value says it all."""

    before: Keys = frozenset()
    """The alternatives that hold until now; to name one of them describes what there is."""

    usual: Keys = frozenset()
    """What it would be where nobody says anything: the method that was paid with."""

    whole: bool = False
    """Whether all that were asked for must be among the chosen, as flights of one trip are."""

    things: Literal["taken away", "replaced", ""] = ""
    """What the change does with what is chosen, where that is things; then *keep* refuses."""

    lookup: Callable[[str], str | None] | None = None
    """Knows one word, in lower case, to be an alternative, where there are too many to list."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of several things a change is about, where leaving one out or taking one more counts:
    items of an order, passengers of a reservation.
    """

    kind: str
    chosen: Keys
    ways: Ways
    names: Mapping[str, str]
    """Each thing as a card calls it."""

    once: bool = False
    """Whether there is no second chance for what is left out."""

    alike: tuple[Keys, ...] = ()
    """Things of one kind, of which naming the one leaves the other out."""

    refusable: bool = True
    """Whether a denial speaks against it: of who is replaced, *instead of Ivan* does not."""

    takes_away: bool = False
    """Whether they are given up, so that *keep* speaks against it."""

    elsewhere: Keys = frozenset()
    """Things of which the customer has another like it in another record."""


@dataclass(frozen=True, slots=True)
class Money:
    """What a change costs or brings, in dollars."""

    due: float
    """To be paid; negative where it comes back."""

    does: str
    people: int = 1
    """How many a price for one counts for."""

    parts: frozenset[float] = frozenset()
    """Other amounts that the trial bears out: each price, old and new totals."""

    payments: tuple[float, ...] = ()
    """What each payment method pays, where it is more than one."""

    is_difference: bool = False
    """Whether it is what comes on top of what was paid before."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many of something there are afterwards."""

    does: str
    total: int
    before: int
    words: frozenset[str]
    """What they are called, in the singular: ``bag``, ``suitcase``."""

    people: int = 1
    """How many a number for each counts for."""

    tops_up: bool = False
    """Whether it adds to what there was, so that *one more* says how many."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A departure and an arrival of a trip, as ISO date and ``HH:MM``."""

    name: str
    date: str
    departs: str
    arrives: str
    is_new: bool = True
    """Whether it was not part of the trip before."""


@dataclass(frozen=True, slots=True)
class Source:
    """A value that has to come from somewhere: the customer's words, or what was read."""

    kind: str
    value: str
    does: str
    on_file: str = ""
    """What the records have for the same thing, where they have something."""

    is_date: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What something cheaper would have to have as well."""

    keys: Keys = frozenset()
    """Alternatives of the change's choices that were asked for."""

    direct: bool = False
    earliest: str = ""
    """``HH:MM``; empty where it does not matter."""

    latest: str = ""


@dataclass(frozen=True, slots=True)
class Cheaper:
    """Something that would cost less."""

    words: str
    names: tuple[str, ...]
    """By which it is told whether the agent had told of it."""


ACTS = frozenset({"cancel", "return", "exchange", "book", "send back"})
"""What can be done to a record, in words that tell one act from another."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What one call would do, as values."""

    verbs: frozenset[str]
    """How people ask for this, in the infinitive: ``cancel``, ``call off``."""

    acts: frozenset[str] = frozenset()
    """Those of the verbs that mean this act and no other: *don't* before them forbids it."""

    other_acts: frozenset[str] = ACTS
    """The acts that the domain has, this one perhaps among them: in a flight, *return* is none."""

    about: Ways = field(default_factory=_no_ways)
    """How the record that is changed is spoken of: its id, its route, its items."""

    others: Ways = field(default_factory=_no_ways)
    """How the customer's other records of that kind are spoken of, where that tells them apart."""

    choices: tuple[Choice, ...] = ()
    selections: tuple[Selection, ...] = ()
    money: Money | None = None
    counts: tuple[Count, ...] = ()
    legs: tuple[Leg, ...] = ()
    dates_before: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    cheaper: Callable[[Wanted], Cheaper | None] | None = None
    """Looks for something else that has what is wanted and would cost less."""

    record: Choice | None = None
    """Which of the customer's records of that kind it is."""
