"""What changes of the store do, as values to be held against what was said."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from domains.facts import Cheaper, Choice, Facts, Keys, Money, Selection, Source, Wanted, Ways
from domains.payment_ways import payment_ways
from domains.records import Draft, Preview, Record
from domains.retail import store, wording
from domains.tool import Arguments

REASONS: Ways = {
    "no longer needed": frozenset({"no longer needed"}),
    "no longer need": frozenset({"no longer needed"}),
    "don't need": frozenset({"no longer needed"}),
    "do not need": frozenset({"no longer needed"}),
    "changed my mind": frozenset({"no longer needed"}),
    "by mistake": frozenset({"ordered by mistake"}),
    "mistake": frozenset({"ordered by mistake"}),
    "accident": frozenset({"ordered by mistake"}),
    "accidentally": frozenset({"ordered by mistake"}),
    "wrong order": frozenset({"ordered by mistake"}),
}

_ADDRESS = ("address1", "address2", "city", "zip")


def facts(draft: Draft, preview: Preview) -> Facts | None:
    """What a call that was tried would do; None for one that says nothing that could be compared.

    ``draft`` has the records before it.
    """
    tell = _BY_TOOL.get(preview.call.name)
    return None if tell is None else tell(draft, preview)


def _cancel(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _order(draft, preview)
    due = _moved(before, after)
    back = [row["payment_method_id"] for row in _added(before, after)]
    reason = preview.call.arguments["reason"]
    return Facts(
        verbs=frozenset({"cancel", "call off", "drop", "get rid of"}),
        acts=frozenset({"cancel"}),
        about=_about(before),
        others=_others(draft, user, before),
        record=_which(user, before),
        choices=(
            *_methods(user, back, _paid_with(before), "refunds to"),
            Choice("reason", f"gives “{reason}” as the reason", frozenset({reason}), REASONS),
        ),
        selections=(
            _items(
                "cancels",
                before,
                [each["item_id"] for each in before["items"]],
                owned=_owned(draft, user),
                takes_away=True,
            ),
        ),
        money=Money(due, f"refunds {wording.money(-due)}", 1, _amounts(before)),
    )


def _modify(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _order(draft, preview)
    return _swapped(draft, preview, before, user, _moved(before, after), "modify")


def _exchange(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _order(draft, preview)
    due = float(after["exchange_price_difference"])
    return _swapped(draft, preview, before, user, due, "exchange")


def _pairs(draft: Draft, order: Record, arguments: Arguments) -> list[tuple[Record, Record]]:
    """Each item with the variant that it is to be, as the catalogue has it.

    What a tool's defect writes into the order instead is told by the card's effects; what is asked
    for is compared with what was ordered.
    """
    listed = zip(arguments["item_ids"], arguments["new_item_ids"], strict=True)
    items = ((store.get_item(order, old_id), new_id) for old_id, new_id in listed)
    return [(old, store.get_variant(draft, old["product_id"], new_id)) for old, new_id in items]


def _swapped(
    draft: Draft,
    preview: Preview,
    before: Record,
    user: Record,
    due: float,
    verb: str,
) -> Facts:
    """Items for other variants of their products."""
    pairs = _pairs(draft, before, preview.call.arguments)
    method = preview.call.arguments["payment_method_id"]
    does = "charges" if due > 0 else "refunds to"
    words = f"charges {wording.money(due)}" if due > 0 else f"refunds {wording.money(-due)}"
    parts = {price for pair in pairs for each in pair for price in (each["price"],)}
    parts |= {abs(new["price"] - old["price"]) for old, new in pairs}
    old_sum, new_sum = (sum(pair[side]["price"] for pair in pairs) for side in (0, 1))
    return Facts(
        verbs=frozenset(
            {verb, "exchange", "swap", "change", "modify", "switch", "replace", "trade", "update"}
        ),
        about=_about(before),
        others=_others(draft, user, before),
        record=_which(user, before),
        choices=(
            *(_methods(user, [method], _paid_with(before), does) if due else ()),
            *_options(draft, pairs),
        ),
        selections=(
            _items(
                "modifies" if verb == "modify" else "exchanges",
                before,
                [old["item_id"] for old, _ in pairs],
                owned=_owned(draft, user),
                once=True,
            ),
        ),
        money=Money(due, words, 1, frozenset({*parts, old_sum, new_sum, *_amounts(before)})),
        cheaper=_cheaper(draft, pairs),
    )


def _return(draft: Draft, preview: Preview) -> Facts:
    before, _, user = _order(draft, preview)
    arguments = preview.call.arguments
    items = [store.get_item(before, each) for each in arguments["item_ids"]]
    due = float(sum(each["price"] for each in items))
    return Facts(
        verbs=frozenset({"return", "send back", "give back", "bring back", "refund", "go back"}),
        acts=frozenset({"return", "send back"}),
        about=_about(before),
        others=_others(draft, user, before),
        record=_which(user, before),
        choices=_methods(user, [arguments["payment_method_id"]], _paid_with(before), "refunds to"),
        selections=(
            _items("returns", before, arguments["item_ids"], owned=_owned(draft, user),
                   once=True, takes_away=True),
        ),
        money=Money(
            -due, f"refunds {wording.money(due)}", 1,
            frozenset({*(each["price"] for each in items), *_amounts(before)}),
        ),
    )  # fmt: skip


def _pay(draft: Draft, preview: Preview) -> Facts:
    before, _, user = _order(draft, preview)
    new = preview.call.arguments["payment_method_id"]
    amount = float(before["payment_history"][0]["amount"])
    choice = Choice(
        "payment method",
        f"pays with {wording.by_method(user, new)}",
        frozenset({new}),
        payment_ways(user, _paid_with(before)),
        before=frozenset(_paid_with(before)),
    )
    return Facts(
        verbs=frozenset({"pay", "change", "switch", "use", "charge", "modify", "update", "put"}),
        about=_about(before),
        others=_others(draft, user, before),
        record=_which(user, before),
        choices=(choice,),
        money=Money(amount, f"charges {wording.money(amount)}", 1, _amounts(before)),
    )


def _ship(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _order(draft, preview)
    return Facts(
        verbs=frozenset({"ship", "change", "send", "deliver", "update", "modify", "move"}),
        about=_about(before),
        others=_others(draft, user, before),
        record=_which(user, before),
        sources=tuple(_address(after["address"], "ships to")),
    )


def _move(draft: Draft, preview: Preview) -> Facts:
    user = store.get_user(preview.after, preview.call.arguments["user_id"])
    return Facts(
        verbs=frozenset({"change", "update", "move", "set", "modify", "replace"}),
        about={"default address": frozenset({"address"}), "address": frozenset({"address"})},
        sources=tuple(_address(user["address"], "sets")),
    )


_BY_TOOL: dict[str, Callable[[Draft, Preview], Facts]] = {
    "cancel_pending_order": _cancel,
    "exchange_delivered_order_items": _exchange,
    "modify_pending_order_address": _ship,
    "modify_pending_order_items": _modify,
    "modify_pending_order_payment": _pay,
    "modify_user_address": _move,
    "return_delivered_order_items": _return,
}


def _order(draft: Draft, preview: Preview) -> tuple[Record, Record, Record]:
    """An order before and after, and whose it is."""
    key = preview.call.arguments["order_id"]
    before = store.get_order(draft, key)
    return before, store.get_order(preview.after, key), store.get_user(draft, before["user_id"])


def _added(before: Record, after: Record) -> Sequence[Record]:
    rows: list[Record] = after["payment_history"][len(before["payment_history"]) :]
    return rows


def _moved(before: Record, after: Record) -> float:
    """Dollars that rows added to the payments charge; negative where they refund."""
    signs = {"payment": 1, "refund": -1}
    moved: float = sum(
        signs[row["transaction_type"]] * row["amount"] for row in _added(before, after)
    )
    return round(moved, 2)


def _paid_with(order: Record) -> list[str]:
    return [
        row["payment_method_id"]
        for row in order["payment_history"]
        if row["transaction_type"] == "payment"
    ]


def _amounts(order: Record) -> frozenset[float]:
    prices = [item["price"] for item in order["items"]]
    paid = [row["amount"] for row in order["payment_history"]]
    return frozenset((*prices, round(sum(prices), 2), *paid))


def _methods(
    user: Record, used: Iterable[str], original: Iterable[str], does: str
) -> tuple[Choice, ...]:
    chosen = list(dict.fromkeys(used))
    if not chosen:
        return ()
    named = wording.listing([wording.by_method(user, each) for each in chosen])
    ways = payment_ways(user, original)
    return (Choice("payment method", f"{does} {named}", frozenset(chosen), ways),)


def _about(order: Record) -> Ways:
    return {order["order_id"]: frozenset({"order"}), **_item_ways(order)}


def _others(draft: Draft, user: Record, order: Record) -> Ways:
    """The customer's other orders, by their ids and by what is in them and not in this one."""
    here = {way for item in order["items"] for way in _product_ways(item["name"])}
    found: dict[str, Keys] = {}
    for order_id in user["orders"]:
        other = None if order_id == order["order_id"] else draft.get("orders", order_id)
        if other is not None:
            found[order_id] = frozenset({order_id})
            names = (way for item in other["items"] for way in _product_ways(item["name"]))
            found.update((way, frozenset({order_id})) for way in names if way not in here)
    return found


