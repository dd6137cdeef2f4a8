"""English as far as the clerk knows it: word lists and expressions in data, and their look-up.

Everything here takes and gives plain text and knows no domain. What is common to all of them
stands in ``data/english.json``, what one domain adds in ``data/DOMAIN.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA

LONGEST = 2000
"""Characters of one message that are read."""

SENTENCE = 500
"""Characters of one sentence that are read as one; a longer one is cut."""

EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){1,4}")
ZIP = re.compile(r"(?<![\w#])\d{5}(?![\w-])")

_OUT_OF_PLACE = 2
"""Slips that a word with all its letters may have, however short it is."""

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\t": " "})
_WORD = re.compile(r"[a-z]{5,14}")
_PART = re.compile(r"\{([a-z_]+)\}")
_SENTENCE = re.compile(
    r"(?<!\bst)(?<!\bave)(?<!\bapt)(?<!\bdr)(?<!\brd)(?<!\bste)(?<!\bno)[.!?;]+(?=\s|$)|\n+"
    r"|(?:(?<=^)|(?<=\s))\(?[1-9]\)(?=\s)|(?<=[:,;] )[1-9]\.(?=\s)"
    r"|:(?= (?:how|what|which|where|when|can|could|is|are|do|please|i)\b)"
)


class Language:
    """The words of one domain, those common to all of them included."""

    def __init__(
        self,
        domain: str,
        parts: Callable[[], Mapping[str, str]] = dict,
        names: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """The language of a domain.

        Args:
            domain: names the data file.
            parts: expressions by name, put for ``{name}`` where the data's expressions have it.
            names: words that are spelled right, besides those listed in the data.
        """
        self.domain = domain
        self.parts = parts
        self.names = names

    @property
    def words(self) -> dict[str, Any]:
        """The data by name: the domain's, and for what it does not have, the common data.

        Lists that both have are joined, the common one first.
        """
        return _words(self.domain)

    def pattern(self, name: str) -> re.Pattern[str]:
        """The regular expression kept in the data under that name."""
        return _pattern(self, name)

    def says(self, name: str, text: str) -> bool:
        """Whether the text matches the named expression."""
        return _pattern(self, name).search(text) is not None

    def table(self, name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """An ordered list of ``[meaning, expression or expressions]`` from the data, compiled."""
        return _table(self, name)

    def first_meaning(self, name: str, text: str) -> str | None:
        """The first meaning in the named table whose expression the text matches."""
        return next((meaning for meaning, found in self.table(name) if found.search(text)), None)

    def meanings(self, name: str, text: str) -> list[str]:
        """Every meaning of the named table that occurs in the text, in the order of the text."""
        hits = ((found.search(text), meaning) for meaning, found in self.table(name))
        return [meaning for _, meaning in sorted((hit.start(), each) for hit, each in hits if hit)]

    def corrected(self, text: str) -> str:
        """Plain text with small typing errors in the clerk's own vocabulary put right."""
        text = _WORD.sub(
            lambda hit: _spelled(self, hit.group()) if _alone(hit) else hit.group(), text
        )
        for short, long in self.words["shorthand"]:
            text = re.sub(short, long, text)
        return text

    def ordinals(self, text: str) -> list[int]:
        """The positions a customer pointed at: "the second one", "2", "option 3"."""
        bare = self.pattern("bare_number")
        alone = [hit for line in text.split("\n") if (hit := bare.match(line))]
        if alone:
            return [int(alone[-1].group(1))]
        listed = self.words["ordinals"]
        names = "|".join(map(re.escape, listed))
        found = re.finditer(rf"\b(?:the )?({names})(?={self.words['after_ordinal']})", text)
        return [listed[hit.group(1)] for hit in found]

    def clauses(self, sentence: str) -> list[str]:
        """A sentence cut where a new request begins: "…, and cancel the other one"."""
        return [part.strip(" ,") for part in _joint(self).split(sentence) if part.strip(" ,")]


def plain(text: str) -> str:
    """Lower case, straight quotes, single blanks, at most ``LONGEST`` characters."""
    short = text[:LONGEST].translate(_QUOTES).lower()
    return re.sub(r"[ \xa0]+", " ", short).strip()


def sentences(text: str) -> list[str]:
    """The sentences of a plain text, none longer than ``SENTENCE``."""
    parts = (part.strip(" ,") for part in _SENTENCE.split(text) if part.strip(" ,.!?"))
    return [
        part[start : start + SENTENCE] for part in parts for start in range(0, len(part), SENTENCE)
    ]


@cache
def _words(domain: str) -> dict[str, Any]:
    common, own = _read("english"), _read(domain)
    joined = {
        name: common[name] + own[name]
        for name in common.keys() & own.keys()
        if isinstance(common[name], list)
    }
    return {**common, **own, **joined}


def _read(name: str) -> dict[str, Any]:
    text = resources.files("agent.clerk").joinpath(f"data/{name}.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@cache
def _pattern(language: Language, name: str) -> re.Pattern[str]:
    return re.compile(_filled(language, language.words[name]), re.IGNORECASE)


@cache
def _table(language: Language, name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (meaning, re.compile(_filled(language, _either(text))))
        for meaning, text in language.words[name]
    )


def _either(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "|".join(f"(?:{each})" for each in text)


def _filled(language: Language, text: str) -> str:
    if not _PART.search(text):
        return text
    parts = language.parts()
    return _PART.sub(lambda hit: f"(?:{parts[hit.group(1)]})", text)


@cache
def _joint(language: Language) -> re.Pattern[str]:
    words = language.words
    starts, opener, joints = words["clause_starts"], words["clause_openers"], words["clause_joints"]
    return re.compile(_filled(language, rf"{joints}(?={opener}(?:{starts})\b)"))


def _alone(hit: re.Match[str]) -> bool:
    """Whether the letters are a whole word, not a part of an address, a code or a contraction."""
    before = hit.string[hit.start() - 1 : hit.start()]
    after = hit.string[hit.end() : hit.end() + 1]
    return not (before.isalnum() or before in {"@", "_", "'", "#"}) and not (
        after.isalnum() or after in {"@", "_"}
    )


@lru_cache(maxsize=4096)
def _spelled(language: Language, word: str) -> str:
    if word in _known(language):
        return word
    slack = 1 if len(word) < 8 else 2
    vocabulary = language.words["spelling_vocabulary"]
    found = process.extractOne(word, vocabulary, scorer=OSA.distance, score_cutoff=slack)
    near = found[0] if found and found[0][0] == word[0] else None
    meant: str = near or next((each for each in vocabulary if _scrambled(word, each)), word)
    return meant


def _scrambled(word: str, meant: str) -> bool:
    """Whether a word is another one with two letters out of place: "ecomony"."""
    alike = word[0] == meant[0] and sorted(word) == sorted(meant)
    return alike and OSA.distance(word, meant) <= _OUT_OF_PLACE


@cache
def _known(language: Language) -> frozenset[str]:
    words = language.words
    return frozenset({*words["spelling_known"], *words["spelling_vocabulary"], *language.names()})
