"""What a customer can want, as the clerk keeps it while it is being settled."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from agent.clerk.retail.address import Address
from agent.clerk.wants import Heard


class Intent(StrEnum):
    """The kinds of request; the values are the names in the language data."""

    CANCEL = "cancel"
    RETURN = "return"
    SWAP = "swap"
    ORDER_ADDRESS = "order_address"
    USER_ADDRESS = "user_address"
    PAYMENT = "payment"
    STATUS = "status"
    TRACKING = "tracking"
    ORDERS = "orders"
    ITEM = "item"
    OPTIONS = "options"
    COUNT = "count"
    TOTAL = "total"
    REFUND = "refund"
    PROFILE = "profile"
    BALANCE = "balance"
    POLICY = "policy"
    ADVICE = "advice"
    OTHER_PERSON = "other_person"
    OUT_OF_SCOPE = "out_of_scope"
    UNDO = "undo"
    TRANSFER = "transfer"
    HELP = "help"


ACTIONS = frozenset(
    {
        Intent.CANCEL,
        Intent.RETURN,
        Intent.SWAP,
        Intent.ORDER_ADDRESS,
        Intent.USER_ADDRESS,
        Intent.PAYMENT,
    }
)
"""Requests that change records; a swap is an exchange or a modification, as the order stands."""

WITH_PAYMENT = frozenset({Intent.RETURN, Intent.SWAP, Intent.PAYMENT})
"""Requests that need a payment method."""

OUTCOMES = frozenset({Intent.REFUND, Intent.BALANCE})
"""Questions that are answered after the changes they ask about."""


@dataclass
class Thing:
    """An item that was spoken of, and what it should become."""

    noun: str = ""
    """The product noun as typed; empty where only "it" or "the second one" was said."""

    words: str = ""
    """What was said about the item itself: ``small blue``."""

    item_id: str = ""
    ordinal: int | None = None
    wishes: list[str] = field(default_factory=list)
    """What it should become, in the customer's words; later ones are fallbacks."""

    may_drop: bool = False
    """The customer said to leave it out where no wish can be met."""

    every: bool = False
    """All items that fit were meant."""

    settled: bool = False
    """Done, or left out."""


@dataclass
class Request:
    """One thing the customer wants; slots are filled over several messages."""

    intent: Intent | None
    text: str = ""
    orders: list[str] = field(default_factory=list)
    which: str | None = None
    """``last``, ``first``, ``all``, ``other``, ``same``: how an order was pointed at."""

    status: str | None = None
    """The status the customer gave the order: ``pending``, ``delivered``."""

    things: list[Thing] = field(default_factory=list)
    everything: bool = False
    excepted: list[Thing] = field(default_factory=list)
    payments: list[str] = field(default_factory=list)
    """Kinds, brands, last digits or ids, the preferred one first."""

    reason: str | None = None
    address: Address | None = None
    address_from: str | None = None
    """``default``, ``previous`` or an order id: an address that is already on record."""

    otherwise: list[Request] = field(default_factory=list)
    """What to do instead where this turns out to be impossible."""

    fallbacks: list[str] = field(default_factory=list)
    """What an item should become otherwise, where the words do not say which item."""

    give_up: bool = False
    """The customer said to leave it where it is not possible."""

    closed: bool = False
    outcome: str = ""
    """``done``, ``refused``, ``answered`` or ``dropped``."""

    wait: str = ""
    """Set where a declined proposal must change before it is made again."""

    written: list[str] = field(default_factory=list)
    """Order ids (or the user id) that this request has already changed."""

    @property
    def multiple(self) -> bool:
        """Whether more than one order may be meant."""
        return (
            self.which == "all"
            or len(self.orders) > 1
            or len(self.things) > 1
            or any(thing.every for thing in self.things)
        )


class Said(Heard[Request]):
    """One message of a customer of the store."""
