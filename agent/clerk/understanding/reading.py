"""A message as wishes: what each part asks for, and whether it is meant, denied or only asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, takewhile

from agent.clerk.understanding import scope
from agent.clerk.understanding.intents import FAR, Examples, Guess
from agent.clerk.understanding.moods import with_mood
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.retracting import retract
from agent.clerk.understanding.tokens import Tokens, find, tokens
from agent.clerk.understanding.wishes import (
    CLEAR,
    LONGEST,
    PLAIN,
    SENTENCE,
    Manner,
    Message,
    Wish,
)
from agent.comparison.sentences import sentences

_PARTS = re.compile(
    r"\s*(?:[,;:()]|\s-\s|\s[–—]\s)\s*|\s+(?=(?:and|then|also|but|plus|so|because|&)\s)",
    re.IGNORECASE,
)
_NEVER_MIND = re.compile(r"\b(?:nvm|nevermind)\b", re.IGNORECASE)

_WORD_OR_TWO = 2
ASKS, ELSE = 2.0, 6.0
"""How much likelier a question, or anything else, has to be than what a plain verb says."""


@dataclass(frozen=True)
class Reader:
    """Reads messages by a domain's examples and manner."""

    examples: Examples
    manner: Manner

    def guesses(self, text: str) -> tuple[Guess, ...]:
        """The intents that a sentence may have."""
        found = self.examples.guesses(text[:SENTENCE])
        return tuple(self._join_families(found))

    def _join_families(self, found: tuple[Guess, ...]) -> list[Guess]:
        """The guesses with each family's likelihood on its best."""
        sums: dict[str, float] = {}
        family = self.manner.family
        for each in found:
            sums[family(each.name)] = sums.get(family(each.name), 0.0) + each.likely
        best = {family(each.name): each for each in reversed(found)}
        joined = [Guess(e.name, sums[key], e.like) for key, e in best.items()]
        return sorted(joined, key=lambda each: -each.likely)

    def read(self, text: str) -> Message:
        """A message's wishes, in the order in which they stand; the caller may change them."""
        return deepcopy(self._kept(text))

    @cached_property
    def _kept(self) -> Callable[[str], Message]:
        """What was read before: a conversation is read anew for every answer."""
        return lru_cache(maxsize=1024)(self._read)

    def _read(self, text: str) -> Message:
        text = _NEVER_MIND.sub("never mind", text)
        told = Message(text[:LONGEST], self.guesses(text), cut=len(text) > LONGEST)
        for sentence in sentences(told.text)[:40]:
            for start in range(0, len(sentence.text), SENTENCE):
                self._sentence(sentence.text[start : start + SENTENCE], told)
        self.weigh(told)
        for wish in told.wishes:
            wish.limit, wish.condition = told.limit, told.condition
        return told

    def weigh(self, told: Message) -> None:
        """What can only be told when all of a message was read: what is a wish after all."""
        retract(told, self.manner)
        self._demote(told)
        self._weigh(told)

    def _sentence(self, text: str, told: Message) -> None:
        main, deeds = scope.otherwise(text)
        main, excepted = scope.without_exceptions(main)
        cap = scope.limit(text)
        told.limit = cap if cap is not None else told.limit
        told.condition = self._condition(text) or told.condition
        before = len(told.wishes)
        only_limits = (
            cap is not None and bool(told.wishes) and self.manner.verb(tokens(main)) is None
        )
        if main.strip() and not only_limits:
            self._take_questions(main, told)
        if not told.wishes and not told.loose and deeds:
            self.take(deeds.pop(0), told)
        if len(told.wishes) == before and not told.wishes:
            told.otherwise += deeds
            told.excepted += excepted
            return
        told.wishes[-1].otherwise += deeds
        told.wishes[-1].excepted += excepted

    def _take_questions(self, text: str, told: Message) -> None:
        """The wishes of a sentence; of one that asks for different things those of each part."""
        parts, apart = scope.questions(text), Message(text)
        for each in parts[1:] and parts:
            self.take(each, apart)
        intents = [each.intent for each in apart.wishes]
        if not intents or intents == intents[:1] * len(parts) or self.manner.acts & {*intents}:
            self.take(text, told)
            return
        for name in ("wishes", "order", "loose", "asides"):
            getattr(told, name).extend(getattr(apart, name))

    def _condition(self, text: str) -> str:
        """What a sentence hangs on that nobody here can check, up to what is asked for."""
        words = scope.unknowable(text).split()
        return " ".join(takewhile(lambda word: self.manner.verb(tokens(word)) is None, words))

    def take(self, text: str, told: Message) -> None:
        """The wishes of one sentence; a part with a cue of its own begins a new one."""
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
        found = [each for each in self._group(groups) if each.likely >= PLAIN]
        if len({each.intent for each in found}) < 2:
            self._whole(text, told, found[0] if found else None)
            return
        for wish in found:
            told.add(with_mood(wish, self.manner))

    def _group(self, groups: list[tuple[str, list[str]]]) -> list[Wish]:
        """The groups as wishes; one that is not like its intent is a part of the one before."""
        found: list[Wish] = []
        for name, parts in groups:
            words = ", ".join(parts)
            guesses = self.guesses(words)
            certain = any(self.manner.verb(tokens(part)) == name for part in parts)
            intent, likely = self._of_family(name, guesses)
            name = name if certain else intent
            likely = max(likely, PLAIN) if certain else likely
            if found and (likely < PLAIN or found[-1].intent == name):
                found[-1].text += f", {words}"
                continue
            found.append(Wish(name, words, likely, guesses, has_cue=True, has_verb=certain))
        return found

    def _of_family(self, name: str, guesses: tuple[Guess, ...]) -> tuple[str, float]:
        """What of an intent's family the words come closest to, and how likely that is."""
        mine = self.manner.family(name)
        alike = (each for each in guesses if self.manner.family(each.name) == mine)
        return next(((each.name, each.likely) for each in alike), (name, 0.0))

    def _whole(self, text: str, told: Message, cued: Wish | None = None) -> None:
        """A sentence that asks for one thing: what its part with a cue says, or all of it."""
        guesses = self.guesses(text)
        best = guesses[0]
        if cued is not None and (
            cued.likely >= best.likely
            or cued.intent == best.name
            or self._is_certain(cued, guesses)
        ):
            cued.text = text
            told.add(with_mood(cued, self.manner))
            return
        if best.name in self.manner.asides or best.like < FAR:
            known = best.like >= FAR and best.likely >= PLAIN
            told.asides.append(best.name if known else "")
            if best.name not in self.manner.empty or best.like < FAR:
                told.loose.append(text)
            told.order.append(text)
            return
        told.add(with_mood(Wish(best.name, text, best.likely, guesses), self.manner))

    def _cued_intent(self, part: str) -> str | None:
        """The intent that a part has by its words and by its examples, where both agree."""
        words = tokens(part)
        if not words:
            return None
        guesses = self.guesses(part)
        verb = self.manner.verb(words)
        if verb and not self._is_outweighed(verb, guesses):
            return verb
        likely = [
            each
            for each in guesses[:3]
            if each.name not in self.manner.asides
            and any(find(tokens(cue), words) >= 0 for cue in self.manner.cue_words(each.name))
        ]
        return likely[0].name if likely and likely[0].likely >= 0.18 else None

    def _is_certain(self, cued: Wish, guesses: tuple[Guess, ...]) -> bool:
        """Whether the verb of a part stands for the sentence that the part is from."""
        verb = self.manner.verb(tokens(cued.text))
        return verb is not None and not self._is_outweighed(verb, guesses)

    def _is_outweighed(self, verb: str, guesses: tuple[Guess, ...]) -> bool:
        """Whether a part is plainly a question about what its verb does, or something else."""
        _, likely = self._of_family(verb, guesses)
        best = guesses[0]
        asks = best.name in self.manner.questions and best.likely > ASKS * likely
        return asks or best.likely > ELSE * likely

    def _demote(self, told: Message) -> None:
        """Beside a part with the verb a sentence that only sounds like a change is a detail."""
        if any(not each.unsure for each in told.wishes):
            unsure = [each for each in told.wishes if each.unsure]
            told.wishes = [each for each in told.wishes if not each.unsure]
            told.loose += (each.text for each in unsure)
        if not any(each.has_cue and each.intent in self.manner.acts for each in told.wishes):
            return
        for wish in [*told.wishes]:
            short = len(tokens(wish.text)) <= _WORD_OR_TWO
            sounds = not wish.has_cue and (short or wish.likely < CLEAR)
            if sounds and wish.mode == "meant":
                told.wishes.remove(wish)
                told.loose.append(wish.text)

    def _weigh(self, told: Message) -> None:
        """A sentence that takes back, or only wonders, does so for what stands before it."""
        acts = self._drop_corrected(told)
        wonders = any(tells(tokens(each), "what if") for each in told.loose)
        for wish in [*told.wishes]:
            if wish.intent != self.manner.nothing or not acts:
                continue
            words = tokens(wish.text)
            before = [each for each in acts if told.wishes.index(each) < told.wishes.index(wish)]
            if tells(words, "what if"):
                wonders = True
            elif scope.takes_back(words) or self._unsays(words):
                for each in before:
                    if not self.is_of_another(words, each.intent):
                        each.mode = "denied"
                continue
            told.wishes.remove(wish)
            (before or acts)[-1].excepted.append(wish.text)  # what is to stay, beside a change
        for wish in acts:
            if wonders and wish.mode == "meant":
                wish.mode = "what_if"
        if any(each.mode == "what_if" for each in told.wishes):
            told.wishes = [each for each in told.wishes if each.intent not in self.manner.amounts]

    def is_of_another(self, words: Tokens, intent: str) -> bool:
        """Whether words have the verb of an act, and not of this one: "don't cancel it"."""
        act = self.manner.verb(words)
        return act is not None and self.manner.family(act) != self.manner.family(intent)

    def _unsays(self, words: Tokens) -> bool:
        """Whether words deny an act and say no more: "no, please don't return it"."""
        act = self.manner.verb(words)
        return act is not None and scope.only_denies(words, self.manner.cue_words(act))

    def _drop_corrected(self, told: Message) -> list[Wish]:
        """The changes that are left where "I mean" puts one in the place of another."""
        acts = [each for each in told.wishes if each.intent in self.manner.acts]
        for one, other in pairwise(acts):
            if scope.corrects(tokens(other.text)) and other.mode == "meant":
                told.wishes.remove(one)
                told.loose.append(one.text)
        return [each for each in acts if each in told.wishes]


def _parts(text: str) -> list[str]:
    return [part for each in _PARTS.split(text) if (part := each.strip())]
