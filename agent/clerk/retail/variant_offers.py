"""Offers variants to choose from; where there are too many, first the values of one option."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.deciding.offers import MOST, ask_to_pick
from agent.clerk.retail.item_mentions import OrderItem
from agent.clerk.retail.option_text import rank
from agent.clerk.retail.variant_slots import read_wanted
from agent.clerk.retail.wording import money, options
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice, Question
from agent.clerk.state.task import Task


def offer_variants(
    task: Task, each: OrderItem, lead: str, pool: Sequence[Json], product: Json
) -> Question:
    """A question which of the variants in a pool it should be, the nearest first."""
    choices = [
        Choice(str(v["item_id"]), f"{options(v)}: {money(v['price'])}", dict(v["options"]))
        for v in pool
    ]
    if len(pool) > MOST:
        by_option = (_values_of(key, each, pool, product) for key in pool[0]["options"])
        few = [one for one in by_option if 1 < len(one) <= MOST]
        lead = f"{lead} There are {len(pool)} in stock, so first:" if few else lead
        choices = max(few, key=len, default=choices)
    return ask_to_pick(lead, f"variant:{each.id}", task, choices, str(each.order["order_id"]))


def _values_of(key: str, each: OrderItem, pool: Sequence[Json], product: Json) -> list[Choice]:
    """A choice for each value of an option in a pool; empty if one could not be told in words."""
    values = sorted({v["options"][key] for v in pool}, key=lambda v: (rank(v) or 0.0, v))
    choices = []
    for value in values:
        prices = [v["price"] for v in pool if v["options"][key] == value]
        asked = (f"{key} {value}", value, key, f"no {key}")
        reads = ((s, read_wanted([f"{each.id} {s}"], product, each.item)) for s in asked)
        sentence = next((s for s, told in reads if told.values == {key: [value]}), "")
        from_price = f"{'from ' * (len(prices) > 1)}{money(min(prices))}"
        choices.append(Choice(sentence, f"{key} {value}: {from_price}"))
    return choices if all(choice.value for choice in choices) else []
