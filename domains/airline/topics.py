"""What a customer may ask about a change to the airline's records."""

from __future__ import annotations

from domains.core.topics import Topic

TOPICS = (
    Topic(
        "any other reservation of yours",
        ("other reservation", "other booking", "other trip", "another reservation"),
        "reservations",
        other=True,
    ),
    Topic("the cabin", ("cabin", "class", "seat class"), "reservations", ("cabin",)),
    Topic(
        "the flights",
        ("flight", "departure", "my times"),
        "reservations",
        ("flights",),
        but=("price",),
    ),
    Topic(
        "your checked bags",
        ("bag", "baggage", "luggage", "suitcase"),
        "reservations",
        ("total_baggages", "nonfree_baggages"),
    ),
    Topic("the travel insurance", ("insurance",), "reservations", ("insurance",)),
    Topic("who flies", ("passenger", "traveler", "companion"), "reservations", ("passengers",)),
    Topic(
        "what is paid for this reservation",
        ("payment", "payment method"),
        "reservations",
        ("payment_history",),
    ),
    Topic(
        "your gift cards and certificates",
        ("gift card", "certificate", "balance"),
        "users",
        ("payment_methods",),
    ),
    Topic("your membership", ("membership", "status", "member"), "users", ("membership",)),
    Topic("your profile", ("profile", "account", "address", "email"), "users", ()),
)
