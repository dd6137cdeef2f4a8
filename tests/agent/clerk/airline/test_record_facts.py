from __future__ import annotations

from typing import Any

from agent.clerk.airline.record_facts import tell_parts
from agent.clerk.airline.wording import money


def insured() -> dict[str, Any]:
    """A reservation of two, with insurance and a bag that was paid for."""
    return {
        "passengers": [{}, {}],
        "flights": [{"price": 250}, {"price": 120}],
        "insurance": "yes",
        "nonfree_baggages": 1,
        "payment_history": [{"payment_id": "credit_card_1", "amount": 850}],
    }


def test_what_is_in_a_price_comes_to_what_was_paid() -> None:
    (told,) = tell_parts(insured(), "it")
    assert all(money(each) in told for each in (850, 740, 60, 50))


def test_what_is_in_a_price_is_not_told_where_it_comes_to_something_else() -> None:
    changed = insured()
    changed["payment_history"].append({"payment_id": "credit_card_1", "amount": 75})
    assert [*tell_parts(changed, "it")] == []


def test_without_extras_there_are_no_parts_to_tell() -> None:
    plain = insured() | {"insurance": "no", "nonfree_baggages": 0}
    assert [*tell_parts(plain, "it")] == []
