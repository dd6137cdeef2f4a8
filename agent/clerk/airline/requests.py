"""What an airline customer can want, as the clerk keeps it while it is being settled.

A slot that was not spoken of is empty: ``None``, ``""``, ``[]`` or False. Days are written as the
records write them (``2024-05-20``), times of day as ``HH:MM``, places as lists of IATA codes: a
city may have several airports ("New York"), and a customer may name several cities.
``agent.clerk.airline.understanding.understand(text, today)`` makes a ``Said`` of a message.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from agent.clerk.airline.particulars import Leg, Limit, Pay, Person, Rename, Trip
from agent.clerk.understanding.wishes import Wish
from agent.clerk.wants import Heard

__all__ = [
    "ABOUT_RESERVATIONS",
    "ACTIONS",
    "AFTER_UPGRADE",
    "OF_BOOKING",
    "OUTCOMES",
    "WHETHER",
    "WITH_PAYMENT",
    "Intent",
    "Leg",
    "Limit",
    "Otherwise",
    "Pay",
    "Person",
    "Rename",
    "Request",
    "Said",
    "Trip",
]


class Intent(StrEnum):
    """The kinds of request; the values are the names of the examples."""

    BOOK = "book_flight"
    CANCEL = "cancel_reservation"
    FLIGHTS = "change_flights"
    CABIN = "change_cabin"
    PASSENGERS = "change_passengers"
    BAGS = "add_bags"
    INSURANCE = "insurance"
    COMPENSATION = "compensation"
    COMPLAINT = "complaint"
    """Told of a delay or a cancelled flight; nothing was asked for yet."""

    STATUS = "flight_status"
    """How a flight stands: on time, delayed, how late."""

    RESERVATION = "reservation_info"
    """What a reservation holds; ``asks`` says what of it."""

    RESERVATIONS = "reservations"
    """Which reservations there are."""

    COUNT = "count"
    """How many reservations, flights or passengers there are."""

    PAID = "paid"
    """What reservations have cost."""

    PRICE = "price"
    """What a seat or a change costs now."""

    OUTCOME = "outcome"
    """What the changes asked for come to: refund, charge, saving, what is left of a certificate."""

    SEARCH = "search_flights"
    ALLOWANCE = "allowance"
    """How many bags are free, or may be taken along."""

    PROFILE = "profile"
    METHODS = "methods"
    """Which payment methods there are."""

    BALANCE = "balance"
    """What is on gift cards and certificates; ``payments`` says on which."""

    MEMBERSHIP = "membership"
    SEAT = "seat"
    """Which seat it is; the records hold none."""

    POLICY = "policy_question"
    ADVICE = "advice"
    OTHER_PERSON = "other_person"
    OUT_OF_SCOPE = "other"
    UNDO = "undo"
    TRANSFER = "human"
    HELP = "about_clerk"


ACTIONS = frozenset(
    {
        Intent.BOOK,
        Intent.CANCEL,
        Intent.FLIGHTS,
        Intent.CABIN,
        Intent.PASSENGERS,
        Intent.BAGS,
        Intent.INSURANCE,
        Intent.COMPENSATION,
    }
)
"""Requests that change records, or would if the policy allowed it."""

ABOUT_RESERVATIONS = (ACTIONS - {Intent.BOOK}) | {
    Intent.COMPLAINT,
    Intent.STATUS,
    Intent.RESERVATION,
    Intent.PAID,
    Intent.ALLOWANCE,
}
"""Requests that are about reservations there are already."""

WITH_PAYMENT = frozenset({Intent.BOOK, Intent.FLIGHTS, Intent.CABIN, Intent.BAGS})
"""Requests that need a payment method."""

OUTCOMES = frozenset({Intent.OUTCOME})
"""Questions that are answered after, or together with, the changes they ask about."""


WHETHER = "whether"
"""Among ``asks``: it was only asked what would come of it."""

AFTER_UPGRADE = "after upgrade"
"""Beside that: what would come of it once the reservation is in the cabin asked for."""

OF_BOOKING = "booking"
"""Among ``asks``: a question that is about the booking at hand, not about a reservation."""


@dataclass
class Request:
    """One thing the customer wants; slots are filled over several messages."""

    intent: Intent | None
    text: str = ""
    trip: Trip = field(default_factory=Trip)
    """The reservation that is meant; for a booking, empty."""

    excepted: list[Trip] = field(default_factory=list)
    """Reservations that are not meant: "everything except the Chicago one"."""

    like: Trip | None = None
    """A booking "exactly like" that reservation or flight."""

    flight_type: str = ""
    """``one_way`` or ``round_trip``, as wanted."""

    origin: list[str] = field(default_factory=list)
    """Of a booking or a search; of a change, only where a new origin is wanted."""

    destination: list[str] = field(default_factory=list)
    unknown_places: list[str] = field(default_factory=list)
    """Cities that were named and that the airline does not fly to."""

    out: Leg = field(default_factory=Leg)
    """What is wanted of the flight, or of the way out; of both ways where ``back`` is empty."""

    back: Leg = field(default_factory=Leg)
    cabin: str = ""
    """``basic_economy``, ``economy`` or ``business``, as wanted."""

    cabin_move: str = ""
    """``up`` or ``down`` where no cabin was named: "upgrade me"."""

    people: list[Person] = field(default_factory=list)
    """Who flies, or who a change of passengers is about."""

    count: int | None = None
    """How many fly."""

    renames: list[Rename] = field(default_factory=list)
    adding: list[Person] = field(default_factory=list)
    """Passengers to come along in a reservation that is made already (never allowed)."""

    removing: list[Person] = field(default_factory=list)
    """Passengers to be taken out (never allowed)."""

    bags: int | None = None
    """Checked bags in all."""

    bags_each: int | None = None
    """Checked bags for each passenger."""

    bags_more: int | None = None
    """Checked bags to add; negative to take out."""

    bags_free: bool = False
    """As many as are free."""

    insurance: bool | None = None
    insurance_off: bool = False
    """The insurance of a reservation is to be taken out again."""

    payments: list[Pay] = field(default_factory=list)
    """In the order in which they are to be used, the preferred one first."""

    unwanted_payments: list[Pay] = field(default_factory=list)
    """Methods that are not to be used."""

    payments_only: bool = False
    """No other method is accepted."""

    reason: str = ""
    """``change of plan``, ``airline cancelled``, ``weather``, ``health`` or ``other``."""

    complaint: str = ""
    """``delay`` or ``cancelled``."""

    limit: Limit | None = None
    asks: list[str] = field(default_factory=list)
    """What a question is about: ``cabin``, ``bags``, ``price``, ``insurance``, ``passengers``,
    ``duration``, ``times``, ``dates``, ``flights``, ``type``, ``seats``, ``payment``, ``status``,
    ``total``, ``refund``, ``charge``, ``saving``, ``left``."""

    no_refund_ok: bool = False
    """It is to be cancelled even if nothing comes back."""

    refund_or_nothing: bool = False
    """It is not to be cancelled unless the money comes back."""

    otherwise: list[Otherwise] = field(default_factory=list)
    """What to do where this turns out to be impossible or too dear, the first first."""

    give_up: bool = False
    """The customer said to leave it where it is not possible."""

    closed: bool = False
    outcome: str = ""
    """``done``, ``refused``, ``answered`` or ``dropped``."""

    wait: str = ""
    """Set where a declined proposal must change before it is made again."""

    guesses: list[str] = field(default_factory=list)
    """What it may ask, by the names of the examples, where the customer is to say which."""

    chosen: str = ""
    """Of what no tool can do, whether it goes to a human: ``human`` or ``leave``."""

    made: int = 0
    """In the how manieth message of the customer's it was made."""

    written: list[str] = field(default_factory=list)
    """Reservation ids (or the user id) that this request has already changed."""


