"""Applies conditions on the price, using the trial: *use the gift card if it is over $400*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agent.comparison.amounts import CENT, ELSE, amounts
from agent.comparison.sentences import Sentence

_OVER = re.compile(r"\b(?:(?:more|higher|greater) than|over|above|exceed\w*)\b", re.IGNORECASE)
_UNDER = re.compile(
    r"\b(?:(?:less|lower|cheaper) than|under|below|within|up to|at most)\b", re.IGNORECASE
)
_ASKED = re.compile(
    r"^\W*(?:(?:and|or|but|so|ok|then|also)\W+)?if\b[^,\d]*\d[\d,.]*(?: dollars| bucks)?\W*",
    re.IGNORECASE,
)

_BARE = re.compile(
    r"\b(?:it|that|price|total|cost)(?:['’]?s| is| costs)? [a-z ]*\b(\d{2,5})\W*$", re.I
)


def sentences_at_cost(said: Iterable[Sentence], cost: float) -> Iterator[Sentence]:
    """Yield the sentences, with those that depend on a price cut to what applies at this cost."""
    failed = False
    for sentence in said:
        holds = _holds(sentence, cost)
        other = ELSE.search(sentence.text)
        if holds is None:
            yield _cut(sentence, sentence.text[other.end() :]) if failed and other else sentence
        elif not holds and other:
            yield _cut(sentence, sentence.text[other.end() :])
        elif holds:
            asked = sentence.text[: other.start()] if other else sentence.text
            yield _cut(sentence, _ASKED.sub("", asked))
        failed = holds is False and other is None


def _sums(text: str) -> Sequence[float]:
    """The amounts in a condition; a bare number at its end is dollars too: *if it's over 400*."""
    bare = _BARE.search(text)
    return amounts(text) or ((float(bare[1]),) if bare else ())


def _cut(sentence: Sentence, text: str) -> Sentence:
    return replace(sentence, text=text.strip(" ,:;"), quote=sentence.words_to_quote)


def _holds(sentence: Sentence, cost: float) -> bool | None:
    """Whether its condition on the price holds; None if it has no such condition."""
    if not sentence.has_digit or "if" not in sentence.words:
        return None
    for clause in sentence.clauses:
        above, below = _OVER.search(clause.text), _UNDER.search(clause.text)
        listed = _sums(clause.text) if "if" in clause.words and not clause.denies else ()
        if len(listed) == 1 and (above is None) is not (below is None):
            return cost > listed[0] + CENT if above else cost < listed[0] - CENT
    return None
