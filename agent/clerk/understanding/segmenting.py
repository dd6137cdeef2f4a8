"""Divides a sentence into segments with one intent each, by what its clauses are likely to be.

The clauses are classified alone and together. The best division is found by dynamic programming,
as in probabilistic segmentation: no list of words says where one request ends and the next begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import log

from agent.clerk.understanding.intents import Guess
from agent.clerk.understanding.parsed_message import IntentCatalog
from agent.clerk.understanding.tokens import Tokens, tokens

_PARTS = re.compile(
    r"\s*(?:,(?!\d)|[;:()]|\s-\s|\s[–—]\s)\s*"
    r"|(?<!\banything)(?<!\bnothing)(?<!\beverything)(?<!\ball)"
    r"\s+(?=(?:and|then|also|but|plus|so|because|&)\s)",
    re.IGNORECASE,
)
LONGEST_SPAN = 6
"""The most clauses of one segment."""

BOUNDARY, TURN = 2.5, 1.0
"""What a boundary costs, and one before a word that turns to something else."""

_TURNS = frozenset({"but", "also", "plus", "then"})
CONFLICT, CONFLICT_AT_TURN = 1.2, 2.5
"""How much it counts that a clause of a segment is likely to request something else."""

SURE_ALONE = 0.6
"""How likely a clause's intent must be for the clause to begin a segment."""

MOST_WORDS = 5
"""How many words of a segment count at most, so that a long one may be less certain."""

_LEAST, _TWO = 0.01, 0.05
"""The least likelihood that counts, and that of a segment with the verbs of two changes."""

ASKS, ELSE = 2.0, 6.0
"""How many times likelier than a plain verb's intent a question, or any other intent, must be."""


@dataclass(frozen=True)
class Segmenter:
    """Divides the sentences of a domain's customers."""

    guesses: Callable[[str], tuple[Guess, ...]]
    """Gives the intents that a text may have, likeliest first."""

    catalog: IntentCatalog

    def divide(self, text: str) -> list[str]:
        """The segments of a sentence, each detail joined to the request before it, or after it."""
        segments = self._segments(text)
        joined: list[str] = []
        details: list[str] = []
        for segment in segments:
            begin = self._beginning_of_another(segment, joined[-1]) if joined else ""
            if begin:
                joined[-1] = f"{joined[-1]}, {begin}"
                segment = segment[len(begin) :].lstrip(" ,;:")
            if self._is_detail(segment):
                if joined:
                    joined[-1] = f"{joined[-1]}, {segment}"
                else:
                    details.append(segment)
            else:
                joined.append(", ".join([*details, segment]))
                details = []
        return joined or [", ".join(details)] if details else joined

    def _beginning_of_another(self, segment: str, before: str) -> str:
        """The first clause of a segment if it may as well belong to the segment before it.

        In "cancel it, my plans changed, and book …" the reason stands between two requests.
        """
        parts = _parts(segment)
        first = segment[parts[0][0] : parts[0][1]] if len(parts) > 1 else ""
        if not first or self.verb(tokens(first), self.guesses(first)):
            return ""
        family = self.catalog.family
        alike = family(self.guesses(first)[0].name) == family(self.guesses(before)[0].name)
        keeps = self.guesses(segment)[0].name == self.catalog.nothing
        unsure = keeps and self.guesses(first)[0].probability < SURE_ALONE
        return first if alike or unsure or self._is_detail(first) else ""

    def _is_detail(self, text: str) -> bool:
        """Whether a segment only gives details."""
        guesses = self.guesses(text)
        return guesses[0].name == self.catalog.detail and self.verb(tokens(text), guesses) is None

    def _segments(self, text: str) -> list[str]:
        """The likeliest division of a sentence's clauses into segments with one intent each.

        The best division maximises the log-likelihood of the segments, weighted by their words,
        minus a cost for every boundary.
        """
        parts = _parts(text)
        best: list[tuple[float, list[str]]] = [(0.0, [])]
        for end in range(1, len(parts) + 1):
            ways = []
            for start in range(max(0, end - LONGEST_SPAN), end):
                said = text[parts[start][0] : parts[end - 1][1]]
                cost = TURN if _TURNS & {*tokens(said)[:2]} else BOUNDARY
                fit = self._fit(said, [text[one:other] for one, other in parts[start:end]])
                score = best[start][0] + fit - (cost if start else 0.0)
                ways.append((score, [*best[start][1], said]))
            best.append(max(ways, key=lambda each: each[0]))
        return best[-1][1]

    def _fit(self, text: str, clauses: list[str]) -> float:
        """How well one intent fits a text: its log-likelihood times the number of words.

        It also has to fit each of several clauses, unless a clause has no intent of its own; and no
        intent fits the verbs of two different changes.
        """
        guesses, words = self.guesses(text), tokens(text)
        likely, name = guesses[0].probability, guesses[0].name
        verb = self.verb(words, guesses)
        if verb:
            name, likely = verb, max(likely, self.of_family(verb, guesses)[1])
        if len({self.catalog.family(each) for each in self.catalog.verbs_in(words)}) > 1:
            likely = _TWO
        fit = min(len(words), MOST_WORDS) * log(max(likely, _LEAST))
        for clause in clauses if len(clauses) > 1 else []:
            others = log(max(1 - self._other(clause, name), _LEAST))
            fit += (CONFLICT_AT_TURN if _TURNS & {*tokens(clause)[:2]} else CONFLICT) * others
        return fit

    def _other(self, clause: str, name: str) -> float:
        """How likely it is that a clause requests something else."""
        mine, asides = self.catalog.family(name), self.catalog.asides
        return sum(
            each.probability
            for each in self.guesses(clause)
            if each.name not in asides and self.catalog.family(each.name) != mine
        )

    def verb(self, words: Tokens, guesses: tuple[Guess, ...]) -> str | None:
        """The change that a verb identifies, unless the classifier is sure of something else."""
        verb = self.catalog.verb(words)
        return verb if verb and not self._is_outweighed(verb, guesses) else None

    def of_family(self, name: str, guesses: tuple[Guess, ...]) -> tuple[str, float]:
        """The member of an intent's family that the words fit best, with its probability."""
        mine = self.catalog.family(name)
        alike = (each for each in guesses if self.catalog.family(each.name) == mine)
        return next(((each.name, each.probability) for each in alike), (name, 0.0))

    def _is_outweighed(self, verb: str, guesses: tuple[Guess, ...]) -> bool:
        """Whether a part is clearly a question about its verb's act, or something else."""
        _, likely = self.of_family(verb, guesses)
        best = guesses[0]
        asks = best.name in self.catalog.questions and best.probability > ASKS * likely
        return asks or best.probability > ELSE * likely


def _parts(text: str) -> list[tuple[int, int]]:
    """Where the clauses of a sentence begin and end."""
    cuts = [(0, 0), *(hit.span() for hit in _PARTS.finditer(text)), (len(text), len(text))]
    spans = [(one[1], other[0]) for one, other in pairwise(cuts)]
    return [each for each in spans if text[each[0] : each[1]].strip()]
