"""What a customer may ask about a change to the store's records."""

from __future__ import annotations

from domains.core.topics import Topic

TOPICS = (
    Topic(
        "your default address",
        ("default address", "profile address", "home address", "account address", "usual address"),
        "users",
        ("address",),
    ),
    Topic(
        "where this order goes",
        ("shipping address", "delivery address", "order address", "ship to"),
        "orders",
        ("address",),
    ),
    Topic(
        "any other order of yours",
        ("other order", "another order", "rest of my orders", "all my orders", "my orders"),
        "orders",
        other=True,
    ),
    Topic(
        "how this order is paid",
        ("payment", "payment method", "what i pay with"),
        "orders",
        ("payment_history",),
    ),
    Topic(
        "your gift card balance",
        ("gift card", "gift card balance", "balance"),
        "users",
        ("payment_methods",),
    ),
    Topic("what is in this order", ("item", "product"), "orders", ("items",)),
    Topic("the order's status", ("status", "cancel the order"), "orders", ("status",)),
    Topic("your email address", ("email", "e-mail", "email address"), "users", ("email",)),
    Topic("your name", ("my name",), "users", ("name",)),
    Topic("your profile", ("profile", "account"), "users"),
)
