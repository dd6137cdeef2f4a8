"""Which variants of a product have what is wanted, and which of them is meant."""

from __future__ import annotations

from agent.clerk.remembering import Json
from agent.clerk.retail.values import rank
from agent.clerk.retail.wanted import Wanted


def fitting(told: Wanted, product: Json, current: Json | None) -> list[Json]:
    """Available variants other than the current one that have what is wanted."""
    pool = [each for each in product["variants"].values() if each["available"]]
    if current is not None:
        pool = [each for each in pool if each["item_id"] != current["item_id"]]
    return [each for each in pool if fits(each, told, current)]


def fits(variant: Json, told: Wanted, current: Json | None) -> bool:
    """Whether a variant has every wanted value and lies in every wanted direction."""
    if told.item_id:
        return bool(variant["item_id"] == told.item_id)
    options = variant["options"]
    if any(options.get(key) not in values for key, values in told.values.items()):
        return False
    now = (current or {}).get("options", {})
    for key, way in told.direction.items():
        one, other = rank(options.get(key, "")), rank(now.get(key, ""))
        if one is None or other is None:
            continue
        if (way == "more" and one <= other) or (way == "less" and one >= other):
            return False
    return True


def best(pool: list[Json], told: Wanted, current: Json | None) -> list[Json]:
    """Of fitting variants the ones that are meant: alike in the rest, liked best, cheapest."""
    for key, way in told.direction.items():
        pool = _furthest(pool, key, way)
    for key in {**told.values, **told.soft}:
        order = [*told.soft.get(key, []), *told.values.get(key, [])]
        for value in order:
            hits = [each for each in pool if each["options"].get(key) == value]
            if hits:
                pool = hits
                break
    if told.by_price:
        now = (current or {}).get("options", {})
        close = [e for e in pool if all(e["options"].get(k) == now.get(k) for k in told.kept)]
        if told.same and not told.kept:
            close = _alike(pool, told, current)
        return _by_cost(close, told.by_price)
    return _alike(pool, told, current) or pool


def _by_cost(pool: list[Json], way: str) -> list[Json]:
    if not pool:
        return []
    pick = min if way == "cheapest" else max
    price = pick(each["price"] for each in pool)
    return [each for each in pool if each["price"] == price][:1]


def _furthest(pool: list[Json], key: str, way: str) -> list[Json]:
    ranked = [(rank(each["options"].get(key, "")), each) for each in pool]
    known = [(value, each) for value, each in ranked if value is not None]
    if way not in {"most", "least"} or not known:
        return pool
    end = (max if way == "most" else min)(value for value, _ in known)
    return [each for value, each in known if value == end]


def _alike(pool: list[Json], told: Wanted, current: Json | None) -> list[Json]:
    """The variants that differ from the current one in nothing but what was spoken of."""
    now = (current or {}).get("options", {})
    spoken = {*told.values, *told.direction, *told.free, *told.soft}
    return [
        each
        for each in pool
        if all(v == now.get(k) for k, v in each["options"].items() if k not in spoken)
    ]
