"""The retail tools that only read."""

from __future__ import annotations

import json
from typing import Annotated

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import ToolError, reads
from domains.retail import store

OrderId = Annotated[str, "Order number with its leading '#W', such as '#W1234567'."]
UserId = Annotated[str, "Customer id, such as 'anna_berg_2041'."]
ProductId = Annotated[str, "Product id, such as '1234567890'; not an item id."]
ItemId = Annotated[str, "Item id, such as '1234567890'; not a product id."]


@reads
def find_user_id_by_name_zip(
    draft: Draft,
    first_name: Annotated[str, "First name; letter case does not matter."],
    last_name: Annotated[str, "Last name; letter case does not matter."],
    zip: Annotated[str, "ZIP code of the customer's default address."],
) -> str:
    """Find a customer's id by first name, last name and ZIP code.

    Best tried when no email is known or no account has it.
    """
    for user_id, user in draft.items("users"):
        if (
            user["name"]["first_name"].lower() == first_name.lower()
            and user["name"]["last_name"].lower() == last_name.lower()
            and user["address"]["zip"] == zip
        ):
            return user_id
    raise ToolError("User not found")


@reads
def find_user_id_by_email(
    draft: Draft, email: Annotated[str, "Email address; letter case does not matter."]
) -> str:
    """Find a customer's id by email address."""
    wanted = email.lower()
    for user_id, user in draft.items("users"):
        if user["email"].lower() == wanted:
            return user_id
    raise ToolError("User not found")


@reads
def get_order_details(draft: Draft, order_id: OrderId) -> Record:
    """Read one order: status, items, delivery address, tracking and payments."""
    return store.get_order(draft, order_id)


@reads
def get_product_details(draft: Draft, product_id: ProductId) -> Record:
    """Read one product with all its variants: options, price and whether each is in stock."""
    return store.get_product(draft, product_id)


@reads
def get_item_details(draft: Draft, item_id: ItemId) -> Record:
    """Read one variant by its item id: options, price and whether it is in stock."""
    for _, product in draft.items("products"):
        variant = product["variants"].get(item_id)
        if variant is not None:
            return dict(variant)
    raise ToolError("Item not found")


@reads
def get_user_details(draft: Draft, user_id: UserId) -> Record:
    """Read one customer: name, email, default address, payment methods and order numbers."""
    return store.get_user(draft, user_id)


@reads
def list_all_product_types(draft: Draft) -> str:
    """List every product in the store: name and product id; there are about fifty."""
    names = {product["name"]: product_id for product_id, product in draft.items("products")}
    return json.dumps(names, sort_keys=True)


LOOK_UPS = (
    find_user_id_by_name_zip,
    find_user_id_by_email,
    get_order_details,
    get_product_details,
    get_item_details,
    get_user_details,
    list_all_product_types,
)