@dataclass
class Otherwise:
    """A condition ("if that is not possible, …") and what is to be done then."""

    when: str = "impossible"
    """``impossible``, ``over`` or ``under`` (the amount), ``basic_economy`` (where it is basic
    economy), ``uninsured``, ``no_refund`` or ``unclear``."""

    amount: int | None = None
    condition: str = ""
    """The words of the condition."""

    then: str = ""
    """The words of what is to be done."""

    requests: list[Request] = field(default_factory=list)
    """What to do in its place; empty where the request stays and only ``details`` differ."""

    details: Request = field(default_factory=lambda: Request(None))
    """Slots that take the place of the request's own: another cabin, fewer passengers."""

    give_up: bool = False


@dataclass
class Said(Heard[Request]):
    """One message of a customer of the airline; ``identity.user_ids`` holds the ids named."""

    unknown: bool = False
    """The customer says not to know or remember what was asked: "I don't have it"."""

    insists: bool = False
    """The customer does not take no for an answer: "but I'm a gold member!"."""

    typed: str = ""
    """The words as they were typed."""

    denied: list[Wish] = field(default_factory=list)
    """What it says is not wanted."""

    unsure: list[Wish] = field(default_factory=list)
    """What it may ask for."""

    asides: list[str] = field(default_factory=list)
    """The intents of the sentences that ask for nothing."""

    profile: bool = False
    """What was asked is in the profile: "my date of birth is on file"."""
