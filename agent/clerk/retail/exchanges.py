"""Slot filling for exchanges: other variants of items, whether delivered or still pending."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.lessons.learned import Rule
from agent.clerk.retail.catalogue import kinds_sold, read_product
from agent.clerk.retail.intent_data import DATA, TEXTS
from agent.clerk.retail.item_mentions import OrderItem, mentions, says_everything, says_several
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.payment_slots import for_difference, original_method, wanted_kinds
from agent.clerk.retail.variant_offers import offer_variants
from agent.clerk.retail.variant_slots import VariantConstraints, read_wanted
from agent.clerk.retail.wording import money, options
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Question, Refused, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

DIFFERENT = Rule("exchange_delivered_order_items", "Each new item has different options")


def fill_swap(
    task: Task, records: RetailRecords, order: Json, items: Sequence[OrderItem]
) -> Json | None:
    """The items to give up, their replacements, and the payment method for the difference.

    None if no described item is left. Raises Settled with a question or a refusal.
    """
    described = [each for each in items if _is_described(task, each, records)]
    if not described and task.written:
        return None
    picked = described or items
    wanted = ((each, _variant(task, each, picked, records)) for each in picked)
    pairs = [(each, new) for each, new in wanted if new is not None]
    if not pairs:
        raise Refused("Then there is nothing left that I could exchange.")
    due = round(sum(new["price"] - each.item["price"] for each, new in pairs), 2)
    _refuse_over_limit(task, due)
    old, new = [each.id for each, _ in pairs], [str(each["item_id"]) for _, each in pairs]
    # the very same items cost no difference, so there is nothing to ask
    original = original_method(order) if old == new and not wanted_kinds(task) else ""
    method_id = original or for_difference(task, records, order, due, _swaps(pairs))
    return {"item_ids": old, "new_item_ids": new, "payment_method_id": method_id}


def _swaps(pairs: Sequence[tuple[OrderItem, Json]]) -> str:
    """A sentence that says which items would be exchanged for which."""
    told = (
        f"the {e.item['name']} in {options(new)} instead of {options(e.item)}" for e, new in pairs
    )
    return f"You would get {join_parts(told)}."


def _is_described(task: Task, each: OrderItem, records: RetailRecords) -> bool:
    """Whether an item fits a description of several, such as "all my small ones".

    True if there is no such description.
    """
    product = records.products.get(str(each.item["product_id"]))
    named = [one.before for text in task.words for one in mentions(text, [each])]
    several = next(filter(says_several, named), None)
    if product is None or several is None:
        return True
    return read_wanted([" ".join(several)], product).is_met_by(each.item)


def _refuse_over_limit(task: Task, due: float) -> None:
    """Raise Refused if the price difference exceeds the customer's limit."""
    if task.limit is not None and due > task.limit + 0.005:
        most = f"more than {money(task.limit)}" if task.limit else "more than you want to pay"
        raise Refused(
            f"That would cost {money(due)} on top, which is {most}, so I'll leave it as it is."
        )


def _variant(
    task: Task, each: OrderItem, picked: Sequence[OrderItem], records: RetailRecords
) -> Json | None:
    """The variant wanted for an item; None if the item is left out.

    Raises Settled with an offer or a refusal.
    """
    product = read_product(records, str(each.item["product_id"]))
    texts = texts_for(task, each, picked)
    told = read_wanted(texts, product, each.item)
    found = _pick(task, told, product, each)
    if found is not None:
        return None if len(picked) > 1 and _is_so_already(told, found, each) else found
    if told.is_empty and not told.same:
        _refuse_other_product(task, each, records)
    for text in [] if told.is_empty else task.alternatives:
        if has(tokens(text), "only", "just") and len(picked) > 1:
            return None
        found = _pick(task, read_wanted([*texts, text], product, each.item), product, each)
        if found is not None:
            return found
    raise Settled(_question(task, each, told, product))


def _is_so_already(told: VariantConstraints, found: Json, each: OrderItem) -> bool:
    """Whether an item is already as cheap, or as expensive, as the variant found for it."""
    dearest, better = told.by_price == "dearest", found["price"] > each.item["price"]
    return bool(told.by_price) and told.is_met_by(each.item) and better != dearest


def _very_same(each: OrderItem, product: Json) -> Json:
    """The item's own variant; raises Refused if it is not available."""
    same = product["variants"].get(each.id)
    if same is None or not same["available"]:
        text = f"The very same {each.item['name']} is not available at the moment."
        raise Refused(text, each.order["order_id"])
    return dict(same)


