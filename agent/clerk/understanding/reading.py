"""Parses a message into requests and finds whether each is meant, denied, or only asked about."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise, takewhile
from math import log

from agent.clerk.understanding import clauses, scope
from agent.clerk.understanding.intents import FAR, Examples, Guess
from agent.clerk.understanding.modality import set_modality
from agent.clerk.understanding.parsed_message import (
    LONGEST,
    PLAIN,
    SENTENCE,
    IntentCatalog,
    ParsedMessage,
    ParsedRequest,
)
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.settling import settle_requests
from agent.clerk.understanding.tokens import Tokens, find, tokens
from agent.comparison.sentences import sentences

_PARTS = re.compile(
    r"\s*(?:,(?!\d)|[;:()]|\s-\s|\s[–—]\s)\s*"
    r"|(?<!\banything)(?<!\bnothing)(?<!\beverything)(?<!\ball)"
    r"\s+(?=(?:and|then|also|but|plus|so|because|&)\s)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:^|(?<=[\s,;:]))\(?[1-9]\)\s+")
"""What numbers the things of a list: "1) cancel it, 2) …"."""

_NEVER_MIND = re.compile(r"\b(?:nvm|nevermind)\b", re.IGNORECASE)

_WORD_OR_TWO = 2
_SAYS_ENOUGH = 5
"""The fewest words of a part that may tell an intent better than it does with its details."""

ENOUGH = 0.1
"""How likely the intents that a sentence can have must be together for one of them to be sure."""

LONGEST_SPAN = 6
BOUNDARY, TURN = 2.5, 1.0
"""What a boundary between segments costs, and one before a word that turns to something else."""

_TURNS = frozenset({"but", "also", "plus", "then"})
ALPHA, ALPHA_TURN = 1.2, 2.5
CAP = 5
_LEAST, _TWO = 0.01, 0.05

ASKS, ELSE = 2.0, 6.0
"""How many times likelier than a plain verb's intent a question, or any other intent, must be."""