def _which(user: Record, order: Record) -> Choice:
    mine = order["order_id"]
    ways = {each: frozenset({each}) for each in user["orders"]}
    return Choice("order", f"is about order {mine}", frozenset({mine}), ways, things="replaced")


def _owned(draft: Draft, user: Record) -> Counter[str]:
    """How many of each product the customer has ordered."""
    orders = (draft.get("orders", each) for each in user["orders"])
    return Counter(item["product_id"] for order in orders if order for item in order["items"])


def _items(
    does: str,
    order: Record,
    chosen: Iterable[str],
    *,
    owned: Counter[str],
    once: bool = False,
    takes_away: bool = False,
) -> Selection:
    """Items of an order; of a product that was bought more than once an option says which."""
    names = {each["item_id"]: wording.item(each) for each in order["items"]}
    ways = {way: set(keys) for way, keys in _item_ways(order).items()}
    for item in order["items"]:
        if takes_away and owned[item["product_id"]] > 1:
            for value in item["options"].values():
                if len(value) > 3 and not value.isdigit():
                    ways.setdefault(value, set()).add(item["item_id"])
    found = {way: frozenset(keys) for way, keys in ways.items()}
    alike: dict[str, set[str]] = defaultdict(set)
    for item in order["items"]:
        alike[item["product_id"]].add(item["item_id"])
    groups = tuple(frozenset(keys) for keys in alike.values() if len(keys) > 1)
    here = Counter(item["product_id"] for item in order["items"])
    elsewhere = frozenset(
        item["item_id"]
        for item in order["items"]
        if owned[item["product_id"]] > here[item["product_id"]]
    )
    return Selection(does, frozenset(chosen), found, names, once, groups, takes_away, elsewhere)


