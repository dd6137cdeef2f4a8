"""The dialogue state that the store's skills use: the records, and the items that a text names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from agent.clerk.retail.intent_data import OFFERS, TOOLS, reader
from agent.clerk.retail.item_mentions import OrderItem, items_of, named_items
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.understanding.reading import Reader


@dataclass
class RetailState(Dialogue):
    """The dialogue state without the matching of utterances, which is in ``dialogue``."""

    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    record_argument: ClassVar[str] = "order_id"
    offers: ClassVar[Mapping[str, str]] = OFFERS

    records: RetailRecords = field(default_factory=RetailRecords)

    @property
    def reader(self) -> Reader:
        """The reader that parses customer messages."""
        return reader()

    @property
    def things(self) -> list[OrderItem]:
        """All items in the orders read so far."""
        return items_of(self.records.orders.values())

    def find_named(self, text: str) -> list[OrderItem]:
        """The customer's items that a text mentions."""
        return named_items(text, self.things)