def _refuse_other_product(task: Task, each: OrderItem, records: RetailRecords) -> None:
    """Raise Refused if the customer wants another product, as the list of products shows."""
    own = str(each.item["name"])
    others = [one for one in kinds_sold(records) if one.item["name"] != own]
    for text in task.words:
        words = tokens(text)
        named = any(
            has(words[max(0, one.start - 3) : one.start], "for", "to", "into", "with")
            and words[one.end - 1] not in tokens(own)
            and not one.of_order
            for one in mentions(text, others)
        )
        if named or _names_something_else(words):
            raise Refused(TEXTS["other product"].format(own), each.order["order_id"])


def _names_something_else(words: Sequence[str]) -> bool:
    """Whether the words include a phrase such as "for a coat" whose noun is no general word."""
    general = DATA["general"]
    return any(
        one in {"for", "into"} and other in {"a", "an"} and thing not in general
        for one, other, thing in zip(words, words[1:], words[2:], strict=False)
    )


def _pick(task: Task, told: VariantConstraints, product: Json, each: OrderItem) -> Json | None:
    """The one variant that matches, or None.

    If the rest should stay the same, a match counts only if it differs in nothing else, unless an
    id or the price selected it.
    """
    if told.is_empty:
        same = told.same and DIFFERENT in task.relaxed
        return _very_same(each, product) if same else None
    if not told.asks_for_another or told.unheard:
        return None
    found = told.best(told.find(product))
    certain = told.item_id or told.by_price or not told.same
    return found[0] if len(found) == 1 and (certain or told.is_alike(found[0])) else None


def texts_for(task: Task, each: OrderItem, picked: Sequence[OrderItem]) -> list[str]:
    """The sentences about one of the items, oldest first."""
    found: list[str] = []
    told = sorted([task.text, *task.same_message], key=task.message.find)
    for text in [*told, *task.notes]:
        named = mentions(text, [*picked])
        mine = [" ".join(one.segment) for one in named if each.id in {o.id for o in one.found}]
        if not named or len(picked) == 1:
            found.append(text)
        elif mine:
            found.append(" , ".join(mine))
        elif says_everything(text):
            found.append(" ".join(named[0].before))
    return found


def _question(
    task: Task, each: OrderItem, told: VariantConstraints, product: Json
) -> Question | Statement:
    """An offer of the available variants, or a refusal.

    It begins by saying if nothing available is exactly as wanted.
    """
    name = str(each.item["name"])
    if told.is_empty and told.same and not told.kept:
        return _refuse_same(task, each)
    everything = VariantConstraints(each.item, excluded=told.excluded).find(product)
    if not everything:
        return Statement(f"There is no other {name} available at the moment.", "refused")
    pool = told.find(product)
    if not pool and task.give_up:
        return Statement(f"There is no {name} like that available.", "refused")
    if not told.asks_for_another:
        lead = f"Which {name} would you like instead of {options(each.item)}?"
        lead = told.none_like(product) + lead
        since = read_wanted(task.notes, product, each.item)  # the first words may tell what it is
        narrowed = [one for one in everything if since.is_met_by(one)] or everything
        offered = sorted(told.keeping(narrowed) or narrowed, key=told.lacks)
        return offer_variants(task, each, lead, _within_limit(task, each, offered), product)
    best = told.best(pool) or pool
    if not best:
        lead = f"There is no {name}{told.in_words} available. Which one would you like instead?"
    elif len(best) == 1:
        lead = f"Exactly that {name} is not available, but this one is. Would you like it?"
    else:
        lead = f"There is more than one {name} like that. Which one would you like?"

    offered = _within_limit(task, each, best or told.nearest(everything))
    lead = told.none_like(product) + lead
    return offer_variants(task, each, lead, sorted(offered, key=told.lacks), product)


def _within_limit(task: Task, each: OrderItem, variants: list[Json]) -> list[Json]:
    """The variants that cost no more than the customer's limit, or all if none does."""
    if task.limit is None:
        return variants
    most = each.item["price"] + task.limit
    return [one for one in variants if one["price"] <= most] or variants


def _refuse_same(task: Task, each: OrderItem) -> Statement:
    """The refusal to exchange an item for the very same variant.

    For a delivered item it carries the forbidden call and its rule, which a memory entry may relax.
    """
    text = TEXTS["same item"].format(each.item["name"])
    if each.order["status"] != "delivered":
        return Statement(text, "refused")
    arguments = {
        "order_id": each.order["order_id"],
        "item_ids": [each.id],
        "new_item_ids": [each.id],
        "payment_method_id": original_method(each.order),
    }
    same_again = Call(DIFFERENT.tool, arguments, task)
    return Statement(text, "refused", forbidden=same_again, rule=DIFFERENT)
