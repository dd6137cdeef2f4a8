"""Items for other variants of the same products: delivered ones, and ones on order."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.deciding.offers import ask_to_pick
from agent.clerk.lessons.learned import Rule
from agent.clerk.retail.catalogue import kinds_sold, read_product
from agent.clerk.retail.manner import DATA, TEXTS
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.paying import for_difference, original_method, wanted_kinds
from agent.clerk.retail.things import Owned, mentions, says_everything, says_several
from agent.clerk.retail.wanted import Wanted, read_wanted
from agent.clerk.retail.wording import money, options
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Ask, Call, Choice, Refused, Settled, Tell
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens

DIFFERENT = Rule("exchange_delivered_order_items", "Each new item has different options")


def fill_swap(task: Task, memory: Memory, order: Json, items: Sequence[Owned]) -> Json | None:
    """Which items go, which come for them, and how the difference is paid.

    None where nothing is left of what was described; Settled with a question or a refusal.
    """
    described = [each for each in items if _is_described(task, each, memory)]
    if not described and task.written:
        return None
    picked = described or items
    wanted = ((each, _variant(task, each, picked, memory)) for each in picked)
    pairs = [(each, new) for each, new in wanted if new is not None]
    if not pairs:
        raise Refused("Then nothing is left that I could exchange.")
    due = round(sum(new["price"] - each.item["price"] for each, new in pairs), 2)
    _heed_limit(task, due)
    old, new = [each.id for each, _ in pairs], [str(each["item_id"]) for _, each in pairs]
    # for the very same items there is no difference, and nobody is asked
    original = original_method(order) if old == new and not wanted_kinds(task) else ""
    method_id = original or for_difference(task, memory, order, due)
    return {"item_ids": old, "new_item_ids": new, "payment_method_id": method_id}


def _is_described(task: Task, each: Owned, memory: Memory) -> bool:
    """Whether an item is one of "all my small ones", where several are meant."""
    product = memory.products.get(str(each.item["product_id"]))
    named = [one.before for text in task.words for one in mentions(text, [each])]
    several = next(filter(says_several, named), None)
    if product is None or several is None:
        return True
    return read_wanted([" ".join(several)], product).is_met_by(each.item)


def _heed_limit(task: Task, due: float) -> None:
    """What a customer has set as the most is looked at before anything is proposed."""
    if task.limit is not None and due > task.limit + 0.005:
        most = f"more than {money(task.limit)}" if task.limit else "more than you want to pay"
        raise Refused(
            f"That would cost {money(due)} on top, which is {most}, so I leave it as it is."
        )


def _variant(task: Task, each: Owned, picked: Sequence[Owned], memory: Memory) -> Json | None:
    """The variant that is wanted for an item; None where the item is left out."""
    product = read_product(memory, str(each.item["product_id"]))
    chosen = task.chosen.get(f"variant:{each.id}")
    if chosen in product["variants"]:
        return dict(product["variants"][chosen])
    texts = texts_for(task, each, picked)
    told = read_wanted(texts, product, each.item)
    found = _pick(task, told, product, each)
    if found is not None:
        return None if len(picked) > 1 and _is_so_already(told, found, each) else found
    if told.empty and not told.same:
        _refuse_other_product(task, each, memory)
    for text in [] if told.empty else task.alternatives:
        if has(tokens(text), "only", "just") and len(picked) > 1:
            return None
        found = _pick(task, read_wanted([*texts, text], product, each.item), product, each)
        if found is not None:
            return found
    raise Settled(_question(task, each, told, product))


def _is_so_already(told: Wanted, found: Json, each: Owned) -> bool:
    """Whether an item is as cheap, or as dear, as the one that was found for it."""
    dearest, better = told.by_price == "dearest", found["price"] > each.item["price"]
    return bool(told.by_price) and told.is_met_by(each.item) and better != dearest


def _very_same(each: Owned, product: Json) -> Json:
    """The variant that the item is of, where it is to be had."""
    same = product["variants"].get(each.id)
    if same is None or not same["available"]:
        text = f"The very same {each.item['name']} is not available at the moment."
        raise Refused(text, each.order["order_id"])
    return dict(same)


def _refuse_other_product(task: Task, each: Owned, memory: Memory) -> None:
    """Nothing can be exchanged for another product; whether one is meant its list tells."""
    own = str(each.item["name"])
    others = [one for one in kinds_sold(memory) if one.item["name"] != own]
    for text in task.words:
        words = tokens(text)
        named = any(
            has(words[max(0, one.start - 3) : one.start], "for", "to", "into", "with")
            and words[one.end - 1] not in tokens(own)
            for one in mentions(text, others)
        )
        if named or _names_something_else(words):
            raise Refused(TEXTS["other product"].format(own), each.order["order_id"])


def _names_something_else(words: Sequence[str]) -> bool:
    """Whether it says "for a coat", where that is no option of the product."""
    general = DATA["general"]
    return any(
        one in {"for", "into"} and other in {"a", "an"} and thing not in general
        for one, other, thing in zip(words, words[1:], words[2:], strict=False)
    )


def _pick(task: Task, told: Wanted, product: Json, each: Owned) -> Json | None:
    """The variant that is meant; only one that is alike in the rest is taken at once."""
    if told.empty:
        same = told.same and DIFFERENT in task.relaxed
        return _very_same(each, product) if same else None
    found = told.best(told.find(product))
    certain = told.item_id or told.by_price or not told.same
    return found[0] if len(found) == 1 and (certain or told.is_alike(found[0])) else None


def texts_for(task: Task, each: Owned, picked: Sequence[Owned]) -> list[str]:
    """What was said of one of the items, the oldest first."""
    found: list[str] = []
    for text in task.words:
        named = mentions(text, [*picked])
        mine = [" ".join(one.segment) for one in named if each.id in {o.id for o in one.found}]
        if mine:
            found.append(" , ".join(mine))
        elif not named or len(picked) == 1:
            found.append(text)
        elif says_everything(text):
            found.append(" ".join(named[0].before))
    return found


def _question(task: Task, each: Owned, told: Wanted, product: Json) -> Ask | Tell:
    """Offer what there is; what was wanted and is not there is said first."""
    name = str(each.item["name"])
    if told.empty and told.same:
        return _refuse_same(task, each)
    everything = Wanted(each.item).find(product)
    if not everything:
        return Tell(f"There is no other {name} available at the moment.", "refused")
    pool = told.find(product)
    if not pool and task.give_up:
        return Tell(f"There is no {name} like that available.", "refused")
    if told.empty:
        lead = f"Which {name} would you like instead of {options(each.item)}?"
        return _offer(task, each, lead, everything)
    best = told.best(pool) or pool
    if not best:
        lead = f"There is no {name} like that available. Which one would you like instead?"
    elif len(best) == 1:
        lead = f"Exactly that {name} is not available, but there is: Which one would you like?"
    else:
        lead = f"There is more than one {name} like that. Which one would you like?"

    def unlike(variant: Json) -> tuple[int, int]:
        """How many wanted values it lacks, and how many that the item has now."""
        has, now = variant["options"], each.item["options"]
        lacks = sum(has.get(key) not in values for key, values in told.values.items())
        return lacks, sum(value != now.get(key) for key, value in has.items())

    return _offer(task, each, lead, sorted(best or everything, key=unlike))


def _refuse_same(task: Task, each: Owned) -> Tell:
    """The very same item is no exchange; which policy a memory may read differently."""
    text = TEXTS["same item"].format(each.item["name"])
    if each.order["status"] != "delivered":
        return Tell(text, "refused")
    arguments = {
        "order_id": each.order["order_id"],
        "item_ids": [each.id],
        "new_item_ids": [each.id],
        "payment_method_id": original_method(each.order),
    }
    same_again = Call(DIFFERENT.tool, arguments, task)
    return Tell(text, "refused", forbidden=same_again, rule=DIFFERENT)


def _offer(task: Task, each: Owned, lead: str, pool: Sequence[Json]) -> Ask:
    choices = [
        Choice(str(v["item_id"]), f"{options(v)}: {money(v['price'])}", dict(v["options"]))
        for v in pool
    ]
    return ask_to_pick(lead, f"variant:{each.id}", task, choices, str(each.order["order_id"]))