def _item_ways(order: Record) -> Ways:
    """An item's product, each of its last words that says as much, and its id."""
    found: dict[str, set[str]] = defaultdict(set)
    for item in order["items"]:
        for way in _product_ways(item["name"]):
            found[way].add(item["item_id"])
        found[item["item_id"]].add(item["item_id"])
        for value in item["options"].values():
            found[f"{value} {item['name']}"].add(item["item_id"])
    return {way: frozenset(keys) for way, keys in found.items()}


def _product_ways(name: str) -> Iterator[str]:
    """``mechanical keyboard``, ``keyboard``."""
    yield name
    *_, last = name.replace("-", " ").split()
    if len(last) > 3 and last.lower() not in ("set", "shoes"):
        yield last
    yield from _ALSO.get(name.lower(), ())


_ALSO: Mapping[str, tuple[str, ...]] = {
    "headphones": ("headset",),
    "e-reader": ("ereader", "reader", "kindle"),
    "t-shirt": ("tshirt", "tee", "shirt"),
    "sneakers": ("shoes",),
    "hiking boots": ("boots", "shoes"),
    "running shoes": ("shoes", "runners"),
    "luggage set": ("luggage", "suitcase"),
    "laptop": ("computer",),
    "smartphone": ("phone",),
    "cycling helmet": ("bike helmet", "helmet"),
    "action camera": ("camera",),
    "digital camera": ("camera",),
    "air purifier": ("purifier",),
    "vacuum cleaner": ("vacuum",),
    "jigsaw puzzle": ("puzzle",),
    "desk lamp": ("lamp",),
    "water bottle": ("bottle",),
    "office chair": ("chair",),
    "smart watch": ("smartwatch", "watch"),
    "wristwatch": ("watch",),
    "indoor security camera": ("camera", "security camera"),
    "electric kettle": ("kettle",),
    "electric toothbrush": ("toothbrush",),
    "smart thermostat": ("thermostat",),
    "bluetooth speaker": ("speaker",),
    "portable charger": ("charger", "power bank"),
    "wireless earbuds": ("earbuds", "earphones"),
    "makeup kit": ("makeup",),
    "backpack": ("bag", "rucksack"),
    "bookshelf": ("shelf",),
    "garden hose": ("hose",),
    "fleece jacket": ("jacket", "fleece"),
    "tea kettle": ("kettle",),
    "coffee maker": ("coffee machine",),
    "pet bed": ("dog bed", "cat bed"),
    "dumbbell set": ("dumbbells", "weights"),
    "yoga mat": ("mat",),
    "patio umbrella": ("umbrella",),
    "gaming mouse": ("mouse",),
    "grill": ("barbecue", "bbq"),
    "perfume": ("fragrance",),
    "notebook": ("journal",),
    "sunglasses": ("shades",),
}
"""Other words for what the catalogue sells."""


