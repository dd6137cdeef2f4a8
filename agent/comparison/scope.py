"""One change and the talk that it is held against: which sentences are about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile

from agent.comparison.assent import agrees, begins_with_no
from agent.comparison.mentions import NOTHING_MENTIONED, Mention, mention, phrases, speaks_of
from agent.comparison.refusals import Things
from agent.comparison.sentences import Sentence, Tokens
from agent.comparison.talk import Talk
from agent.comparison.utterance import Utterance
from agent.comparison.verbs import has_verb
from domains.core.facts import Facts, Keys, Ways

_SEVERAL = re.compile(
    r"\b(?:reservations|orders|bookings|trips|both (?:of|reservations|orders)"
    r"|all of (?:them|these|your))\b",
    re.IGNORECASE,
)


_NO_OTHER_ACTS = frozenset({"book"})
"""Who speaks of a booking may mean the reservation that is changed."""


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

    @cached_property
    def agreed_message(self) -> Utterance | None:
        """The agent's last message, where the customer said yes to it."""
        agreed = any(agrees(each) and not begins_with_no(each) for each in self.answer)
        return self.answered_message if agreed else None

    def proposed(self, ways: Ways, things: Things = "") -> Mention:
        """What the agent named before the customer's yes; nothing where there was none.

        What the customer excepts in saying yes is no part of what they agreed to.
        """
        told = self.agreed_message
        if told is None or not told.may_name(ways):
            return NOTHING_MENTIONED
        found = mention(self.relevant(told), ways, things=things, stated=True)
        answer = [each for said in reversed(self.answer) for each in self.relevant(said)]
        newest = mention(answer, ways, things=things)
        if not newest.refused and not newest.alone:
            return found
        wanted = (found.wanted & newest.alone if newest.alone else found.wanted) - newest.refused
        return replace(found, wanted=wanted, refused=found.refused - newest.wanted)

    def proposed_to_stay(self, ways: Ways) -> Keys:
        """The things of which the agent said before the yes that they stay as they are.

        Other denials of an agent's say what there is not, or what cannot be done.
        """
        told = self.agreed_message
        staying = [
            each
            for each in (() if told is None or not told.may_name(ways) else self.relevant(told))
            if any(clause.keeps_at is not None for clause in each.clauses)
        ]
        return mention(staying, ways, things="replaced", stated=True).refused

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

    def is_of_another_act(self, spoken: Tokens) -> bool:
        """Whether words are about another act than this change's alone: *return the watch*."""
        verbs = self.facts.verbs
        if not verbs or not has_verb(self.facts.other_acts - verbs - _NO_OTHER_ACTS, spoken):
            return False
        return not has_verb(verbs, spoken) and not ("change" in verbs and "exchange" in spoken)

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
