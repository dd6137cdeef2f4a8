"""Writes that an agent might try on a retail store: mostly sensible, some wrong, a few absurd."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from domains.core.changes import Record
from domains.core.domain import Domain
from domains.core.tool import ToolCall
from domains.retail.addresses import FIELDS

ABSURD: list[Any] = ["", "nothing", None, 7, ["x"], {}]


@st.composite
def writes(draw: st.DrawFn, domain: Domain, order_id: str | None = None) -> ToolCall:
    """One write with the right argument names, on an order that can often take it."""
    chosen = order_id or draw(order_ids(domain))
    order = domain.base.collections["orders"][chosen]
    name = draw(st.sampled_from(sorted(each.name for each in domain.tools if each.mutates)))
    arguments = draw(_arguments(domain, name, order))
    if draw(st.integers(0, 19)) == 0:
        arguments[draw(st.sampled_from(sorted(arguments)))] = draw(st.sampled_from(ABSURD))
    return ToolCall(name, arguments)


def order_ids(domain: Domain) -> st.SearchStrategy[str]:
    """Orders, those that can still be acted on ten times as often."""
    orders = domain.base.collections["orders"]
    acted_on = {key: each["status"] in ("pending", "delivered") for key, each in orders.items()}
    open_ones = [key for key in orders if acted_on[key]]
    others = [key for key in orders if not acted_on[key]]
    return st.integers(0, 10).flatmap(lambda n: st.sampled_from(open_ones if n else others))


@st.composite
def _arguments(draw: st.DrawFn, domain: Domain, name: str, order: Record) -> dict[str, Any]:
    if name == "modify_user_address":
        return {"user_id": order["user_id"], **draw(_addresses())}
    arguments: dict[str, Any] = {"order_id": order["order_id"]}
    if name == "cancel_pending_order":
        reasons = ["no longer needed", "ordered by mistake", "changed my mind"]
        return {**arguments, "reason": draw(st.sampled_from(reasons))}
    if name == "modify_pending_order_address":
        return {**arguments, **draw(_addresses())}
    if name != "modify_pending_order_payment":
        items = draw(st.lists(st.sampled_from(order["items"]), max_size=len(order["items"])))
        arguments["item_ids"] = [item["item_id"] for item in items]
    if name in ("modify_pending_order_items", "exchange_delivered_order_items"):
        arguments["new_item_ids"] = [draw(_new_item_ids(domain, order, item)) for item in items]
        if draw(st.integers(0, 19)) == 0:
            arguments["new_item_ids"] = arguments["new_item_ids"][1:]
    user = domain.base.collections["users"][order["user_id"]]
    methods = sorted(user["payment_methods"])
    arguments["payment_method_id"] = draw(st.sampled_from([*methods, *methods, "paypal_0"]))
    return arguments


@st.composite
def _new_item_ids(draw: st.DrawFn, domain: Domain, order: Record, item: Record) -> str:
    """A variant of the product in stock, or now and then any, or one the order holds already."""
    variants = domain.base.collections["products"][item["product_id"]]["variants"]
    in_stock = [key for key, each in variants.items() if each["available"]]
    held = [each["item_id"] for each in order["items"]]
    pools: list[list[str]] = [in_stock or ["0"]] * 8 + [list(variants), held]
    return draw(st.sampled_from(pools).flatmap(st.sampled_from))


def _addresses() -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries(dict.fromkeys(FIELDS, st.sampled_from(["", "1 Elm", "Ohio"])))