def _options(draft: Draft, pairs: Sequence[tuple[Record, Record]]) -> Iterator[Choice]:
    """Every option of every new item, among the values that its product comes in."""
    several = len({old["product_id"] for old, _ in pairs}) > 1
    for old, new in pairs:
        variants = store.get_product(draft, old["product_id"])["variants"].values()
        topic: Ways = {way: frozenset({"item"}) for way in _product_ways(old["name"])}
        for name, value in new["options"].items():
            values = {each["options"].get(name, "") for each in variants} - {""}
            if len(values) > 1:
                yield Choice(
                    f"{name} of the {old['name']}",
                    f"makes the {old['name']}'s {name} {value}",
                    frozenset({value}),
                    {way: keys for each in values for way, keys in _value_ways(name, each)},
                    topic if several else {},
                    frozenset({old["options"].get(name, "")}),
                )


def _value_ways(name: str, value: str) -> Iterator[tuple[str, Keys]]:
    """How a value of an option is said; a bare *yes*, *no* or number says nothing by itself."""
    key = frozenset({value})
    low = value.lower()
    if low in ("yes", "no", "none") or low.isdigit():
        yield f"{value} {name}", key
        yield f"{name} {value}", key
    elif low in ("high", "low", "medium", "large", "small", "full", "half", "fixed", "adjustable"):
        yield f"{value} {name}", key
        yield value, key
    else:
        yield value, key


def _cheaper(
    draft: Draft, pairs: Sequence[tuple[Record, Record]]
) -> Callable[[Wanted], Cheaper | None]:
    """Looks for a variant of the same product that has what was asked for and costs less."""

    def look(wanted: Wanted) -> Cheaper | None:
        for old, new in pairs:
            variants = store.get_product(draft, old["product_id"])["variants"].values()
            fitting = [
                each
                for each in variants
                if each["available"]
                and each["item_id"] != old["item_id"]
                and wanted.keys & set(new["options"].values()) <= set(each["options"].values())
            ]
            best = min(fitting, key=lambda each: float(each["price"]), default=None)
            if best is not None and best["price"] < new["price"]:
                words = f"the {old['name']} comes cheaper: {wording.variant(best)}"
                return Cheaper(words, (wording.money(best["price"]),))
        return None

    return look


def _address(address: Record, does: str) -> Iterator[Source]:
    for line in _ADDRESS:
        if address[line].strip():
            yield Source(
                f"{line} of the address", address[line], f"{does} {wording.address(address)}"
            )
