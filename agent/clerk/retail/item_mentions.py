"""Items and orders that a text mentions, found among the customer's own records."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from agent.clerk.retail.intent_data import DATA, SAID, stands_under, tells
from agent.clerk.state.records import Json
from agent.clerk.understanding.mention_roles import roles_of
from agent.clerk.understanding.spelling import correct
from agent.clerk.understanding.tokens import Tokens, alike, has, span, tokens

_CLAUSE = re.compile(r"[,.;:!?](?!\d)|(?= but )")


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
    """A span of tokens that mentions items."""

    start: int
    end: int
    score: float
    """How well the tokens match the items' name."""

    found: tuple[OrderItem, ...]
    before: Tokens = ()
    """The tokens before the span that describe the items."""

    after: Tokens = ()
    of_order: bool = False
    """Whether the item only identifies an order: "the order with the lamp", "my lamp order"."""

    is_excluded: bool = False
    """Whether the item is to be left alone: "leave the dog bed", "the dog bed stays"."""


def items_of(orders: Iterable[Json]) -> list[OrderItem]:
    """All items of the given orders."""
    return [OrderItem(item, order) for order in orders for item in order["items"]]


def mentions(text: str, things: Sequence[OrderItem]) -> list[Mention]:
    """The mentions of items in a text, in order, each with the tokens that describe it."""
    text = correct(text)
    words = tokens(text)
    found = _best([*_all_mentions(words, things)])
    kept_out = _ids_kept_out(text, found)
    listed = len(tokens(text.partition(":")[0])) if ":" in text else 0
    clauses = [*map(tokens, _CLAUSE.split(text))]
    starts = [*accumulate(map(len, clauses), initial=0)]
    for place, one in enumerate(found):
        left = _cut(words, found[place - 1].end, one.start) if place else 0
        left = max(left, listed) if listed <= one.start else left
        last = place + 1 == len(found)
        right = len(words) if last else _cut(words, one.end, found[place + 1].start)
        one = replace(one, before=words[left : one.start], after=words[one.end : right])
        place_of_clause = min(bisect_right(starts, one.start), len(clauses)) - 1
        start, clause = starts[place_of_clause], clauses[place_of_clause]
        of_order = stands_under((*clause, ""), one.start - start, "order holding")
        of_order |= one.after[:1] == ("order",)
        if tells(clause, "clause has") and not tells(clause, "clause acts"):
            of_order |= _comes_again(found, start, start + len(clause))
        put_off = tells(one.after[:3], "put off")
        excluded = put_off or all(each.id in kept_out for each in one.found)
        found[place] = replace(one, of_order=of_order, is_excluded=excluded)
    return found


def _ids_kept_out(text: str, found: Sequence[Mention]) -> set[str]:
    """The ids of the items that are to be left alone, by the last mention of each.

    One that is named by its id was picked, whatever words it stands among.
    """
    roles = roles_of(text, tuple(span(text, each.start, each.end) for each in found))
    last = {e.id: role for one, role in zip(found, roles, strict=True) for e in one.found}
    words = tokens(text)
    return {key for key, role in last.items() if role == "kept_out" and key not in words}


def _comes_again(found: Sequence[Mention], start: int, end: int) -> bool:
    """Whether one of the things that a clause mentions is mentioned again after it.

    "I have a desk and a chair on order, can I switch the desk?" is about the desk alone.
    """
    here = {each.id for one in found if start <= one.start < end for each in one.found}
    return any(each.id in here for one in found if one.start >= end for each in one.found)


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
    for place, word in enumerate(words):
        for name, hits in names.items():
            start, score = _match(name, words, place)
            if score and (word in name or word not in known):
                yield Mention(start, place + 1, score, tuple(hits))
        yield from (Mention(place, place + 1, 9.0, (e,)) for e in things if e.id == word)


def _match(name: Tokens, words: Tokens, place: int) -> tuple[int, float]:
    """The start and the score of a product name that ends at a place; score 0 if none does.

    The last token of a name is its head: "cleaner", or a synonym. A single other token of the name
    scores 0.6.
    """
    word, start, score = words[place], place, 1.0
    if not alike(word, name[-1]) and DATA["synonyms"].get(word) != name[-1]:
        points = words[place + 1 : place + 2] in {("one",), ("ones",)}  # "the wool one"
        single = len(word) > 3 and (points or word not in DATA["adjectives"])
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


def found_by(named: Iterable[Mention]) -> list[OrderItem]:
    """The items of some mentions, each once."""
    found = [each for mention in named for each in mention.found]
    return list({id(each.item): each for each in found}.values())


def named_items(text: str, things: Sequence[OrderItem]) -> list[OrderItem]:
    """All items that a text may mention, even where several share a name."""
    return found_by(mentions(text, things))


def items_meant(text: str, things: Sequence[OrderItem]) -> list[OrderItem]:
    """The items that a text mentions for themselves, not just to identify an order."""
    return found_by(each for each in mentions(text, things) if not each.of_order)


def says_everything(text: str) -> bool:
    """Whether a text refers to all items."""
    words = tokens(text)
    as_it_is = has(words, "same") and has(words, "and everything")  # "same size and everything"
    return tells(words, "everything") and not (as_it_is or tells(words, "nothing more to say"))


def says_only(text: str) -> bool:
    """Whether a text is about nothing else; "I only keep the puzzle" leaves out just that."""
    clauses = map(tokens, _CLAUSE.split(text))
    return any(tells(each, "only") and not tells(each, "only so") for each in clauses)


def is_of_another(words: Tokens) -> bool:
    """Whether the tokens refer to another person's order: "his order", "my roommate's account"."""
    for place, word in enumerate(words):
        owner, mark, rest = word.partition("'")
        own = mark and rest == "s" and owner not in SAID.words["no owners"]
        theirs = own or word in SAID.words["people"]
        if theirs and SAID.words["owned"] & {*words[place + 1 : place + 3]}:
            return True
    return False
