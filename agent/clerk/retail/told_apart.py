"""Tells items of one name apart by the options that are said beside it."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.retail.item_mentions import Mention, OrderItem
from agent.clerk.retail.variant_slots import read_wanted


def most_told(hits: Sequence[OrderItem], words: Sequence[str]) -> list[OrderItem]:
    """The items for which the words give the most option values."""
    read = [read_wanted([" ".join(words)], {"variants": {"": e.item}}).values for e in hits]
    told = [
        sum(each.item["options"].get(key) in values for key, values in wanted.items())
        for each, wanted in zip(hits, read, strict=True)
    ]
    return [each for each, count in zip(hits, told, strict=True) if count == max(told)]


def told_apart(mention: Mention) -> list[OrderItem]:
    """The items that a mention may mean, by the words before it and, failing those, around it."""
    hits = [*mention.found]
    for words in (mention.before, (*mention.before, *mention.after)):
        found = most_told(hits, words) if len(hits) > 1 else hits
        if len(found) == 1:
            return found
    return hits
