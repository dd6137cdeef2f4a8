"""One message of the customer or the agent, split into sentences."""

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
    """One message of the customer or the agent."""

    speaker: Speaker
    text: str
    pointed_at: tuple[Sentence, ...] = ()
    """Lines of the other side's list that it refers to, as in *the second one*."""

    place: int = field(default=0, compare=False)
    """Its position in the conversation, counted from 0."""

    index: WordIndex | None = field(default=None, compare=False, repr=False)
    """The word index of its conversation; None for a message that is examined on its own."""

    @cached_property
    def own(self) -> tuple[Sentence, ...]:
        """The speaker's own sentences."""
        return sentences(self.text)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its own sentences, followed by the list lines that it refers to."""
        return (*self.own, *self.pointed_at)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word in its sentences, stemmed."""
        return frozenset(word for sentence in self.sentences for word in sentence.words)

    @cached_property
    def has_digit(self) -> bool:
        """Whether it contains a digit; without one it holds no amount and no date."""
        return any(each.isdigit() for each in self.text)

    def prepare(self) -> None:
        """Compute the cached properties that comparisons use repeatedly."""
        for sentence in self.sentences:
            sentence.prepare()
        _ = self.has_digit

    def has_any(self, words: Collection[str]) -> bool:
        """Whether any of these stemmed words occurs in its sentences.

        Pass a collection that outlives the call: see :meth:`WordIndex.places`.
        """
        if self.index is None:
            return not self.vocabulary.isdisjoint(words)
        return self.index.has_any(self.place, words)

    def may_name(self, ways: Ways) -> bool:
        """Whether it may name any of these alternatives, as a cheap test before a closer look."""
        return self.has_any(phrases(ways))

    def has_verb(self, verbs: frozenset[str]) -> bool:
        """Whether any of its own sentences uses one of these verbs."""
        may_have = self.has_any(forms_of(verbs))
        return may_have and any(has_verb(verbs, each.words) for each in self.own)
