"""Slot filling for exchanges: other variants of items, whether delivered or still pending.

Where there are too many to choose from, the values of one option are offered first.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.deciding.offers import MOST, ask_to_pick
from agent.clerk.lessons.learned import Rule
from agent.clerk.retail.catalogue import kinds_sold, read_product
from agent.clerk.retail.intent_data import DATA, TEXTS, tells
from agent.clerk.retail.item_mentions import OrderItem, mentions, says_everything
from agent.clerk.retail.item_slots import ask_items
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.option_text import picks_of, rank
from agent.clerk.retail.payment_slots import (
    for_difference,
    original_method,
    remind_of_rest,
    wanted_kinds,
)
from agent.clerk.retail.variant_slots import Wanted, read_wanted
from agent.clerk.retail.wording import money, options
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Question, Refused, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

DIFFERENT = Rule("exchange_delivered_order_items", "Each new item has different options")


def fill_swap(task: Task, records: RetailRecords, order: Json, items: Sequence[OrderItem]) -> Json:
    """The items to give up, their replacements, and the payment method for the difference.

    Raises Settled with a question or a refusal.
    """
    wanted = ((each, _variant(task, each, items, records)) for each in items)
    pairs = [(each, new) for each, new in wanted if new is not None]
    if not pairs:
        raise Refused("Then there is nothing left that I could exchange.")
    due = round(sum(new["price"] - each.item["price"] for each, new in pairs), 2)
    _refuse_over_price(task, pairs)
    if task.limit is not None and due > task.limit + 0.005:
        most = f"more than {money(task.limit)}" if task.limit > 0 else "more than you want to pay"
        raise Refused(
            f"That would cost {money(due)} on top, which is {most}, so I'll leave it as it is."
        )
    old, new = [each.id for each, _ in pairs], [str(each["item_id"]) for _, each in pairs]
    swaps = join_parts(
        f"the {e.item['name']} in {options(new)} instead of {options(e.item)}" for e, new in pairs
    )
    # the very same items cost no difference, so there is nothing to ask
    original = original_method(order) if old == new and not wanted_kinds(task) else ""
    what = f"You would get {swaps}.{remind_of_rest(task, order, [each.item for each, _ in pairs])}"
    method_id = original or for_difference(task, records, order, due, what)
    return {"item_ids": old, "new_item_ids": new, "payment_method_id": method_id}


def _refuse_over_price(task: Task, pairs: Sequence[tuple[OrderItem, Json]]) -> None:
    """Raise Refused for a price over a limit that can only be one of it: "if it's under $90"."""
    more = has(tokens(task.all_words), "more", "extra", "on top", "difference", "additional")
    for each, new in pairs if task.limit and not more else ():
        if each.item["price"] / 2 <= (task.limit or 0.0) < new["price"]:
            most = money(task.limit or 0.0)
            raise Refused(f"That costs {money(new['price'])}, more than {most}, so I'll leave it.")


def _variant(
    task: Task, each: OrderItem, picked: Sequence[OrderItem], records: RetailRecords
) -> Json | None:
    """The variant wanted for an item; None if the item is left out.

    Raises Settled with an offer or a refusal.
    """
    product = read_product(records, str(each.item["product_id"]))
    texts = _texts_for(task, each, picked)
    told = read_wanted(texts, product, each.item)
    told.same |= _wants_it_again(task, each, texts, product)
    found = _pick(task, told, product, each)
    if found is not None and task.alternatives and _is_too_dear(task, each, found):
        others = (read_wanted([*texts, text], product, each.item) for text in task.alternatives)
        instead = (_pick(task, other, product, each) for other in others)
        found = next((e for e in instead if e and not _is_too_dear(task, each, e)), found)
    if found is not None:
        better = (found["price"] > each.item["price"]) == (told.by_price == "dearest")
        is_so_already = told.by_price and told.is_met_by(each.item) and not better
        return None if len(picked) > 1 and is_so_already else found
    if told.is_empty and not told.same:
        _refuse_other_product(task, each, records)
    for text in [] if told.is_empty else task.alternatives:
        if has(tokens(text), "only", "just") and len(picked) > 1:
            return None
        found = _pick(task, read_wanted([*texts, text], product, each.item), product, each)
        if found is not None:
            return found
    raise Settled(_question(task, each, told, product))


def _is_too_dear(task: Task, each: OrderItem, variant: Json) -> bool:
    """Whether a variant alone costs more on top than the customer wants to pay."""
    limit = task.limit
    return limit is not None and variant["price"] - each.item["price"] > limit + 0.005


def _refuse_other_product(task: Task, each: OrderItem, records: RetailRecords) -> None:
    """Raise Refused if the customer wants another product: "for a coat"."""
    own = tokens(str(each.item["name"]))
    sold = [one for one in kinds_sold(records) if tokens(str(one.item["name"])) != own]
    for text in task.words:
        words = tokens(text)
        wanted = any(
            has(words[max(0, one.start - 3) : one.start], "for", "to", "into", "with")
            and words[one.end - 1] not in own
            and not one.of_order
            for one in mentions(text, sold)
        ) or any(
            one in {"for", "into"} and other in {"a", "an"} and thing not in DATA["general"]
            for one, other, thing in zip(words, words[1:], words[2:], strict=False)
            if thing.isalpha()
        )
        if wanted:
            text = TEXTS["other product"].format(each.item["name"])
            raise Refused(text, each.order["order_id"])


def _wants_it_again(task: Task, each: OrderItem, texts: Sequence[str], product: Json) -> bool:
    """Whether the very same is wanted: a new one for a broken one, or all its options are named."""
    heads = ("one", *tokens(str(each.item["name"])))
    again = [f"{new} {head}" for new in ("another", "new") for head in heads]
    said = [tokens(text) for text in texts]
    broken = any(tells(words, "broken") for words in [*said, *map(tokens, task.context)])
    named = read_wanted(task.notes[-1:], product, each.item)
    all_named = named.is_of_now and named.values.keys() == each.item["options"].keys()
    new = any(has(words, *again) or tells(words, "replaced") for words in said)
    return all_named or (broken and new)


def _pick(task: Task, told: Wanted, product: Json, each: OrderItem) -> Json | None:
    """The one variant that matches, or None.

    If the rest should stay the same, a match counts only if it differs in nothing else, unless the
    price selected it.
    """
    if told.same and told.is_of_now and DIFFERENT in task.relaxed:
        same = product["variants"].get(each.id)
        if same is None or not same["available"]:
            text = f"The very same {each.item['name']} is not available at the moment."
            raise Refused(text, each.order["order_id"])
        return dict(same)
    if not told.asks_for_another:
        return None
    found = told.best(told.find(product))
    certain = told.by_price or not told.same
    return found[0] if len(found) == 1 and (certain or told.is_alike(found[0])) else None


def _texts_for(task: Task, each: OrderItem, picked: Sequence[OrderItem]) -> list[str]:
    """The sentences about one of the items, oldest first."""
    found: list[str] = []
    told = sorted([task.text, *task.same_message], key=task.message.find)
    for text in [*told, *task.notes]:
        named = mentions(text, [*picked]) if len(picked) > 1 else []
        mine = (one for one in named if any(each.id == thing.id for thing in one.found))
        about_it = " , ".join(" ".join((*one.before, *one.after)) for one in mine)
        if about_it or not named:
            found.append(about_it or text)
        elif says_everything(text):
            found.append(" ".join(named[0].before))
    return found


def _question(task: Task, each: OrderItem, told: Wanted, product: Json) -> Question | Statement:
    """An offer of the available variants, or a refusal.

    It begins by saying if nothing available is exactly as wanted.
    """
    name = str(each.item["name"])
    if told.same and told.is_of_now:
        said = [*task.words, *task.context, *task.chosen.values()]
        named = task.items or any(mentions(text, [each]) for text in said)
        return _refuse_same(task, each) if named else ask_items(task, [each])
    everything = Wanted(each.item).find(product)
    if not everything:
        return Statement(f"There is no other {name} available at the moment.", "refused")
    pool = told.find(product)
    if not pool and task.give_up:
        return Statement(f"There is no {name} like that available.", "refused")
    best = told.best(pool) or pool
    if not told.asks_for_another:
        lead = f"Which {name} would you like instead of {options(each.item)}?"
        since = read_wanted(task.notes, product, each.item)  # the first words may tell what it is
        best = since.find(product) or everything
    elif not best:
        lead = f"There is no {name}{told.in_words} available. Which one would you like instead?"
        best = told.nearest(everything)
    elif len(best) == 1:
        lead = f"Exactly that {name} is not available, but this one is. Would you like it?"
    elif told.same and not any(map(told.is_alike, best)):
        lead = f"No {name}{told.in_words} is available that is the same otherwise. Which one then?"
    else:
        lead = f"There is more than one {name} like that. Which one would you like?"
    if task.limit is not None:
        most = each.item["price"] + task.limit
        best = [one for one in best if one["price"] <= most] or best
    return offer_variants(task, each, lead, sorted(best, key=told.lacks), product)


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
        picks = picks_of(key, value)
        reads = ((s, read_wanted([f"{each.id} {s}"], product, each.item)) for s in picks)
        sentence = next((s for s, told in reads if told.values == {key: [value]}), "")
        from_price = f"{'from ' * (len(prices) > 1)}{money(min(prices))}"
        choices.append(Choice(sentence, f"{key} {value}: {from_price}"))
    return choices if all(choice.value for choice in choices) else []


def _refuse_same(task: Task, each: OrderItem) -> Statement:
    """The refusal to exchange an item for the very same variant.

    For a delivered item it carries the forbidden call and its rule, which a memory entry may relax.
    """
    kind = "same item" if each.order["status"] == "delivered" else "same pending"
    text = TEXTS["same again" if "again" in task.chosen else kind].format(each.item["name"])
    if kind == "same pending":
        return Statement(text, "refused")
    arguments = {
        "order_id": each.order["order_id"],
        "item_ids": [each.id],
        "new_item_ids": [each.id],
        "payment_method_id": original_method(each.order),
    }
    same_again = Call(DIFFERENT.tool, arguments, task)
    return Statement(text, "refused", forbidden=same_again, rule=DIFFERENT)
