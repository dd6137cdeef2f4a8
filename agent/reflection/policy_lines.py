"""A policy as single lines under their headings, and the few that bear on something.

Relevance is lexical: words that are rare in the policy weigh most, and a line is judged by its own
words and by those of its heading. Words are compared by their first letters, so that *cancel*,
*cancelled* and *cancellation* are one.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

MOST = 5
FEWEST = 2
"""How many lines a choice has, where the policy has as many."""

FAINT = 0.4
"""A line that bears on the matter less than this share of what the first one does is left out."""

HEADING = 0.9
"""How much a heading counts, where a line's own words count 1."""

STRICTNESS = 1.35
"""How much more a line weighs that forbids, limits or demands."""

STEM = 5
"""How many first letters make two words the same."""

_HEADING = re.compile(r"#{1,6}\s+(.*)")
_BULLET = re.compile(r"(?:[-*+]|\d+[.)])\s+(.*)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_LEANING = re.compile(r"(?:So|Other|Otherwise|It|This|These|They|In particular)\b")
_WORD = re.compile(r"[^\W\d_]+")
_STRICT = re.compile(
    r"\b(?:only|must|never|not|cannot|once|exactly|needs?|either|nothing|neither|single|enough)\b"
)
_ASKS_FOR_YES = re.compile(r"explicit\w*.*\b(?:confirm\w*|yes|consent|agree\w*)\b", re.IGNORECASE)
_COMMON = frozenset(
    _WORD.findall(
        """a agent all also an and any are as at be been before but by can do does for from has have
        if in into is it its may no not of on one only or so such than that the their them then
        there these they this to until was were what when where which who whose will with would you
        your"""
    )
)


@dataclass(frozen=True, slots=True)
class PolicyLine:
    """One bullet or sentence of a policy, and the headings it stands under."""

    section: str
    """The heading, after the one above it where that is not the title: ``Orders > Cancel``."""

    text: str


def lines_of(policy: str) -> list[PolicyLine]:
    """Every line of a markdown policy, in its order.

    Bullets under words that end in a colon carry these words with them; a sentence that leans on
    the one before it stays with it.
    """
    return list(_lines(policy))


def choose(policy: str, bearings: Iterable[tuple[str, float]]) -> tuple[PolicyLine, ...]:
    """The lines that bear most on weighted texts, in the policy's order.

    Lines that ask for a yes in words are passed over: here the confirmation card asks.
    """
    lines, texts, headings = _index(policy)
    wanted = _weights(bearings)
    words, sections = texts.closeness(wanted), headings.closeness(wanted)
    scores = [
        round((word + HEADING * section) * _strictness(line), 9)
        for line, word, section in zip(lines, words, sections, strict=True)
    ]
    ranked = sorted(range(len(lines)), key=lambda place: -scores[place])[:MOST]
    kept = [
        place
        for count, place in enumerate(ranked)
        if scores[place] > 0 and (count < FEWEST or scores[place] >= FAINT * scores[ranked[0]])
    ]
    return tuple(lines[place] for place in sorted(kept))


def closest(texts: Sequence[str], words: str) -> int | None:
    """The place of the text that these words come closest to; None where none shares a word."""
    found = TfIdfIndex(texts).closeness(_weights([(words, 1.0)]))
    best = max(range(len(texts)), key=found.__getitem__, default=None)
    return best if best is not None and found[best] > 0 else None


def closeness(texts: tuple[str, ...], words: str) -> list[float]:
    """How close each of many texts is to some words: the closest 1, one that shares none 0."""
    return _held_index(texts).closeness(_weights([(words, 1.0)]))


class TfIdfIndex:
    """Texts by their stems, each weighted by tf-idf once, so that a query only adds up.

    BM25 libraries take no weights for the words of a query, and here some count against a line.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        bags = [frozenset(stems(text)) for text in texts]
        self._size = len(bags)
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        kinds = set(bags)
        rarity = {
            stem: math.log(1 + len(kinds) / count)
            for stem, count in Counter(stem for bag in kinds for stem in bag).items()
        }
        for place, bag in enumerate(bags):
            length = math.sqrt(sum(rarity[stem] ** 2 for stem in bag))
            for stem in bag:
                self._postings[stem].append((place, rarity[stem] ** 2 / length))

    def closeness(self, wanted: Mapping[str, float]) -> list[float]:
        """How close each text is to weighted stems, by cosine; the closest is 1, a stranger 0."""
        found = [0.0] * self._size
        for stem, weight in wanted.items():
            for place, share in self._postings.get(stem, ()):
                found[place] += weight * share
        highest = max([0.0, *found]) or 1.0
        return [each / highest for each in found]


@lru_cache(maxsize=4)
def _held_index(texts: tuple[str, ...]) -> TfIdfIndex:
    """For texts that are searched again with other words, as those of a memory are."""
    return TfIdfIndex(texts)


@cache
def _index(policy: str) -> tuple[tuple[PolicyLine, ...], TfIdfIndex, TfIdfIndex]:
    """The lines to choose from, and their texts and headings to search; once for a policy."""
    lines = tuple(line for line in lines_of(policy) if not _ASKS_FOR_YES.search(line.text))
    return (
        lines,
        TfIdfIndex(line.text for line in lines),
        TfIdfIndex(line.section for line in lines),
    )


def _lines(policy: str) -> Iterator[PolicyLine]:
    headings: list[tuple[int, str]] = []
    lead = ""
    for raw in policy.splitlines():
        text = raw.strip()
        if heading := _HEADING.fullmatch(text):
            level = len(text) - len(text.lstrip("#"))
            headings = [above for above in headings if above[0] < level]
            headings.append((level, _plain(heading[1])))
            lead = ""
        elif bullet := _BULLET.fullmatch(text):
            yield PolicyLine(_section(headings), f"{lead} {_plain(bullet[1])}".strip())
        elif text.endswith(":"):
            lead = _plain(text)
        elif text:
            lead = ""
            yield from (PolicyLine(_section(headings), each) for each in _sentences(text))


def _section(headings: list[tuple[int, str]]) -> str:
    """The title of the whole policy says nothing about a part of it, unless it is all there is."""
    names = [name for level, name in headings if level > 1] or [name for _, name in headings]
    return " > ".join(names) or "Policy"


def _plain(text: str) -> str:
    return text.replace("**", "").replace("`", "").strip()


def _sentences(text: str) -> list[str]:
    found: list[str] = []
    for sentence in _SENTENCE.split(_plain(text)):
        if found and _LEANING.match(sentence):
            found[-1] += f" {sentence}"
        else:
            found.append(sentence)
    return found


def stems(text: str) -> Iterator[str]:
    """The words of a text as they are compared, less those that every text has."""
    for word in _WORD.findall(text.replace("_", " ").lower()):
        if word not in _COMMON:
            yield word.removesuffix("s")[:STEM]


def _strictness(line: PolicyLine) -> float:
    return STRICTNESS if _STRICT.search(line.text) else 1.0


def _weights(bearings: Iterable[tuple[str, float]]) -> Mapping[str, float]:
    """Each stem with the weights of the texts that it occurs in."""
    weights: dict[str, float] = {}
    for text, weight in bearings:
        for stem in set(stems(text)):
            weights[stem] = weights.get(stem, 0.0) + weight
    return weights
