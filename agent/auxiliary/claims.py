"""Finds the claims in a model's sentence that the facts do not support.

Law 3: a model may phrase what a card says; it may not invent it. A claim is a figure, an id, or a
name that occurs in the records (an item, a status, a city, a person). Each must occur in the facts.
How claims are combined is not checked: a sentence that gives each of two items the other's price
passes, and therefore every card lists the exact effects below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from domains.core.records import Base
from sessions.json_strings import strings_in

LONGEST_TERM = 5
"""The maximum number of words of a name that is looked for."""

# Matches begin at the start of a run of letters and digits and never inside it: a model may return
# a word of a hundred thousand letters.
_FIGURE = re.compile(r"(?<![^\W_])[^\W_]*\d(?:[\w.,:/-]*\w)?")
_NUMBER = re.compile(r"0*(\d+?)(?:\.(\d*?)0*)?")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NUMBERS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "twenty": "20", "thirty": "30",
    "fifty": "50", "hundred": "100", "thousand": "1000",
}  # fmt: skip

_TERMS: WeakKeyDictionary[Base, frozenset[str]] = WeakKeyDictionary()


def ungrounded_claims(text: str, facts: Iterable[str], base: Base) -> tuple[str, ...]:
    """The claims of a text that occur in none of the facts, each once, in the order of the text."""
    told = "\n".join(facts)
    figures = {_plain(found) for found in _FIGURE.findall(told)}
    known = {*_phrases(told.lower())}
    wrong = [found for found in _FIGURE.findall(text) if _plain(found) not in figures]
    wrong += [
        word
        for word in _WORD.findall(text)
        if (number := _NUMBERS.get(word.lower())) is not None
        and number not in figures
        and word.lower() not in known
    ]
    terms = _terms(base)
    wrong += [
        phrase
        for phrase in _phrases(text)
        if (phrase in terms or phrase.lower() in terms) and phrase.lower() not in known
    ]
    return tuple(dict.fromkeys(wrong))


def _plain(figure: str) -> str:
    """One spelling for a figure: ``1,299.50`` becomes ``1299.5``; ids are compared without case."""
    bare = figure.replace(",", "").lower()
    number = _NUMBER.fullmatch(bare)
    return ".".join(filter(None, number.groups())) if number else bare


def _phrases(text: str) -> Iterator[str]:
    """Yield every run of up to five words."""
    words = _WORD.findall(text)
    for begin in range(len(words)):
        for length in range(1, LONGEST_TERM + 1):
            if begin + length <= len(words):
                yield " ".join(words[begin : begin + length])


def _terms(base: Base) -> frozenset[str]:
    """The names that occur as values in the records, collected once for each base.

    They keep their case: a first name may be an ordinary word (*will*), and a status is one.
    """
    if base not in _TERMS:
        values = set(strings_in(base.collections, keys=False))
        _TERMS[base] = frozenset(
            " ".join(words)
            for words in (_WORD.findall(value) for value in values if not _FIGURE.search(value))
            if 0 < len(words) <= LONGEST_TERM and len("".join(words)) > 2
        )
    return _TERMS[base]
