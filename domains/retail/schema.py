"""Models of the store's records, as they are in its file and in what tools return to the clerk.

The fields, their order, and the optional fields that stay ``null`` are those of τ²-bench, so that
its files load and equal records give equal digests. As in τ²-bench, a record's unknown fields are
dropped.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from domains.core.customer_records import CreditCard, CustomerName

Dollars = Annotated[float, Field(allow_inf_nan=False)]
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Variant(BaseModel):
    """Something that can be bought: a product with its options chosen."""

    item_id: str
    options: dict[str, str]
    available: bool
    price: Price


class Product(BaseModel):
    """A product, with its variants by item id."""

    name: str
    product_id: str
    variants: dict[str, Variant]


class UserAddress(BaseModel):
    """A postal address."""

    address1: str
    address2: str
    city: str
    country: str
    state: str
    zip: str


class Paypal(BaseModel):
    """A PayPal account."""

    source: Literal["paypal"]
    id: str


class GiftCard(BaseModel):
    """A gift card with dollars left on it."""

    source: Literal["gift_card"]
    id: str
    balance: Dollars


PaymentMethod = Annotated[CreditCard | GiftCard | Paypal, Field(discriminator="source")]


class User(BaseModel):
    """A customer."""

    user_id: str
    name: CustomerName
    address: UserAddress
    email: str
    payment_methods: dict[str, PaymentMethod]
    orders: list[str]


class OrderItem(BaseModel):
    """One item of an order, at the price it was sold for."""

    name: str
    product_id: str
    item_id: str
    price: Price
    options: dict[str, str]


class Fulfillment(BaseModel):
    """One parcel: its tracking numbers and the items in it."""

    tracking_id: list[str]
    item_ids: list[str]


class OrderPayment(BaseModel):
    """A payment or a refund for an order, in dollars."""

    transaction_type: Literal["payment", "refund"]
    amount: Dollars
    payment_method_id: str


OrderStatus = Literal[
    "processed",
    "pending",
    "pending (item modified)",
    "delivered",
    "cancelled",
    "exchange requested",
    "return requested",
]


class Order(BaseModel):
    """An order; the fields that default to None are set by later changes."""

    order_id: str
    user_id: str
    address: UserAddress
    items: list[OrderItem]
    status: OrderStatus
    fulfillments: list[Fulfillment]
    payment_history: list[OrderPayment]
    cancel_reason: Literal["no longer needed", "ordered by mistake"] | None = None
    exchange_items: list[str] | None = None
    exchange_new_items: list[str] | None = None
    exchange_payment_method_id: str | None = None
    exchange_price_difference: Dollars | None = None
    return_items: list[str] | None = None
    return_payment_method_id: str | None = None


class Store(BaseModel):
    """The whole file: three collections of records by id, and nothing else."""

    model_config = ConfigDict(extra="forbid")

    products: dict[str, Product]
    users: dict[str, User]
    orders: dict[str, Order]
