"""The retail records that the clerk has read, collected from the tool results in the messages."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError

from agent.clerk.retail.intent_data import ACTS, TOOLS
from agent.clerk.retail.item_mentions import OrderItem, items_of, named_items
from agent.clerk.state.records import Json, KnownRecords, RecordedCall, as_object
from domains.retail.schema import Order, Product, User

FIND_BY_EMAIL = "find_user_id_by_email"
FIND_BY_NAME = "find_user_id_by_name_zip"

WRITES = frozenset(tool for intent in ACTS for tool in TOOLS[intent])


@dataclass
class RetailRecords(KnownRecords):
    """The retail records, each as last read."""

    orders: dict[str, Json] = field(default_factory=dict)
    products: dict[str, Json] = field(default_factory=dict)
    types: dict[str, str] | None = None
    """Product ids by product name; None until they have been listed."""

    original_orders: dict[str, Json] = field(default_factory=dict)
    original_user: Json | None = None
    made: dict[tuple[str, str], RecordedCall] = field(default_factory=dict)
    """The last change of each kind, by the id of its order and its tool."""

    changed_gift_card: bool = False
    """Whether a write since the profile was read may have changed a gift card's balance."""

    def keep(self, call: RecordedCall, text: str) -> None:
        """Store the result of a successful call."""
        if call.name in {FIND_BY_EMAIL, FIND_BY_NAME}:
            self.user_id = self.user_id or text.strip().strip('"')[:100]
            return
        record = as_object(text) or {}
        profile = {"user_id": self.user_id, **record}
        if call.name == "list_all_product_types":
            self.types = {str(name)[:100]: str(key)[:100] for name, key in record.items()}
        elif _is(Order, record):
            self.original_orders.setdefault(record["order_id"], record)
            self.orders[record["order_id"]] = record
            self.changed_gift_card |= call.name in WRITES
            self.made[record["order_id"], call.name] = call
        elif _is(Product, record):
            self.products[record["product_id"]] = record
        elif _is(User, profile):
            self.original_user = self.original_user or record
            self.user = profile
            self.changed_gift_card = False

    @property
    def things(self) -> list[OrderItem]:
        """All items in the orders read so far."""
        return items_of(self.orders.values())

    def find_named(self, text: str) -> list[OrderItem]:
        """The customer's items that a text mentions."""
        return named_items(text, self.things)

    @property
    def order_ids(self) -> list[str]:
        """The ids of the customer's orders, oldest first, as the profile lists them."""
        return [each for each in (self.user or {}).get("orders", []) if isinstance(each, str)]


def _is(model: type[BaseModel], record: Json) -> bool:
    """Whether a record passes strict validation against a model of the store's schema."""
    try:
        model.model_validate(record, strict=True)
    except ValidationError:
        return False
    return True
