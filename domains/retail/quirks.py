"""τ²-bench's defects, each by name, and the correct behaviour without it.

With τ²-bench's records the tools must leave the records as τ²-bench's own tools would, defects
included, or the scores would not agree. With our own records they behave correctly. Every place
where the two differ is a method here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domains.core.changes import Record
from domains.retail import store


@dataclass(frozen=True, slots=True)
class Quirks:
    """The defects that the tools have; none by default."""

    last_variant: bool = False
    """Every modified item gets the price and the options of the last new item."""

    finds_again: bool = False
    """Items are looked up by id again for each pair.

    A pair can therefore hit what an earlier pair has just written, and two items with one id both
    count at the first one's price.
    """

    refunds_refunds: bool = False
    """Cancelling refunds every payment row, including rows that were refunds themselves."""

    float_noise: bool = False
    """The price difference of modified items keeps its floating-point noise: 71.96000000000001."""

    empty_refund: bool = False
    """Modifying items without a price difference records a refund of zero."""

    loses_pairs: bool = False
    """Exchanged and new items are sorted separately, so it is lost which replaced which."""

    def positions(self, items: Sequence[Record], item_ids: Sequence[str]) -> list[int]:
        """The position of each id among an order's items; a repeated id takes the next such item.

        Raises ValueError if an id is not among them.
        """
        held = [item["item_id"] for item in items]
        if self.finds_again:
            return [held.index(item_id) for item_id in item_ids]
        found: list[int] = []
        for count, item_id in enumerate(item_ids):
            earlier = [found[index] for index in range(count) if item_ids[index] == item_id]
            found.append(held.index(item_id, earlier[-1] + 1 if earlier else 0))
        return found

    def replace_items(
        self, order: Record, item_ids: Sequence[str], variants: Sequence[Record]
    ) -> None:
        """Put each variant in place of the item at the same position in ``item_ids``."""
        items = order["items"]
        positions = self.positions(items, item_ids)
        for item_id, position, variant in zip(item_ids, positions, variants, strict=False):
            item = store.get_item(order, item_id) if self.finds_again else items[position]
            source = variants[-1] if self.last_variant else variant
            item["item_id"] = variant["item_id"]
            item["price"] = source["price"]
            item["options"] = dict(source["options"])

    def difference(self, amount: float) -> float:
        """A price difference in dollars, as it is recorded."""
        return amount if self.float_noise else round(amount, 2)

    def records_payment_of(self, amount: float) -> bool:
        """Whether a price difference of this amount adds a payment row."""
        return amount != 0 or self.empty_refund

    def refunds(self, history: Sequence[Record]) -> list[tuple[str, float]]:
        """What cancelling pays out: payment method ids with dollars."""
        if self.refunds_refunds:
            return [(row["payment_method_id"], row["amount"]) for row in history]
        paid: dict[str, float] = {}
        for row in history:
            sign = 1 if row["transaction_type"] == "payment" else -1
            method_id = row["payment_method_id"]
            paid[method_id] = round(paid.get(method_id, 0.0) + sign * row["amount"], 2)
        return [(method_id, amount) for method_id, amount in paid.items() if amount > 0]

    def exchange_lists(
        self, item_ids: Sequence[str], new_item_ids: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """The two lists that an exchange records, in an order independent of the request's.

        Items at equal positions belong together, except under the quirk ``loses_pairs``.
        """
        if self.loses_pairs:
            return sorted(item_ids), sorted(new_item_ids)
        pairs = sorted(zip(item_ids, new_item_ids, strict=True))
        return [old for old, _ in pairs], [new for _, new in pairs]


CORRECT = Quirks()
"""How the tools behave with our own records: without defects."""

TAU2 = Quirks(
    last_variant=True,
    finds_again=True,
    refunds_refunds=True,
    float_noise=True,
    empty_refund=True,
    loses_pairs=True,
)
"""How the tools behave with τ²-bench's records: as its own tools do."""
