"""One message of either side, cut up into sentences."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from agent.comparison.mentions import phrases
from agent.comparison.sentences import Sentence, sentences
from agent.comparison.verbs import forms_of, has_verb
from agent.comparison.word_index import WordIndex
from domains.core.facts import Ways

Speaker = Literal["customer", "agent"]


@dataclass(frozen=True)
class Utterance:
    """One message of either side."""

    speaker: Speaker
    text: str
    pointed_at: tuple[Sentence, ...] = ()
    """Lines of the other side's list that it points at: *the second one*."""

    place: int = field(default=0, compare=False)
    """Which message of the talk it is, from 0."""

    index: WordIndex | None = field(default=None, compare=False, repr=False)
    """Its talk's; None for a message that is looked at by itself."""

    @cached_property
    def own(self) -> tuple[Sentence, ...]:
        """The speaker's own sentences."""
        return sentences(self.text)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its own sentences, and what they point at."""
        return (*self.own, *self.pointed_at)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word in them."""
        return frozenset(word for sentence in self.sentences for word in sentence.words)

    @cached_property
    def has_digit(self) -> bool:
        """Whether there can be an amount or a date in it."""
        return any(each.isdigit() for each in self.text)

    def prepare(self) -> None:
        """Work out what is asked of it again and again."""
        for sentence in self.sentences:
            sentence.prepare()
        _ = self.has_digit

    def has_any(self, words: Collection[str]) -> bool:
        """Whether any of these words, stemmed, stands in its sentences.

        `words` lives on: see :meth:`WordIndex.places`.
        """
        if self.index is None:
            return not self.vocabulary.isdisjoint(words)
        return self.index.has_any(self.place, words)

    def may_name(self, ways: Ways) -> bool:
        """Whether any of these alternatives can be named in it; most messages settle this."""
        return self.has_any(phrases(ways))

    def has_verb(self, verbs: frozenset[str]) -> bool:
        """Whether any of its own sentences has one of these verbs."""
        may_have = self.has_any(forms_of(verbs))
        return may_have and any(has_verb(verbs, each.words) for each in self.own)