@dataclass(frozen=True)
class Reader:
    """Parses messages with a domain's examples and the description of its intents."""

    examples: Examples
    catalog: IntentCatalog
    opening: bool = False
    """Whether nothing is under way."""

    absent: frozenset[str] = frozenset()
    """Intents that no sentence can have at this point of a conversation."""

    def at(self, *, opening: bool, absent: frozenset[str] = frozenset()) -> Reader:
        """The parser at some point of a conversation."""
        key = (opening, absent)
        if key not in self._others:
            self._others[key] = replace(self, opening=opening, absent=absent)
        return self._others[key]

    @cached_property
    def _others(self) -> dict[tuple[bool, frozenset[str]], Reader]:
        """The parsers at other points, each with its own cache; they are asked for again."""
        return {(self.opening, self.absent): self}

    def guesses(self, text: str) -> tuple[Guess, ...]:
        """The intents that a sentence may have, one per family, likeliest first."""
        found = self.examples.guesses(text[:SENTENCE], opening=self.opening)
        left = [each for each in found if each.name not in self.absent]
        known = sum(each.probability for each in left)
        if known >= ENOUGH:
            left = [replace(each, probability=each.probability / known) for each in left]
        return tuple(self._join_families(left))

    def _join_families(self, found: list[Guess]) -> list[Guess]:
        """The likeliest guess of each family, with the probability of the whole family."""
        sums: dict[str, float] = {}
        family = self.catalog.family
        for each in found:
            sums[family(each.name)] = sums.get(family(each.name), 0.0) + each.probability
        best = {family(each.name): each for each in reversed(found)}
        joined = [Guess(e.name, sums[key], e.similarity) for key, e in best.items()]
        return sorted(joined, key=lambda each: -each.probability)

    def read(self, text: str) -> ParsedMessage:
        """Parse a message into requests in the order of the text; callers may modify the result."""
        return deepcopy(self._kept(text))

    @cached_property
    def _kept(self) -> Callable[[str], ParsedMessage]:
        """The cached parser, because a conversation is parsed again for every answer."""
        return lru_cache(maxsize=1024)(self._read)

    def _read(self, text: str) -> ParsedMessage:
        text = _NUMBERED.sub(". ", _NEVER_MIND.sub("never mind", text))
        told = ParsedMessage(text[:LONGEST], self.guesses(text), cut=len(text) > LONGEST)
        for sentence in sentences(told.text)[:40]:
            for start in range(0, len(sentence.text), SENTENCE):
                self._sentence(sentence.text[start : start + SENTENCE], told)
        settle_requests(told, self.catalog)
        self._assign_limits(told)
        return told

    def _assign_limits(self, message: ParsedMessage) -> None:
        """Give each request its limit: the message's, unless a request states one of its own."""
        own = [each for each in message.requests if clauses.limit(each.text) is not None]
        for request in message.requests:
            request.condition = message.condition
            request.limit = message.limit if request in own or not own else None
        if len(message.requests) > len(own) > 0:
            message.limit = None

    def _sentence(self, text: str, message: ParsedMessage) -> None:
        main, deeds = clauses.split_fallbacks(text)
        main, excepted = clauses.without_exceptions(main)
        cap = clauses.limit(text)
        message.limit = cap if cap is not None else message.limit
        message.condition = self._condition(text) or message.condition
        before = len(message.requests)
        only_limits = (
            cap is not None and bool(message.requests) and self.catalog.verb(tokens(main)) is None
        )
        if scope.only_forbids_if(tokens(main)) and self.catalog.verb(tokens(main)) is None:
            message.detail_sentences.append(main)
        elif main.strip() and not only_limits:
            self._take_questions(main, message)
        if not message.requests and not message.detail_sentences and deeds:
            self.take(deeds.pop(0), message)
        if len(message.requests) == before and not message.requests:
            message.otherwise += deeds
            message.excepted += excepted
            return
        message.requests[-1].otherwise += deeds
        message.requests[-1].excepted += excepted

    def _take_questions(self, text: str, message: ParsedMessage) -> None:
        """Add the requests of a sentence, part by part if it asks several different questions."""
        parts, apart = scope.questions(text), ParsedMessage(text)
        for each in parts[1:] and parts:
            self.take(each, apart)
        intents = [each.intent for each in apart.requests]
        if not intents or intents == intents[:1] * len(parts) or self.catalog.acts & {*intents}:
            self.take(text, message)
            return
        for name in ("requests", "in_order", "detail_sentences", "aside_intents"):
            getattr(message, name).extend(getattr(apart, name))

    def _condition(self, text: str) -> str:
        """The condition in a sentence that the clerk cannot check, up to the requested change."""
        words = scope.uncheckable_condition(text).split()
        return " ".join(takewhile(lambda word: self.catalog.verb(tokens(word)) is None, words))

    def take(self, text: str, message: ParsedMessage) -> None:
        """Add the requests of one sentence: the segments that its clauses form."""
        before = len(message.requests)
        for segment in self._joined(self._segments(text)):
            self._whole(segment, message)
        if tells(tokens(text), "what if"):
            for each in message.requests[before:]:
                if each.intent in self.catalog.acts and not each.has_verb:
                    each.modality = "what_if"

    def _joined(self, segments: list[str]) -> list[str]:
        """The segments of a sentence, each detail joined to the request before it, or after it."""
        joined: list[str] = []
        details: list[str] = []
        for segment in segments:
            begin = self._beginning_of_another(segment, joined[-1]) if joined else ""
            if begin:
                joined[-1] = f"{joined[-1]}, {begin}"
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
        if not first or self._verb(tokens(first), self.guesses(first)):
            return ""
        family = self.catalog.family
        alike = family(self.guesses(first)[0].name) == family(self.guesses(before)[0].name)
        return first if alike or self._is_detail(first) else ""

    def _is_detail(self, text: str) -> bool:
        """Whether a segment only gives details."""
        guesses = self.guesses(text)
        return guesses[0].name == self.catalog.detail and self._verb(tokens(text), guesses) is None

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
        verb = self._verb(words, guesses)
        if verb:
            name, likely = verb, max(likely, self._of_family(verb, guesses)[1])
        if len({self.catalog.family(each) for each in self.catalog.verbs_in(words)}) > 1:
            likely = _TWO
        fit = min(len(words), CAP) * log(max(likely, _LEAST))
        for clause in clauses if len(clauses) > 1 else []:
            others = log(max(1 - self._other(clause, name), _LEAST))
            fit += (ALPHA_TURN if _TURNS & {*tokens(clause)[:2]} else ALPHA) * others
        return fit

    def _other(self, clause: str, name: str) -> float:
        """How likely it is that a clause requests something else."""
        mine, asides = self.catalog.family(name), self.catalog.asides
        return sum(
            each.probability
            for each in self.guesses(clause)
            if each.name not in asides and self.catalog.family(each.name) != mine
        )

    def _verb(self, words: Tokens, guesses: tuple[Guess, ...]) -> str | None:
        """The change that a verb identifies, unless the classifier is sure of something else."""
        verb = self.catalog.verb(words)
        return verb if verb and not self._is_outweighed(verb, guesses) else None

    def _of_family(self, name: str, guesses: tuple[Guess, ...]) -> tuple[str, float]:
        """The member of an intent's family that the words fit best, with its probability."""
        mine = self.catalog.family(name)
        alike = (each for each in guesses if self.catalog.family(each.name) == mine)
        return next(((each.name, each.probability) for each in alike), (name, 0.0))

    def _whole(self, text: str, message: ParsedMessage) -> None:
        """Add a segment as a request, or as an aside that may give details."""
        guesses, words = self.guesses(text), tokens(text)
        best, verb = guesses[0], self._verb(tokens(text), guesses)
        if verb:
            name, likely = self._of_family(verb, guesses)
            found = ParsedRequest(
                name, text, max(likely, PLAIN), guesses, has_cue=True, has_verb=True
            )
        elif best.name in self.catalog.asides or best.similarity < FAR:
            self._aside(text, best, message)
            return
        else:
            cues = self.catalog.cue_words(best.name)
            cued = any(find(tokens(cue), words) >= 0 for cue in cues)
            found = ParsedRequest(best.name, text, best.probability, guesses, has_cue=cued)
        message.add(set_modality(found, self.catalog))

    def _aside(self, text: str, best: Guess, message: ParsedMessage) -> None:
        """Add a segment that requests nothing, and that may give details."""
        known = best.similarity >= FAR and best.probability >= PLAIN
        message.aside_intents.append(best.name if known else "")
        bare = len(tokens(text)) <= _WORD_OR_TWO and best.name != self.catalog.detail
        if best.similarity < FAR or not (bare or best.name in self.catalog.empty):
            message.detail_sentences.append(text)
        message.in_order.append(text)

    def _is_outweighed(self, verb: str, guesses: tuple[Guess, ...]) -> bool:
        """Whether a part is clearly a question about its verb's act, or something else."""
        _, likely = self._of_family(verb, guesses)
        best = guesses[0]
        asks = best.name in self.catalog.questions and best.probability > ASKS * likely
        return asks or best.probability > ELSE * likely


def _parts(text: str) -> list[tuple[int, int]]:
    """Where the clauses of a sentence begin and end."""
    cuts = [(0, 0), *(hit.span() for hit in _PARTS.finditer(text)), (len(text), len(text))]
    spans = [(one[1], other[0]) for one, other in pairwise(cuts)]
    return [each for each in spans if text[each[0] : each[1]].strip()]
