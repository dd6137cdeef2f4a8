"""Finding the variant of a product that a customer's words ask for."""

from __future__ import annotations

from dataclasses import dataclass

from agent.clerk.retail.language import says
from agent.clerk.retail.values import Variant, scaled, space
from agent.clerk.retail.wishes import Wish, read_wish


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of looking for a variant."""

    choices: tuple[Variant, ...]
    """Available variants that fit; exactly one means it is clear."""

    same: bool = False
    """What is asked for is what the customer already has."""

    sold_out: tuple[Variant, ...] = ()
    """Variants that fit but are not available."""

    near: tuple[Variant, ...] = ()
    """Available variants that fit what was named, but differ in what should stay."""

    understood: bool = True


def choose(text: str, variants: list[Variant], current: Variant | None) -> Found:
    """The available variants that a wish names; the current one is never among them."""
    wish = read_wish(text, space(variants), current)
    if wish.item_id:
        return _by_id(wish.item_id, variants, current)
    if wish.empty:
        if current is not None and says("identical", text):
            return Found((), same=True)
        return Found((), understood=False)
    fitting = [] if wish.impossible else [each for each in variants if _fits(each, wish, current)]
    others = [each for each in fitting if current is None or each["item_id"] != current["item_id"]]
    open_ = [each for each in others if each["available"]]
    if not others and fitting:
        return Found((), same=True)
    return _narrowed(wish, open_, others, current)


def fulfilled(text: str, variant: Variant, variants: list[Variant], current: Variant) -> int:
    """How many of the options that a wish names a variant has as wished."""
    wanted = read_wish(text, space(variants), current).wanted
    return sum(str(variant["options"].get(key)) in values for key, values in wanted.items())


def _by_id(item_id: str, variants: list[Variant], current: Variant | None) -> Found:
    if current is not None and item_id == current["item_id"]:
        return Found((), same=True)
    named = tuple(each for each in variants if each["item_id"] == item_id)
    return Found(
        tuple(v for v in named if v["available"]),
        sold_out=tuple(v for v in named if not v["available"]),
    )


def _narrowed(
    wish: Wish, open_: list[Variant], others: list[Variant], current: Variant | None
) -> Found:
    """One choice where price, preference or likeness to the current item decides."""
    sold_out = tuple(each for each in others if not each["available"])
    if wish.price in {"cheapest", "dearest"} and open_:
        end = _extreme(wish, open_, current)
        kept = current is not None and not _beats(end[0], current, wish)
        return Found((), same=True) if kept else Found(end)
    like = [each for each in open_ if current is not None and _kept(each, current, wish)]
    if wish.strict and current is not None and not wish.free:
        return Found(tuple(_prefer(wish, like)), sold_out=sold_out, near=tuple(_most(wish, open_)))
    best = _prefer(wish, open_)
    if len(best) > 1 and like and not wish.free:
        best = [each for each in best if each in like] or best
    return Found(tuple(best), sold_out=sold_out)


def _beats(variant: Variant, current: Variant, wish: Wish) -> bool:
    """Whether a variant is cheaper, or dearer, than the item that the customer has."""
    if not _fits(current, wish, None):
        return True
    less = bool(variant["price"] < current["price"])
    return less if wish.price == "cheapest" else bool(variant["price"] > current["price"])


def _extreme(wish: Wish, open_: list[Variant], current: Variant | None) -> tuple[Variant, ...]:
    pool = open_
    if wish.strict and current is not None:
        pool = [each for each in open_ if _kept(each, current, wish)] or open_
    sign = 1 if wish.price == "cheapest" else -1
    return (min(pool, key=lambda each: sign * each["price"]),)


def _prefer(wish: Wish, pool: list[Variant]) -> list[Variant]:
    """The pool, narrowed by each preference in turn while something is left."""
    pool = _most(wish, pool)
    by_key: dict[str, list[str]] = {}
    for key, value in wish.preferred:
        by_key.setdefault(key, []).append(value)
    for key, values in by_key.items():
        for value in values:
            kept = [each for each in pool if str(each["options"].get(key)) == value]
            if kept:
                pool = kept
                break
    return pool


def _most(wish: Wish, pool: list[Variant]) -> list[Variant]:
    """The pool, narrowed to those that have the most or least of what was asked."""
    for key, end in wish.extremes.items():
        order = scaled(list(dict.fromkeys(str(each["options"].get(key)) for each in pool)))
        if order:
            best = order[-1 if end == "top" else 0]
            pool = [each for each in pool if str(each["options"].get(key)) == best]
    return pool


def _fits(variant: Variant, wish: Wish, current: Variant | None) -> bool:
    options = variant["options"]
    if any(str(options.get(key)) not in values for key, values in wish.wanted.items()):
        return False
    if any(str(options.get(key)) in values for key, values in wish.unwanted.items()):
        return False
    if any(not any(options.get(k) == v for k, v in each.items()) for each in wish.either):
        return False
    if wish.at_most is not None and variant["price"] > wish.at_most:
        return False
    price = current["price"] if current is not None else 0
    if wish.price == "cheaper" and current is not None:
        return bool(variant["price"] <= price)
    return not (wish.price == "dearer" and current is not None and variant["price"] <= price)


def _kept(variant: Variant, current: Variant, wish: Wish) -> bool:
    """Whether all that was not spoken of stays as it is."""
    touched = {*wish.wanted, *wish.unwanted, *(key for key, _ in wish.preferred)}
    touched |= {key for each in wish.either for key in each} | wish.careless | set(wish.extremes)
    return all(
        str(variant["options"].get(key)) == str(value)
        for key, value in current["options"].items()
        if key not in touched
    )
