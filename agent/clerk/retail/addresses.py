"""Where orders are shipped, and the customer's default address."""

from __future__ import annotations

from agent.clerk.remembering import Json
from agent.clerk.retail.address_parts import lacking_parts, parse_address, parts_given, says_same
from agent.clerk.retail.manner import tells
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.orders import one_order, order_ids, read_order
from agent.clerk.retail.wording import address
from agent.clerk.steps import Ask, Call, Settled, Tell
from agent.clerk.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

FIELDS = ("address1", "address2", "city", "state", "country", "zip")


def change_order_address(task: Task, memory: Memory, policy: str) -> Call | Ask | Tell:
    """Send pending orders elsewhere."""
    order = one_order(task, memory, {"pending"})
    if order is None:
        record = memory.orders.get(task.written[-1]) if task.written else None
        where = f": {address(record['address'])}" if record else ""
        return Tell(
            f"Order {join_parts(task.written)} will be shipped to the new address{where}.", "done"
        )
    new = _new(task, memory, order["address"], str(order["order_id"]))
    arguments = {"order_id": order["order_id"], **new}
    return Call("modify_pending_order_address", arguments, task)


def change_default_address(task: Task, memory: Memory, policy: str) -> Call | Ask | Tell:
    """Change the address in the profile."""
    user = memory.user or {}
    if task.written:
        return Tell(f"Your default address is now {address(user.get('address', {}))}.", "done")
    new = _new(task, memory, user.get("address", {}), "")
    return Call("modify_user_address", {"user_id": memory.user_id, **new}, task)


def _new(task: Task, memory: Memory, now: Json, order_id: str) -> dict[str, str]:
    """The new address in full; Settled with a question or with what is there already."""
    recorded = _address_on_record(task, memory, order_id)
    given = parts_given(task) if recorded is None else {}
    if recorded is not None:
        new = {key: str(recorded.get(key) or "") for key in FIELDS}
    elif not given:
        whose = f"for order {order_id}" if order_id else "for your profile"
        text = f"What is the new address {whose}? Please give street, city, state and zip code."
        raise Settled(Ask(text, "address", task))
    else:
        new = _complete(task, given, now)
    if new == {key: str(now.get(key) or "") for key in FIELDS}:
        what = f"Order {order_id}" if order_id else "Your profile"
        raise Settled(Tell(f"{what} already has that address: {address(now)}.", "answered"))
    return new


def _address_on_record(task: Task, memory: Memory, order_id: str) -> Json | None:
    """An address that the records have: the default, the former one, another order's."""
    for text in [*reversed(task.notes), task.text]:
        if parse_address(text).get("address1"):
            return None
        words = tokens(text)
        if tells(words, "as before"):
            if order_id in memory.original_orders:
                return dict(memory.original_orders[order_id]["address"])
            return dict((memory.original_user or memory.user or {}).get("address", {}))
        if order_id and tells(words, "as in the profile"):
            return dict((memory.user or {}).get("address", {}))
        other = [each for each in order_ids(text) if each != order_id and each in memory.order_ids]
        if not order_id and (other or has(words, "recent order", "last order", "recent one")):
            source = other[0] if other else memory.order_ids[-1]
            return dict(read_order(memory, source)["address"])
    return None


def _complete(task: Task, given: dict[str, str], now: Json) -> dict[str, str]:
    """The parts that were given, and of those that were not, the old ones where that can be."""
    stays = "address1" not in given
    if given.get("zip") == str(now.get("zip")) and not stays:
        given = {**{k: str(now.get(k) or "") for k in ("city", "state")}, **given}
    same = [each for text in task.words for each in says_same(text)]
    given = {**{each: str(now.get(each) or "") for each in same}, **given}
    lacking = lacking_parts(given) if not stays else []
    if lacking:
        names = join_parts({"zip": "zip code"}.get(each, each) for each in lacking)
        raise Settled(Ask(f"I still need the {names} of the new address.", "address", task))
    return {key: str(given.get(key, now.get(key)) or "") for key in FIELDS}
