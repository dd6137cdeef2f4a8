"""Items and orders that a text mentions, found among the customer's own records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from agent.clerk.retail.intent_data import DATA, SAID, stands_under, tells
from agent.clerk.state.records import Json
from agent.clerk.understanding.tokens import Tokens, alike, has, tokens

_CLAUSE = re.compile(r"[,.;!?](?!\d)|(?= but )")
_NEAR = 4
_DESCRIBING = frozenset({"with", "of", "from"})
"""Words before an item that only describes another: "the lamp that came with the bedding"."""


class Clause(NamedTuple):
    """A clause, from one token to before another."""

    start: int
    end: int
    keeps: bool
    """Whether it says that something stays, and asks for nothing."""

    after_colon: bool


@dataclass(frozen=True)
class OrderItem:
    """An item together with its order."""

    item: Json
    order: Json

    @property
    def id(self) -> str:
        """The item's id."""
        return str(self.item["item_id"])


@dataclass(frozen=True)
class Mention:
    """A span of tokens that mentions items, and the tokens around it that describe them."""

    start: int
    end: int
    score: float
    """How well the tokens match the items' name."""

    found: tuple[OrderItem, ...]
    before: Tokens = ()
    after: Tokens = ()
    of_order: bool = False
    """Whether the item only identifies an order: "the order with the lamp", "my lamp order"."""

    near: Tokens = ()
    """The tokens right before it in its clause, where "not" or "keep" speaks of it."""

    is_kept: bool = False
    """Whether its clause says that it stays: "the lamp that came with it I'm keeping"."""

    @property
    def segment(self) -> Tokens:
        """The tokens around the span that describe the items."""
        return (*self.before, *self.after)


def items_of(orders: Iterable[Json]) -> list[OrderItem]:
    """All items of the given orders."""
    return [OrderItem(item, order) for order in orders for item in order["items"]]


def mentions(text: str, things: Sequence[OrderItem]) -> list[Mention]:
    """The mentions of items in a text, in order, each with the tokens that describe it."""
    words, clauses = tokens(text), clauses_of(text)
    found = _best([*_all_mentions(words, things)])
    for place, one in enumerate(found):
        left = _cut(words, found[place - 1].end, one.start) if place else 0
        right = len(words)
        if place + 1 < len(found):
            right = _cut(words, one.end, found[place + 1].start)
        colons = [each.start for each in clauses if each.after_colon and each.start <= one.start]
        left = max(left, *colons, 0)
        before, after = words[left : one.start], words[one.end : right]
        clause = next(each for each in clauses if one.start < each.end)
        in_clause = one.start - clause.start
        held = stands_under(words[clause.start :], in_clause, "order holding")
        of_order = held or after[:1] == ("order",)
        found[place] = replace(
            one,
            before=before,
            after=after,
            of_order=of_order,
            near=words[max(left, clause.start, one.start - _NEAR) : one.start],
            is_kept=clause.keeps and not _DESCRIBING & {*words[max(0, one.start - 2) : one.start]},
        )
    return found


def clauses_of(text: str) -> list[Clause]:
    """The clauses of a text; those between marks, and that after a "but"."""
    found: list[Clause] = []
    start = 0
    for number, part in enumerate(text.split(":")):
        for place, words in enumerate(map(tokens, _CLAUSE.split(part))):
            keeps = tells(words, "clause keeps") and not tells(words, "clause acts")
            colon = number > 0 and place == 0
            found.append(Clause(start, start + len(words), keeps, colon))
            start += len(words)
    return found


def _cut(words: Tokens, left: int, right: int) -> int:
    """The place where the description of one mention ends and that of the next begins."""
    for place in range(right - 1, left - 1, -1):
        if words[place] in SAID.words["joints"]:
            return place
    return max(left, right - 3) if right - left > 6 else right


