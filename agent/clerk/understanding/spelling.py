"""Corrects spelling mistakes in what customers type, for the models that read it.

"can i exhcange teh keybord" means nothing to an encoder that has tokens for words as they are
spelled. A word is corrected only if it is in no dictionary and customers hardly use it, and only to
a word that they do use: a name, a code or a rare word stays as it is.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from pathlib import Path

from spellchecker import SpellChecker

from agent.clerk.understanding.encoder import knows_word

CUSTOMER_WORDS = Path(__file__).parent / "customer_words.json"
"""The usual words of the examples that the reader is trained with, the most frequent first, as
``tests.generators.clerk_reader.words`` writes them."""

_SHORTEST, _LONGEST = 3, 20
_WORD = re.compile(rf"(?<![\w@.'’/#-])[a-zA-Z]{{{_SHORTEST},{_LONGEST}}}(?![\w@'’/]|\.\w)")
"""A word that may be misspelled: no part of a code, an address, a name with a mark in it."""


@lru_cache(maxsize=4096)
def correct(text: str) -> str:
    """The text with its spelling mistakes corrected; what has a capital only at its start stays."""
    return _WORD.sub(lambda hit: _correct(hit.group()), text)


def is_word(text: str) -> bool:
    """Whether these letters are a word that the encoder, a dictionary or customers know."""
    word = text.lower()
    return knows_word(word) or word in _ranks() or word in _dictionary()


def _correct(word: str) -> str:
    if word.istitle() or is_word(word):
        return word
    return _nearest(word.lower())


@lru_cache(maxsize=4096)
def _nearest(word: str) -> str:
    """The word of customers that is one edit away: one of the same letters, or a usual one."""
    ranks, near = _ranks(), _dictionary().candidates(word) or ()
    usual = [each for each in near if each in ranks]
    return min(usual, key=lambda each: (sorted(each) != sorted(word), ranks[each]), default=word)


@cache
def _ranks() -> dict[str, int]:
    words = json.loads(CUSTOMER_WORDS.read_text(encoding="utf-8"))
    return {word: rank for rank, word in enumerate(words)}


@cache
def _dictionary() -> SpellChecker:
    return SpellChecker(distance=1)
