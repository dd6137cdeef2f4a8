from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domains
from domains.core.canonical import canonical
from domains.core.domain import Domain
from domains.core.ends import State, state_after
from domains.core.records import Base, Records
from domains.core.tool import ToolCall, Toolset
from domains.tau2.data import tau2_hash
from domains.text.naming import Naming
from sessions.scoring.differences import differences, nearest, same_state
from tests.domains.applying import apply
from tests.domains.call_sequences import sequences
from tests.effort import first
from tests.shared_data import TAU2

NAMES = st.sampled_from(
    ["items", "payment_history", "payment_methods", "address", "price", "status", "item_id",
     "flights", "passengers", "dates", "user_id", "name", "first_name", "exchange_items"]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, -0.0, 2.0, 0.1])
    | st.text("ab 12", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)  # fmt: skip
RECORDS = st.none() | st.dictionaries(NAMES, JSON, max_size=4)
PLACES = st.sampled_from([("orders", "1"), ("users", "1"), ("reservations", "1"), ("flights", "1")])
STATES = st.dictionaries(PLACES, RECORDS, max_size=3)
NAMINGS = [Naming(), domains.load("retail").naming, domains.load("airline").naming]


def world(naming: Naming, records: State) -> Domain:
    collections: dict[str, Any] = {"orders": {}, "users": {}, "reservations": {}, "flights": {}}
    for (name, key), record in records.items():
        if record is not None:
            collections[name][key] = record
    base = Base(collections, "made up")
    return Domain("x", "X", "", Toolset("X", ()), base, lambda *_: [], lambda *_: None,
                  naming=naming)  # fmt: skip


def reached(domain: Domain, calls: list[ToolCall]) -> tuple[Records, State]:
    records = domain.records()
    for number, call in enumerate(calls):
        if domain.tools.mutates(call.name):
            apply(records, call, f"k{number}")
    return records, {(each.collection, each.key): each.after for each in records.diff()}


@pytest.mark.parametrize("naming", NAMINGS, ids=["plain", "retail", "airline"])
@given(base=STATES, one=STATES, other=STATES)
def test_a_difference_is_told_whenever_there_is_one_and_only_then(
    naming: Naming, base: State, one: State, other: State
) -> None:
    domain = world(naming, base)
    told = list(differences(domain, one, other))
    unchanged = {key: base.get(key) for key in one.keys() | other.keys()}
    is_same = canonical(_listed({**unchanged, **one})) == canonical(_listed({**unchanged, **other}))
    assert is_same == (not told) == same_state(domain, one, other)
    for sentence in told:
        assert not re.search(r" (is )?(?P<now>[^,]+),? should be (?P=now)$", sentence)


def _listed(state: State) -> list[Any]:
    return [[*key, record] for key, record in sorted(state.items(), key=lambda each: each[0])]


@pytest.mark.parametrize("name", first(1, ["retail", "airline"]))
def test_states_are_equal_just_where_hashes_of_everything_are(name: str) -> None:
    domain = domains.load(name)

    @given(data=st.data())
    def law(data: st.DataObject) -> None:
        calls = data.draw(sequences(name, domain))
        others = data.draw(st.permutations(calls) | st.just(calls[:-1]) | st.just(calls * 2))
        (here, one), (there, other) = reached(domain, calls), reached(domain, list(others))
        equal = tau2_hash(here) == tau2_hash(there)
        assert same_state(domain, one, other) == equal
        assert (not list(differences(domain, one, other))) == equal
        assert same_state(domain, one, state_after(domain, calls))

    law()


def replaced(call: ToolCall, **arguments: Any) -> ToolCall:
    return ToolCall(call.name, {**call.arguments, **arguments})


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name, arguments)


