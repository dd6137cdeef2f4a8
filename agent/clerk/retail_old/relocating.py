"""Changing where orders are shipped, and the customer's default address."""

from __future__ import annotations

from agent.clerk.remembering import Json
from agent.clerk.retail.address import FIELDS
from agent.clerk.retail.locating import named_orders, one_order
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.requests import Request
from agent.clerk.retail.wording import address
from agent.clerk.steps import Ask, Call, Tell
from agent.clerk.wording import joined


def order_address(request: Request, memory: Memory) -> Call | Ask | Tell:
    """Change where pending orders are shipped."""
    orders = one_order(request, memory)
    if not orders:
        done = joined(request.written)
        record = memory.orders.get(request.written[-1]) if request.written else None
        where = f": {address(record['address'])}" if record else ""
        return Tell(f"Order {done} will be shipped to the new address{where}.", "done")
    new = _new_address(request, memory, orders[0]["address"], orders[0]["order_id"])
    if isinstance(new, Ask | Tell):
        return new
    arguments = {"order_id": orders[0]["order_id"], **new}
    return Call("modify_pending_order_address", arguments, request)


def user_address(request: Request, memory: Memory) -> Call | Ask | Tell:
    """Change the customer's default address."""
    user = memory.user or {}
    if request.written:
        return Tell(f"Your default address is now {address(user.get('address', {}))}.", "done")
    new = _new_address(request, memory, user.get("address", {}), "")
    if isinstance(new, Ask | Tell):
        return new
    return Call("modify_user_address", {"user_id": memory.user_id, **new}, request)


def _new_address(
    request: Request, memory: Memory, current: Json, order_id: str
) -> dict[str, str] | Ask | Tell:
    if request.address_from:
        found = _recorded(request.address_from, memory, order_id)
        new = {key: str(found.get(key) or "") for key in FIELDS}
    elif request.address is None:
        return Ask(_which_address(order_id), "address", request)
    else:
        missing, new = _completed(request, current)
        if missing:
            return Ask(
                f"I still need the {joined(missing)} of the new address.", "address", request
            )
    if new == {key: str(current.get(key) or "") for key in FIELDS}:
        what = f"Order {order_id}" if order_id else "Your profile"
        return Tell(f"{what} already has that address: {address(current)}.", "answered")
    return new


def _which_address(order_id: str) -> str:
    whose = f"for order {order_id}" if order_id else "for your profile"
    return f"What is the new address {whose}? Please give street, city, state and zip code."


def _recorded(source: str, memory: Memory, order_id: str) -> Json:
    if source == "default":
        return dict((memory.user or {}).get("address", {}))
    if source == "previous":
        if order_id in memory.original_orders:
            return dict(memory.original_orders[order_id]["address"])
        return dict((memory.original_user or memory.user or {}).get("address", {}))
    source = memory.order_ids[-1] if source == "last" and memory.order_ids else source
    found = named_orders(Request(None, orders=[source]), memory)
    return dict(found[0]["address"])


def _completed(request: Request, current: Json) -> tuple[list[str], dict[str, str]]:
    """The new address with what was left out; a new street needs its own city, state and zip."""
    given = request.address
    assert given is not None
    new = {key: getattr(given, key) for key in FIELDS}
    stays = not given.address1 or "same" in request.text
    missing = [
        {"zip": "zip code"}.get(key, key)
        for key in ("city", "state", "zip")
        if not new[key] and not stays
    ]
    if given.address1 and new["zip"] and new["zip"] == str(current.get("zip")):
        missing = []
    return missing, {
        key: str(current.get(key) or "") if value is None else value for key, value in new.items()
    }
