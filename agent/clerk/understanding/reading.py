"""Parses a message into requests and finds whether each is meant, denied, or only asked about."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import takewhile

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
from agent.clerk.understanding.settling import settle_requests
from agent.clerk.understanding.tokens import find, tokens
from agent.comparison.sentences import sentences

_PARTS = re.compile(
    r"\s*(?:[,;:()]|\s-\s|\s[–—]\s)\s*|\s+(?=(?:and|then|also|but|plus|so|because|&)\s)",
    re.IGNORECASE,
)
_NEVER_MIND = re.compile(r"\b(?:nvm|nevermind)\b", re.IGNORECASE)

_WORD_OR_TWO = 2
_SAYS_ENOUGH = 5
"""The fewest words of a part that may tell an intent better than it does with its details."""

ASKS, ELSE = 2.0, 6.0
"""How many times likelier than a plain verb's intent a question, or any other intent, must be."""


@dataclass(frozen=True)
class Reader:
    """Parses messages with a domain's examples and the description of its intents."""

    examples: Examples
    catalog: IntentCatalog

    def guesses(self, text: str) -> tuple[Guess, ...]:
        """The intents that a sentence may have, one per family, likeliest first."""
        found = self.examples.guesses(text[:SENTENCE])
        return tuple(self._join_families(found))

    def _join_families(self, found: tuple[Guess, ...]) -> list[Guess]:
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
        text = _NEVER_MIND.sub("never mind", text)
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
        """Add the requests of one sentence; a part with its own cue begins a new request."""
        groups: list[tuple[str, list[str]]] = []
        head: list[str] = []
        for part in _parts(text):
            cued = self._cued_intent(part)
            if cued and (not groups or groups[-1][0] != cued):
                groups.append((cued, [*head, part]))
                head = []
            elif groups:
                groups[-1][1].append(part)
            else:
                head.append(part)
        found = [each for each in self._group(groups) if each.probability >= PLAIN]
        if len({each.intent for each in found}) < 2:
            self._whole(text, message, found[0] if found else None)
            return
        for wish in found:
            message.add(set_modality(wish, self.catalog))

    def _group(self, groups: list[tuple[str, list[str]]]) -> list[ParsedRequest]:
        """The groups of parts as requests; one unlike its intent is joined to the one before."""
        found: list[ParsedRequest] = []
        for name, parts in groups:
            words = ", ".join(parts)
            told = words
            if name in self.catalog.acts and not scope.seeks_information(tokens(words)):
                telling = [each for each in parts if len(tokens(each)) >= _SAYS_ENOUGH]
                told = max([words, *telling], key=partial(self._probability_of, name))
            guesses = self.guesses(told)
            certain = any(self.catalog.verb(tokens(part)) == name for part in parts)
            intent, likely = self._of_family(name, guesses)
            name = name if certain else intent
            likely = max(likely, PLAIN) if certain else likely
            if found and (likely < PLAIN or found[-1].intent == name):
                found[-1].text += f", {words}"
                continue
            found.append(
                ParsedRequest(name, words, likely, guesses, has_cue=True, has_verb=certain)
            )
        return found

    def _probability_of(self, name: str, text: str) -> float:
        """How probable an intent, or one of its family, is for a text."""
        return self._of_family(name, self.guesses(text))[1]

    def _of_family(self, name: str, guesses: tuple[Guess, ...]) -> tuple[str, float]:
        """The member of an intent's family that the words fit best, with its probability."""
        mine = self.catalog.family(name)
        alike = (each for each in guesses if self.catalog.family(each.name) == mine)
        return next(((each.name, each.probability) for each in alike), (name, 0.0))

    def _whole(self, text: str, message: ParsedMessage, cued: ParsedRequest | None = None) -> None:
        """Add a sentence with a single request, using the part with a cue or the whole sentence.

        A sentence without a request is added to the asides and, if it may give details, to
        ``loose``.
        """
        guesses = self.guesses(text)
        best = guesses[0]
        if cued is not None and (
            cued.probability >= best.probability
            or cued.intent == best.name
            or self._is_certain(cued, guesses)
        ):
            cued.text = text
            message.add(set_modality(cued, self.catalog))
            return
        if best.name in self.catalog.asides or best.similarity < FAR:
            known = best.similarity >= FAR and best.probability >= PLAIN
            message.aside_intents.append(best.name if known else "")
            if best.name not in self.catalog.empty or best.similarity < FAR:
                message.detail_sentences.append(text)
            message.in_order.append(text)
            return
        message.add(
            set_modality(ParsedRequest(best.name, text, best.probability, guesses), self.catalog)
        )

    def _cued_intent(self, part: str) -> str | None:
        """The intent of a part by its verb or by a cue that the classifier confirms, if any."""
        words = tokens(part)
        if not words:
            return None
        guesses = self.guesses(part)
        verb = self.catalog.verb(words)
        if verb and not self._is_outweighed(verb, guesses):
            return verb
        likely = [
            each
            for each in guesses[:3]
            if each.name not in self.catalog.asides
            and any(find(tokens(cue), words) >= 0 for cue in self.catalog.cue_words(each.name))
        ]
        return likely[0].name if likely and likely[0].probability >= 0.18 else None

    def _is_certain(self, cued: ParsedRequest, guesses: tuple[Guess, ...]) -> bool:
        """Whether the verb of a part decides the intent of the sentence that the part is from."""
        verb = self.catalog.verb(tokens(cued.text))
        return verb is not None and not self._is_outweighed(verb, guesses)

    def _is_outweighed(self, verb: str, guesses: tuple[Guess, ...]) -> bool:
        """Whether a part is clearly a question about its verb's act, or something else."""
        _, likely = self._of_family(verb, guesses)
        best = guesses[0]
        asks = best.name in self.catalog.questions and best.probability > ASKS * likely
        return asks or best.probability > ELSE * likely


def _parts(text: str) -> list[str]:
    return [part for each in _PARTS.split(text) if (part := each.strip())]
