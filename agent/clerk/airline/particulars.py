"""The particulars of what an airline customer wants: people, trips, flights, payments.

What was not spoken of is empty: ``None``, ``""``, ``[]`` or False.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Person:
    """Somebody who flies, as far as told."""

    first: str = ""
    """A single name stands here unless it was said to be the last one."""

    last: str = ""
    dob: str = ""
    relation: str = ""
    """``self`` for the customer, else ``husband``, ``daughter``, … or ``saved`` for "as in my
    profile"; empty where only a name was given."""


@dataclass
class Rename:
    """A passenger who is to be written, or replaced, otherwise; ``new`` holds what changes."""

    old: Person
    new: Person


@dataclass
class Pay:
    """A payment method that was spoken of; every part that is given must fit."""

    kind: str = ""
    """``certificate``, ``gift_card``, ``credit_card`` or ``original``."""

    brand: str = ""
    """``visa``, ``mastercard``, ``amex``; the kind is ``credit_card`` then."""

    id: str = ""
    digits: str = ""
    """The last digits of the card, or of the id."""

    worth: int | None = None
    """The balance it was told by: "the 200 dollar certificate"."""

    pick: str = ""
    """``smallest`` or ``largest`` balance, ``all`` ("both certificates"), ``one`` ("one of")."""

    up_to: int | None = None
    """Dollars that this method may be charged at the most."""


@dataclass
class Trip:
    """How an existing reservation, or several, was pointed at; every part given must fit."""

    ids: list[str] = field(default_factory=list)
    origin: list[str] = field(default_factory=list)
    """Of the reservation, or of one of its flights; so is the destination."""

    destination: list[str] = field(default_factory=list)
    place: list[str] = field(default_factory=list)
    """Airports of which one is touched, whichever way: "my Chicago trip", "half a day in Texas"."""

    dates: list[str] = field(default_factory=list)
    """Days on which one of its flights is."""

    numbers: list[str] = field(default_factory=list)
    """Flight numbers that are in it: ``HAT045``."""

    which: str = ""
    """``last`` (most recently booked), ``next`` (soonest to leave), ``all``, ``other``, ``same``
    ("it", "that trip"), ``both``, ``any`` or ``only``."""

    upcoming: bool = False
    past: bool = False
    same_day: bool = False
    """Those of which several are on one and the same day."""

    cabin: str = ""
    """The cabin they have now."""

    passengers: int | None = None
    """How many passengers they have now."""

    stops: int | None = None
    """0 or 1, as they are now."""

    longer_than: float | None = None
    """Hours that one of the flights lasts more than."""

    shorter_than: float | None = None
    """Hours, layovers included, that it lasts at most."""

    flight_type: str = ""
    """``one_way`` or ``round_trip``, as they are now."""

    insured: bool | None = None
    """Whether the customer says it has insurance."""

    @property
    def empty(self) -> bool:
        """Whether nothing points at any reservation."""
        return self == Trip()

    @property
    def several(self) -> bool:
        """Whether more than one reservation may be meant."""
        filters = (self.longer_than, self.shorter_than)
        return (
            self.which in {"all", "both"}
            or self.same_day
            or len(self.ids) > 1
            or any(each is not None for each in filters)
        )


@dataclass
class Leg:
    """What is wanted of the way out, or of the way back."""

    date: str = ""
    dates: list[str] = field(default_factory=list)
    """Further days that would do, where several were named."""

    shift: int | None = None
    """Days later (negative: earlier) than the flight that is booked."""

    keep: bool = False
    """It stays as it is."""

    wanted: bool = False
    """This way was spoken of: "change my return flight"."""

    after: str = ""
    """Leaves no earlier than this time."""

    before: str = ""
    """Leaves no later than this time."""

    around: str = ""
    """Leaves as close as possible to this time; ``same`` for the time it leaves now."""

    arrive_after: str = ""
    arrive_before: str = ""
    arrive_same_day: bool = False
    relative: str = ""
    """``later`` or ``earlier`` than the flight that is booked."""

    rank: str = ""
    """``cheapest``, ``dearest``, ``fastest``, ``earliest``, ``latest`` or ``any``."""

    nth: int = 1
    """With ``rank``: 2 for "the second cheapest"."""

    stops: list[int] = field(default_factory=list)
    """Stops that are welcome, the best first: [0] direct only, [0, 1] direct if there is one."""

    numbers: list[str] = field(default_factory=list)
    """Flight numbers that are wanted."""

    @property
    def empty(self) -> bool:
        """Whether nothing was said of it."""
        return self == Leg()


@dataclass
class Limit:
    """What it may cost at the most: "only if it's under $200"."""

    amount: int
    of: str = "total"
    """``total``, ``each`` (for each passenger) or a payment: ``mastercard``, ``credit_card``."""

    over: bool = False
    """Turned round: only if it is *more* than the amount."""
