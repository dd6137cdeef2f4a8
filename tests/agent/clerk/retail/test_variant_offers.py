"""A variant is found among any number of them, though never more than five are offered at once."""

from __future__ import annotations

import pytest

import domains
from agent.clerk.deciding.offers import MOST
from agent.clerk.retail.exchanges import offer_variants
from agent.clerk.retail.item_mentions import OrderItem
from agent.clerk.retail.variant_slots import read_wanted
from agent.clerk.state.records import Json
from agent.clerk.state.task import Task
from tests.shared_data import TAU2

PRODUCTS = [
    pytest.param(product, id=str(product["name"]))
    for folder in (None, TAU2 / "retail")
    if folder is None or folder.is_dir()
    for product in domains.load("retail", folder).base.collections["products"].values()
]


@pytest.mark.parametrize("product", PRODUCTS)
def test_picks_lead_from_any_number_of_variants_to_each_of_them(product: Json) -> None:
    for variant in product["variants"].values():
        item = OrderItem({**variant, "name": product["name"]}, {"order_id": "#W1"})
        others = {v["item_id"] for v in read_wanted([], product, item.item).find(product)}
        assert _reached(item, product, []) == others


def _reached(item: OrderItem, product: Json, told: list[str]) -> set[str]:
    """The ids of the variants that some sequence of picks leads to."""
    pool = read_wanted(told, product, item.item).find(product)
    if not pool:
        return set()
    asked = offer_variants(Task("exchange_items", ""), item, "Which one?", pool, product)
    assert len(asked.choices) <= MOST
    if all(choice.options for choice in asked.choices):
        assert len(pool) <= MOST
        return {choice.value for choice in asked.choices}
    picks = [f"{item.id} {choice.value}" for choice in asked.choices]
    return set().union(*(_reached(item, product, [*told, pick]) for pick in picks))
