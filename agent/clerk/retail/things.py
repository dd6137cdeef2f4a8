"""Items and orders that a customer's words are about, found among their own records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.clerk.remembering import Json
from agent.clerk.retail.manner import SAID, manner_data, tells
from agent.clerk.understanding.tokens import Tokens, alike, has, tokens


@dataclass(frozen=True)
class Owned:
    """An item in an order."""

    item: Json
    order: Json

    @property
    def id(self) -> str:
        """The item's id."""
        return str(self.item["item_id"])


@dataclass(frozen=True)
class Mention:
    """A place in a text that names things, and the text that belongs to it."""

    start: int
    end: int
    found: tuple[Owned, ...]
    before: Tokens = ()
    after: Tokens = ()

    @property
    def segment(self) -> Tokens:
        """The words around it that tell of it."""
        return (*self.before, *self.after)


def items_of(orders: Iterable[Json]) -> list[Owned]:
    """All items of some orders."""
    return [Owned(item, order) for order in orders for item in order["items"]]


def mentions(text: str, things: Sequence[Owned]) -> list[Mention]:
    """Where a text names things, in its order, each with the words that belong to it."""
    words = tokens(text)
    spans = _best(_spans(words, things))
    found = []
    for place, (start, end, _, hits) in enumerate(spans):
        left = _cut(words, spans[place - 1][1], start) if place else 0
        right = _cut(words, end, spans[place + 1][0]) if place + 1 < len(spans) else len(words)
        found.append(Mention(start, end, hits, words[left:start], words[end:right]))
    return found


def _cut(words: Tokens, left: int, right: int) -> int:
    """Where what tells of one thing ends and what tells of the next begins."""
    for place in range(right - 1, left - 1, -1):
        if words[place] in SAID.words["joints"]:
            return place
    return max(left, right - 3) if right - left > 6 else right


Span = tuple[int, int, float, tuple[Owned, ...]]


def _spans(words: Tokens, things: Sequence[Owned]) -> list[Span]:
    names: dict[str, list[Owned]] = {}
    for each in things:
        names.setdefault(str(each.item["name"]), []).append(each)
    found: list[Span] = []
    known = {each for name in names for each in tokens(name)}
    for name, hits in names.items():
        own = tokens(name)
        for place, word in enumerate(words):
            if word in known and word not in own:
                continue
            start, end, score = _match(own, words, place)
            if score:
                found.append((start, end, score, tuple(hits)))
    for each in things:
        found += [
            (place, place + 1, 9.0, (each,)) for place, word in enumerate(words) if word == each.id
        ]
    return found


def _match(name: Tokens, words: Tokens, place: int) -> tuple[int, int, float]:
    """How well a name ends at a place of a text; its last word names the thing."""
    if not alike_end(words[place], name[-1]):
        single = len(words[place]) > 3 and words[place] not in manner_data()["adjectives"]
        named = single and any(alike(words[place], each) for each in name[:-1])
        return place, place + 1, 0.6 if named else 0.0
    start, score = place, 1.0
    while start > 0 and any(alike(words[start - 1], each) for each in name[:-1]):
        start -= 1
        score += 1.0
    return start, place + 1, score


def alike_end(word: str, head: str) -> bool:
    """Whether a word is a name's last one; "cleaner" and a synonym are."""
    return alike(word, head) or manner_data()["synonyms"].get(word) == head


def _best(spans: list[Span]) -> list[Span]:
    """Spans that do not overlap, the better ones; those that fit a place equally well joined."""
    chosen: list[Span] = []
    for span in sorted(spans, key=lambda each: -each[2]):
        clash = [n for n, other in enumerate(chosen) if span[0] < other[1] and other[0] < span[1]]
        if not clash:
            chosen.append(span)
            continue
        start, end, score, hits = chosen[clash[0]]
        if (span[0], span[1], span[2]) == (start, end, score):
            chosen[clash[0]] = (start, end, score, (*hits, *span[3]))
    whole = {id(each.item) for s in chosen if s[2] >= 1 for each in s[3]}
    kept = [s for s in chosen if s[2] >= 1 or not any(id(each.item) in whole for each in s[3])]
    return sorted(kept, key=lambda each: each[:2])


def named_items(text: str, things: Sequence[Owned]) -> list[Owned]:
    """Every thing that a text may name, without regard to which of several it is."""
    found = [each for mention in mentions(text, things) for each in mention.found]
    return list({id(each.item): each for each in found}.values())


def says_everything(text: str) -> bool:
    """Whether all of something is meant."""
    return tells(tokens(text), "everything") and not has(tokens(text), "everything else")


def says_several(words: Tokens) -> bool:
    """Whether more than one of several like things is meant."""
    return bool(SAID.words["several"] & set(words))