CANCEL = call("cancel_pending_order", order_id="#W8268610", reason="no longer needed")
SWAP = call(
    "modify_pending_order_items",
    order_id="#W4776164",
    item_ids=["8349118980"],
    new_item_ids=["9647292434"],
    payment_method_id="credit_card_9513926",
)
BAGS = call(
    "update_reservation_baggages",
    reservation_id="YAX4DR",
    total_baggages=2,
    nonfree_baggages=0,
    payment_id="credit_card_4938634",
)
CASES = [
    ("retail", [], [CANCEL], [
        "order #W8268610: status is pending, should be cancelled",
        "order #W8268610: refund of $164.28 to Visa ending 4012 is missing",
        "order #W8268610: reason for cancelling is not set, should be no longer needed",
    ]),
    ("retail", [CANCEL], [], [
        "order #W8268610: status is cancelled, should be pending",
        "order #W8268610: refund of $164.28 to Visa ending 4012 should not be there",
        "order #W8268610: reason for cancelling is no longer needed, should not be set",
    ]),
    ("retail", [], [SWAP], [
        "order #W4776164: item T-Shirt (blue, S, cotton, v-neck, $53.43), item id 8349118980 "
        "should be T-Shirt (purple, S, polyester, v-neck, $53.48), item id 9647292434",
        "order #W4776164: status is pending, should be pending (item modified)",
        "order #W4776164: payment of $0.05 with Mastercard ending 2478 is missing",
    ]),
    ("airline", [], [BAGS], ["reservation YAX4DR: number of checked bags is 0, should be 2"]),
    ("airline", [replaced(BAGS, total_baggages=2.0)], [BAGS], [
        "reservation YAX4DR: number of checked bags is 2.0, should be 2",
    ]),
    ("airline", [call("cancel_reservation", reservation_id="59XX6W")], [], [
        "reservation 59XX6W: refund of $624.00 to Visa ending 2135 should not be there",
        "reservation 59XX6W: status is cancelled, should be booked",
    ]),
    ("airline", [call("send_certificate", user_id="mei_hernandez_8984", amount=50)], [], [
        "customer Mei Hernandez (mei_hernandez_8984): payment method travel certificate "
        "certificate_3221322 over $50.00 should not be there",
    ]),
]  # fmt: skip


@pytest.mark.skipif(not TAU2.is_dir(), reason="τ²-bench's records are not here")
@pytest.mark.parametrize(("name", "done", "wanted", "sentences"), CASES)
def test_differences_are_told_in_the_words_of_the_domain(
    name: str, done: list[ToolCall], wanted: list[ToolCall], sentences: list[str]
) -> None:
    assert list(told(name, done, wanted)) == sentences


def test_entries_are_told_by_what_they_are_and_not_by_where_they_stand() -> None:
    paid = {"transaction_type": "payment", "amount": 5.0, "payment_method_id": "p"}
    mug, pen = {"item_id": "1", "name": "mug"}, {"item_id": "2", "name": "pen"}
    domain = world(NAMINGS[1], {})

    def between(now: dict[str, Any], right: dict[str, Any]) -> list[str]:
        key = ("orders", "1")
        return list(differences(domain, {key: now}, {key: right}))

    assert between({"items": [pen, mug]}, {"items": [mug, pen]}) == [
        "order 1: items are the right ones, in another order"
    ]
    assert between({"items": [mug]}, {"items": [pen, mug]}) == [
        "order 1: item (item_id: 2, name: pen) is missing"
    ]
    assert between({"payment_history": [paid, paid]}, {"payment_history": [paid]}) == [
        "order 1: (transaction_type: payment, amount: 5.0, payment_method_id: p) "
        "should not be there"
    ]
    assert between({"items": [{**mug, "price": 5}]}, {"items": [{**mug, "price": 6.5}]}) == [
        "order 1: item price is $5.00, should be $6.50"
    ]


def told(name: str, done: list[ToolCall], wanted: list[ToolCall]) -> tuple[str, ...]:
    domain = domains.load(name, TAU2)
    return nearest(domain, reached(domain, done)[1], [state_after(domain, wanted)])[1]
