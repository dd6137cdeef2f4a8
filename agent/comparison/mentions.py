"""Finds which of a set of known alternatives a message wants, refuses or only mentions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import contains

from agent.comparison.refusals import Named, Things, says_it_is_fine, start_of_refusal
from agent.comparison.sentences import Clause, Sentence, Tokens, words
from domains.core.facts import Keys, Ways
from domains.text.phrasing import corrects

NOTHING: Keys = frozenset()

Phrases = Mapping[str, Sequence[tuple[Tokens, Keys]]]
"""The phrases that name alternatives, grouped by their first word, longest first."""


@dataclass(frozen=True, slots=True)
class Mention:
    """The alternatives of a choice that a message wants, refuses or mentions."""

    wanted: Keys = NOTHING
    refused: Keys = NOTHING
    possible: Keys = NOTHING
    """Named in a question or under a condition, and so neither requested nor refused."""

    alone: Keys = NOTHING
    """Requested with *only* or *just*."""

    quote: str = ""
    refusal: str = ""
    """The sentence that refuses; empty if none does."""

    alone_quote: str = ""

    def __bool__(self) -> bool:
        return bool(self.wanted or self.refused)


NOTHING_MENTIONED = Mention()

_PREPARED = 128
"""How many choices keep their phrases prepared: enough for the cards of the last few minutes."""

_prepared: dict[int, tuple[Ways, Phrases]] = {}


def phrases(ways: Ways) -> Phrases:
    """The phrases of a choice, prepared for searching; cached by the identity of ``ways``."""
    known = _prepared.get(id(ways))
    if known is None or known[0] is not ways:
        if len(_prepared) >= _PREPARED:
            _prepared.clear()
        known = _prepared[id(ways)] = (ways, _by_first_word(ways))
    return known[1]


def _by_first_word(ways: Ways) -> Phrases:
    found: dict[str, list[tuple[Tokens, Keys]]] = {}
    for way, keys in ways.items():
        tokens = _words(way)
        if tokens:
            found.setdefault(tokens[0], []).append((tokens, keys))
    for listed in found.values():
        if len(listed) > 1:
            listed.sort(key=lambda each: -len(each[0]))
    return found


@lru_cache(maxsize=4096)
def _words(way: str) -> Tokens:
    return words(way)


Lookup = Callable[[str], str | None]


def names_in(tokens: Tokens, known: Phrases, lookup: Lookup | None = None) -> Iterator[Named]:
    """Yield where alternatives are named in the words, and which; the longest match wins."""
    behind = 0
    for place, word in enumerate(tokens):
        if place < behind:
            continue
        found = known.get(word)
        if found is not None:
            for way, keys in found:
                end = place + len(way)
                if tokens[place:end] == way:
                    behind = end
                    yield Named(place, end, keys)
                    break
        if place >= behind and lookup is not None and (key := lookup(word)) is not None:
            yield Named(place, place + 1, frozenset({key}))


def speaks_of(tokens: Tokens, ways: Ways, lookup: Lookup | None = None) -> Keys:
    """Every alternative that is named, whether it is wanted, refused or only mentioned."""
    known = phrases(ways)
    if lookup is None and known.keys().isdisjoint(tokens):
        return NOTHING
    return _union(keys for _, _, keys in names_in(tokens, known, lookup))


def names_any(tokens: Tokens, ways: Ways) -> bool:
    """Whether any alternative is named, even one that this customer does not have."""
    return next(names_in(tokens, phrases(ways)), None) is not None


def mention(
    said: Iterable[Sentence],
    ways: Ways,
    lookup: Lookup | None = None,
    *,
    things: Things = "",
    stated: bool = False,
) -> Mention:
    """The mention that the sentences make together; later ones override earlier ones.

    Of ``things`` that are taken away or replaced, one that is to be kept is not wanted. Of things
    that are taken away, one that the customer does not need is wanted. With ``stated``, a question
    counts as a statement, such as an agent's *shall I use the Visa?*
    """
    known = phrases(ways)
    found = _Found(things, stated)
    asked: Keys = NOTHING
    for sentence in said:
        says_nothing = lookup is None and known.keys().isdisjoint(sentence.words)
        if sentence.is_question and not says_nothing:
            asked = speaks_of(sentence.words, ways, lookup)
        elif asked and says_nothing and not things and PASSES.search(sentence.text):
            found.refuse(asked, sentence)
        if says_nothing and len(sentence.words) <= _MOST_OF_A_CORRECTION:
            found.corrects |= corrects(sentence.text)
        if not says_nothing and not sentence.unsure:
            found.before, found.here = found.here, NOTHING
            for clause in sentence.clauses:
                found.add(sentence, clause, list(_names_meant(clause.words, known, lookup)))
    return found.mention()


def _names_meant(tokens: Tokens, known: Phrases, lookup: Lookup | None) -> Iterator[Named]:
    """Yield where alternatives are named, but not in *too small* or *the order that had it*."""
    end = next((at for at in range(len(tokens)) if _describes(tokens[at : at + 4])), len(tokens))
    for each in names_in(tokens, known, lookup):
        if each.place < end and tokens[max(each.place - 1, 0)] != "too":
            yield each


def _describes(four: Tokens) -> bool:
    """Whether the words identify an order by its other contents: *the one from the order with*."""
    return len(four) == len(_FROM_WHICH) and all(map(contains, _FROM_WHICH, four))


@dataclass(slots=True)
class _Found:
    things: Things
    stated: bool
    wanted: Keys = NOTHING
    here: Keys = NOTHING
    """Wanted in the current sentence."""

    before: Keys = NOTHING
    """Wanted in the previous sentence that names an alternative."""

    corrects: bool = False
    """Whether what comes next replaces what was wanted last."""

    refused: Keys = NOTHING
    possible: Keys = NOTHING
    alone: Keys = NOTHING
    quotes: list[str] = field(default_factory=list)
    refusal: str = ""
    alone_quote: str = ""
    conditional: Keys = NOTHING
    condition: str = ""

    def add(self, sentence: Sentence, clause: Clause, places: list[Named]) -> None:
        self.corrects |= corrects(clause.text)
        if not places:
            return
        end = start_of_refusal(clause, places, self.things)
        denied = _narrow(keys for place, _, keys in places if place > end)
        # a name that contains the negating word is not negated by it: *No laptop sleeve*
        plain = _narrow(keys for place, _, keys in places if place <= end)
        states = clause.mood == "said" or (self.stated and clause.mood == "asked")
        if not states or _COMPARES.search(clause.text):
            self.possible |= plain if clause.mood == "then" else plain | denied
            if clause.mood == "then" and plain:
                self.conditional, self.condition = plain, sentence.words_to_quote
            return
        if plain and says_it_is_fine(clause, self.things):
            # "send the mug back, the lamp is fine" keeps the lamp; by itself it may be an answer
            if self.here and not plain & self.here:
                denied, plain = denied | plain, NOTHING
            else:
                self.possible, plain = self.possible | plain, NOTHING
        if denied:
            self.refuse(denied, sentence)
        if plain:
            self.want(plain, sentence, alone=_is_alone(clause, places[0].place))

    def want(self, keys: Keys, sentence: Sentence, *, alone: bool) -> None:
        """Record that these are wanted; after a correction they replace those named last."""
        if self.corrects and (instead := (self.here or self.before) - keys):
            self.refuse(instead, sentence)
        self.corrects = False
        self.wanted |= keys
        self.here |= keys
        self.refused -= keys
        self.quotes.append(sentence.words_to_quote)
        if alone:
            self.alone, self.alone_quote = keys, sentence.words_to_quote
            self.possible = NOTHING
        elif keys - self.alone:
            self.alone = NOTHING

    def refuse(self, keys: Keys, sentence: Sentence) -> None:
        """Record that these are not wanted, whatever was said before."""
        self.refused |= keys
        self.wanted -= keys
        self.refusal = sentence.words_to_quote

    def mention(self) -> Mention:
        quote = self.quotes[-1] if self.quotes else ""
        if not self.wanted and not self.refused and self.conditional:
            # "if it is one or the other, then this" is the only request there is
            return Mention(self.conditional, possible=self.possible, quote=self.condition)
        return Mention(
            self.wanted, self.refused, self.possible, self.alone, quote, self.refusal,
            self.alone_quote,
        )  # fmt: skip


_FROM_WHICH = (
    frozenset(words("from in of")),
    frozenset(words("the that my same")),
    frozenset(words("order package parcel delivery box shipment")),
    frozenset(words("that which where with containing")),
)

_MOST_OF_A_CORRECTION = 4
"""The most words in a sentence that only says the last one was wrong: *Actually, no*."""

PASSES = re.compile(
    r"\b(?:skip|pass on|do without|decline|don['’]?t (?:want|need)) (?:it|that|this|them)\b"
    r"|\bI['’]?ll pass\b|^(?:no|nope|nah)(?:[,.!]|$| thank)",
    re.IGNORECASE,
)
"""Phrases that decline what was asked about: *Insurance? Is it worth it? I'll skip it*."""

_COMPARES = re.compile(r"\b(?:less|more|fewer|cheaper|bigger|smaller) than\b", re.IGNORECASE)
"""Comparisons, which name no alternative: *500 pieces less than now*."""

_ARTICLES = frozenset(words("the my that this one those"))
_VERBS = frozenset(
    words("want wanted need needed to have get do cancel return exchange modify change swap send")
)
"""Words that may separate *only* from what is meant. After *just*, only an article may."""


def _is_alone(clause: Clause, place: int) -> bool:
    """Whether *only* or *just* comes right before what is named."""
    before = [word for word in clause.words[:place] if word not in _ARTICLES]
    if before and before[-1] == "just":
        return True
    named = [word for word in before if word not in _VERBS]
    return bool(named) and named[-1] == "only"


def _narrow(found: Iterable[Keys]) -> Keys:
    """Combine the alternatives that are named, and intersect those that overlap.

    Of *my credit card ending in 1234*, only what both phrases may mean is left.
    """
    groups: list[Keys] = []
    for keys in found:
        for at, group in enumerate(groups):
            if group & keys:
                groups[at] = group & keys
                break
        else:
            groups.append(keys)
    return _union(groups)


def _union(found: Iterable[Keys]) -> Keys:
    return frozenset().union(*found)
