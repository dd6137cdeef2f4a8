"""Parses a message into requests and finds whether each is meant, denied, or only asked about."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import takewhile

from agent.clerk.understanding import clauses, sentence_kinds
from agent.clerk.understanding.intents import FAR, Examples, Guess
from agent.clerk.understanding.modality import DENIES, set_modality
from agent.clerk.understanding.parsed_message import (
    LONGEST,
    PLAIN,
    SENTENCE,
    IntentCatalog,
    ParsedMessage,
    ParsedRequest,
)
from agent.clerk.understanding.segmenting import Segmenter
from agent.clerk.understanding.settling import settle_requests
from agent.clerk.understanding.stances import Stance, stances
from agent.clerk.understanding.tokens import find, tokens
from agent.comparison.sentences import sentences

_NUMBERED = re.compile(r"(?:^|(?<=[\s,;:]))\(?[1-9]\)\s+")
"""What numbers the things of a list: "1) cancel it, 2) …"."""

_NEVER_MIND = re.compile(r"\b(?:nvm|nevermind)\b", re.IGNORECASE)

_WORD_OR_TWO = 2

ENOUGH = 0.1
"""How likely the intents that a sentence can have must be together for one of them to be sure."""


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

    @cached_property
    def _segmenter(self) -> Segmenter:
        """Divides sentences into what belongs to one request each."""
        return Segmenter(self.guesses, self.catalog)

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
        if sentence_kinds.only_forbids_if(tokens(main)) and self.catalog.verb(tokens(main)) is None:
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
        parts, apart = sentence_kinds.questions(text), ParsedMessage(text)
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
        words = sentence_kinds.uncheckable_condition(text).split()
        return " ".join(takewhile(lambda word: self.catalog.verb(tokens(word)) is None, words))

    def take(self, text: str, message: ParsedMessage) -> None:
        """Add the requests of one sentence: the segments that its clauses form."""
        for segment in self._segmenter.divide(text):
            self._whole(segment, message)

    def _whole(self, text: str, message: ParsedMessage) -> None:
        """Add a segment as a request, or as an aside that may give details."""
        guesses, words = self.guesses(text), tokens(text)
        best, verb = guesses[0], self._segmenter.verb(words, guesses)
        if verb:
            name, likely = self._segmenter.of_family(verb, guesses)
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
        message.add(set_modality(found, self.catalog, self.stance(text)))

    def stance(self, text: str) -> dict[Stance, float]:
        """How likely each stance of a text towards the change in it is."""
        return stances(self.examples.without_codes(text[:SENTENCE]))

    def denies(self, text: str) -> bool:
        """Whether a text as a whole rather says that nothing is wanted."""
        return self.stance(text)["deny"] >= DENIES

    def _aside(self, text: str, best: Guess, message: ParsedMessage) -> None:
        """Add a segment that requests nothing, and that may give details."""
        known = best.similarity >= FAR and best.probability >= PLAIN
        message.aside_intents.append(best.name if known else "")
        bare = len(tokens(text)) <= _WORD_OR_TWO and best.name != self.catalog.detail
        if best.similarity < FAR or not (bare or best.name in self.catalog.empty):
            message.detail_sentences.append(text)
        message.in_order.append(text)
