"""One change and the talk that it is held against: which sentences are about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile

from agent.comparison.assent import agrees
from agent.comparison.mentions import mention, phrases, speaks_of
from agent.comparison.refusals import Things
from agent.comparison.sentences import Sentence
from agent.comparison.talk import Talk
from agent.comparison.utterance import Utterance
from domains.core.facts import Facts, Keys, Ways

_SEVERAL = re.compile(
    r"\b(?:reservations|orders|bookings|trips|both (?:of|reservations|orders)"
    r"|all of (?:them|these|your))\b",
    re.IGNORECASE,
)


def speaks_of_several(text: str) -> bool:
    """Whether a text is about more than one record at once: *both reservations*."""
    return _SEVERAL.search(text) is not None


class Scope:
    """What was said since the last write, and of it what is about this change."""

    def __init__(self, facts: Facts, talk: Talk) -> None:
        self.facts = facts
        self.talk = talk
        self.said = talk.since_write
        """Both sides' messages about this write, the newest first."""

        self._relevant: dict[int, tuple[Sentence, ...]] = {}
        self._named: dict[int, Keys] = {}

    @cached_property
    def customers(self) -> list[Utterance]:
        """The customer's messages among them."""
        return [each for each in self.said if each.speaker == "customer"]

    @cached_property
    def answer(self) -> list[Utterance]:
        """What the customer said after the agent's last message."""
        return list(takewhile(lambda each: each.speaker == "customer", self.said))

    @cached_property
    def answered_message(self) -> Utterance | None:
        """The agent's last message, which that answers."""
        rest = self.said[len(self.answer) :]
        return rest[0] if rest else None

    def is_settled(self, ways: Ways, keys: Keys, things: Things = "") -> bool:
        """Whether the agent had named that, and nothing else, before the customer's yes.

        What was said before then, of a plan that has changed since, speaks against nothing.
        """
        told = self.answered_message
        if told is None or not keys or not any(agrees(each) for each in self.answer):
            return False
        return mention(self.relevant(told), ways, things=things, stated=True).wanted == keys

    def naming(self, said: Iterable[Utterance], ways: Ways) -> list[Utterance]:
        """Those of the messages in which any of these alternatives can be named."""
        return self.talk.holding(said, phrases(ways))

    def relevant(self, said: Utterance) -> tuple[Sentence, ...]:
        """A message's sentences that are not about something else, and what they point at."""
        found = self._relevant.get(id(said))
        if found is None:
            names_others = said.may_name(self.facts.others)
            found = tuple(self._about_this(said)) if names_others else said.sentences
            self._relevant[id(said)] = found
        return found

    def _about_this(self, said: Utterance) -> Iterator[Sentence]:
        """Lines of a list are about the record that the line above them names."""
        heading = False
        for sentence in said.sentences:
            others = speaks_of(sentence.words, self.facts.others)
            if others or heading:
                heading = not self.names_record(sentence)
            if not heading or (said.speaker == "customer" and not others):
                yield sentence

    def named_of_record(self, sentence: Sentence) -> Keys:
        """By what a sentence of the talk names the record that is changed; asked for repeatedly."""
        named = self._named.get(id(sentence))
        if named is None:
            named = self._named[id(sentence)] = speaks_of(sentence.words, self.facts.about)
        return named

    def names_record(self, sentence: Sentence) -> bool:
        """Whether a sentence of the talk names the record that is changed."""
        return bool(self.named_of_record(sentence))

    def names_record_in(self, said: Sequence[Utterance]) -> bool:
        """Whether any sentence of these messages does."""
        return any(
            self.names_record(sentence)
            for each in self.naming(said, self.facts.about)
            for sentence in each.own
        )

    def concerns_several(self, said: Utterance) -> bool:
        """Whether a message is about other records too, so that its totals may be theirs."""
        return speaks_of_several(said.text) or any(
            speaks_of(each.words, self.facts.others) for each in said.own
        )

    def of_this_alone(self, said: Utterance) -> list[Sentence]:
        """The lines of a message that name this record and no other, and those that follow them."""
        found: list[Sentence] = []
        heading = False
        for sentence in said.own:
            others = speaks_of(sentence.words, self.facts.others)
            mine = self.names_record(sentence)
            if others or mine:
                heading = mine and not others
            if heading:
                found.append(sentence)
        return found
