from __future__ import annotations

from dataclasses import replace

import pytest

from domains import load
from domains.core import customers as reading
from domains.core.customers import customer, customers
from domains.core.records import Base
from tests.shared_data import TAU2, TAU2_RETAIL
from tests.toy import toy_domain


def test_a_customer_is_told_by_what_finds_them_and_what_they_have() -> None:
    found = customer(load("retail"), "yusuf_rossi_4852")
    assert found is not None
    assert (found.name, found.summary) == (
        "Yusuf Rossi", "orders: 2 delivered, 1 pending · Mastercard, PayPal",
    )  # fmt: skip
    assert found.role.who.startswith("You are Yusuf Rossi.")
    assert found.role.wants == ()
    assert found.role.knows[:5] == (
        "Your email is yusuf.rossi@example.com.",
        "Your zip code is 19122.",
        "You can pay with: Mastercard ending 6031, PayPal.",
        "Order #W2236652, delivered: Canvas Belt (95 cm, black, steel, $24.99); "
        "Wool Sweater (L, forest, crew, $78.95).",
        "Order #W7122969, pending: Weekly Planner (cloth, dotted, gray, $18.00).",
    )


def test_a_traveller_is_found_by_user_id_alone() -> None:
    found = customer(load("airline"), "chidi_okonkwo_5992")
    assert found is not None
    assert found.summary == "reservations: 1 booked · Visa, gift card"
    assert found.role.knows[0] == "Your user id is chidi_okonkwo_5992."
    assert not any("email" in each for each in found.role.knows)


def test_nobody_is_listed_where_a_domain_does_not_say_who_its_customers_are() -> None:
    assert customers(toy_domain()) == ()
    assert customer(load("retail"), "nobody") is None


def test_one_broken_record_hides_that_customer_only(monkeypatch: pytest.MonkeyPatch) -> None:
    retail = load("retail")
    users = dict(retail.base.collections["users"])
    first, second, *_ = users
    users[first] = {"user_id": first}
    broken = replace(retail, base=Base({**retail.base.collections, "users": users}, "broken"))
    listed = [each.id for each in customers(broken)]
    assert listed[0] == second
    assert len(listed) == len(users) - 1
    monkeypatch.setattr(reading, "MAX_CUSTOMERS", 3)
    assert len(customers(broken)) == 2


@pytest.mark.skipif(not TAU2_RETAIL.is_dir(), reason="needs τ²-bench's data")
@pytest.mark.parametrize("domain", ["retail", "airline"])
def test_tau2_s_customers_can_be_played(domain: str) -> None:
    found = customers(load(domain, TAU2))
    assert len(found) == reading.MAX_CUSTOMERS
    assert all(each.role.knows for each in found)
