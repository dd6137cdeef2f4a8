"""Splits a policy into single lines under their headings, and selects the few relevant ones.

Relevance is lexical: words that are rare in the policy weigh most, and a line is scored by its own
words and by those of its heading. Words are compared by their first letters, so that *cancel*,
*cancelled* and *cancellation* are the same.
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
"""How many lines are selected at most, and how many of them even if they are faintly relevant."""

FAINT = 0.4
"""A line whose score is below this share of the best line's score is left out."""

HEADING = 0.9
"""How much a heading counts, if a line's own words count 1."""

STRICTNESS = 1.35
"""How much more a line weighs that forbids, limits or demands something."""

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
    """One bullet or sentence of a policy, and the headings above it."""

    section: str
    """The heading, after the one above it unless that is the title: ``Orders > Cancel``."""

    text: str


def lines_of(policy: str) -> list[PolicyLine]:
    """Every line of a Markdown policy, in order.

    Bullets below words that end in a colon begin with these words; a sentence that refers back to
    the one before it stays with it.
    """
    return list(_lines(policy))


def choose(policy: str, bearings: Iterable[tuple[str, float]]) -> tuple[PolicyLine, ...]:
    """The lines most relevant to weighted texts, in the policy's order.

    Lines that demand a yes in words are skipped: here the confirmation card asks for it.
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
    """The index of the text that is closest to these words; None if none shares a word."""
    found = TfIdfIndex(texts).closeness(_weights([(words, 1.0)]))
    best = max(range(len(texts)), key=found.__getitem__, default=None)
    return best if best is not None and found[best] > 0 else None


def closeness(texts: tuple[str, ...], words: str) -> list[float]:
    """How close each text is to some words: 1 for the closest, 0 for one that shares none."""
    return _held_index(texts).closeness(_weights([(words, 1.0)]))


class TfIdfIndex:
    """An index of texts by their stems, weighted by tf-idf once so that a query only adds up.

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
        """How close each text is to weighted stems, by cosine: the closest 1, no shared stem 0."""
        found = [0.0] * self._size
        for stem, weight in wanted.items():
            for place, share in self._postings.get(stem, ()):
                found[place] += weight * share
        highest = max([0.0, *found]) or 1.0
        return [each / highest for each in found]


@lru_cache(maxsize=4)
def _held_index(texts: tuple[str, ...]) -> TfIdfIndex:
    """A cached index, for texts that are searched repeatedly, such as those of a memory."""
    return TfIdfIndex(texts)


@cache
def _index(policy: str) -> tuple[tuple[PolicyLine, ...], TfIdfIndex, TfIdfIndex]:
    """The lines to choose from, and the indexes of their texts and headings; cached per policy."""
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
    """The headings of a line as a path.

    The title of the whole policy says nothing about a part of it, so it only counts if it is the
    only heading.
    """
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
    """Yield the stems of a text's words, by which they are compared, without very common words."""
    for word in _WORD.findall(text.replace("_", " ").lower()):
        if word not in _COMMON:
            yield word.removesuffix("s")[:STEM]


def _strictness(line: PolicyLine) -> float:
    return STRICTNESS if _STRICT.search(line.text) else 1.0


def _weights(bearings: Iterable[tuple[str, float]]) -> Mapping[str, float]:
    """Each stem with the sum of the weights of the texts that it occurs in."""
    weights: dict[str, float] = {}
    for text, weight in bearings:
        for stem in set(stems(text)):
            weights[stem] = weights.get(stem, 0.0) + weight
    return weights