def _all_mentions(words: Tokens, things: Sequence[OrderItem]) -> Iterator[Mention]:
    names: dict[Tokens, list[OrderItem]] = {}
    for each in things:
        names.setdefault(tokens(str(each.item["name"])), []).append(each)
    known = {each for name in names for each in name}
    for name, hits in names.items():
        for place, word in enumerate(words):
            start, score = _match(name, words, place)
            if score and (word in name or word not in known):
                yield Mention(start, place + 1, score, tuple(hits))
    for each in things:
        places = (place for place, word in enumerate(words) if word == each.id)
        yield from (Mention(place, place + 1, 9.0, (each,)) for place in places)


def _match(name: Tokens, words: Tokens, place: int) -> tuple[int, float]:
    """The start and the score of a product name that ends at a place; score 0 if none does.

    The last token of a name is its head: "cleaner", or a synonym. A single other token of the name
    scores 0.6.
    """
    word, start, score = words[place], place, 1.0
    if not alike(word, name[-1]) and DATA["synonyms"].get(word) != name[-1]:
        single = len(word) > 3 and word not in DATA["adjectives"]
        return place, 0.6 if single and any(alike(word, each) for each in name[:-1]) else 0.0
    while start > 0 and any(alike(words[start - 1], each) for each in name[:-1]):
        start, score = start - 1, score + 1.0
    return start, score


def _best(found: list[Mention]) -> list[Mention]:
    """The best mentions that do not overlap; equally good ones for the same span are merged."""
    chosen: list[Mention] = []
    for one in sorted(found, key=lambda each: -each.score):
        clash = [n for n, e in enumerate(chosen) if one.start < e.end and e.start < one.end]
        if not clash:
            chosen.append(one)
            continue
        known = chosen[clash[0]]
        if (one.start, one.end, one.score) == (known.start, known.end, known.score):
            chosen[clash[0]] = replace(known, found=(*known.found, *one.found))
    return sorted(chosen, key=lambda each: each.start)


def named_items(text: str, things: Sequence[OrderItem]) -> list[OrderItem]:
    """All items that a text may mention, even where several share a name."""
    return _found_by(mentions(text, things))


def items_meant(text: str, things: Sequence[OrderItem]) -> list[OrderItem]:
    """The items that a text mentions for themselves, not just to identify an order."""
    return _found_by(each for each in mentions(text, things) if not each.of_order)


def holders(text: str, things: Sequence[OrderItem]) -> list[Json]:
    """The orders that a text identifies by an item in them: "the order with the lamp"."""
    found = _found_by(each for each in mentions(text, things) if each.of_order)
    return [each.order for each in found]


def _found_by(named: Iterable[Mention]) -> list[OrderItem]:
    found = [each for mention in named for each in mention.found]
    return list({id(each.item): each for each in found}.values())


def says_everything(text: str) -> bool:
    """Whether a text refers to all items."""
    words = tokens(text)
    return tells(words, "everything") and not tells(words, "nothing more to say")


def says_several(words: Tokens) -> bool:
    """Whether the tokens refer to more than one of several similar items."""
    return bool(SAID.words["several"] & set(words))


def says_rest(text: str) -> bool:
    """Whether a text refers to all items but those mentioned: "the rest", "everything else"."""
    return tells(tokens(text), "the rest") and not tells(tokens(text), "rest is kept")


def is_of_another(words: Tokens) -> bool:
    """Whether the tokens refer to another person's order: "his order", "my roommate's account"."""
    for place, word in enumerate(words):
        owner, mark, rest = word.partition("'")
        own = mark and rest == "s" and owner not in SAID.words["no owners"]
        theirs = own or word in SAID.words["people"]
        if theirs and SAID.words["owned"] & {*words[place + 1 : place + 3]}:
            return True
    return False


def is_excluded(mention: Mention) -> bool:
    """Whether the customer wants the mentioned item left alone: "leave the dog bed"."""
    if mention.is_kept:
        return True
    near = mention.near
    if tells(near, "disliked"):
        return False
    stays = tells(mention.after[:3], "stays") or has(near[-3:], "except")
    return stays or (tells(near, "taken out") and not has(near, "only", "just", "back"))
