"""One change and the conversation it is compared with: which sentences are about it."""

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
"""Acts that never count as another act: *booking* may mean the reservation that is changed."""


def speaks_of_several(text: str) -> bool:
    """Whether a text is about more than one record at once: *both reservations*."""
    return _SEVERAL.search(text) is not None


class Scope:
    """The conversation since the last write, and which part of it is about this change."""

    def __init__(self, facts: Facts, talk: Talk) -> None:
        self.facts = facts
        self.talk = talk
        self.said = talk.since_write
        """Both sides' messages about this write, newest first."""

        self._relevant: dict[int, tuple[Sentence, ...]] = {}
        self._named: dict[int, Keys] = {}

    @cached_property
    def customer_messages(self) -> list[Utterance]:
        """The customer's messages among ``said``."""
        return [each for each in self.said if each.speaker == "customer"]

    @cached_property
    def answer(self) -> list[Utterance]:
        """The customer's messages after the agent's last message, newest first."""
        return list(takewhile(lambda each: each.speaker == "customer", self.said))

    @cached_property
    def answered_message(self) -> Utterance | None:
        """The agent's last message, to which ``answer`` responds, or None."""
        rest = self.said[len(self.answer) :]
        return rest[0] if rest else None

    @cached_property
    def agreed_message(self) -> Utterance | None:
        """The agent's last message if the customer agreed to it, else None."""
        agreed = any(agrees(each) and not begins_with_no(each) for each in self.answer)
        return self.answered_message if agreed else None

    def proposed(self, ways: Ways, things: Things = "") -> Mention:
        """The alternatives that the agent named in the message that the customer agreed to.

        Empty if there is no such message. Alternatives that the customer excludes while agreeing
        are not part of what they agreed to.
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
        """The things that the agent said would stay as they are, in the message agreed to.

        An agent's other negations say what does not exist or cannot be done.
        """
        told = self.agreed_message
        staying = [
            each
            for each in (() if told is None or not told.may_name(ways) else self.relevant(told))
            if any(clause.keeps_at is not None for clause in each.clauses)
        ]
        return mention(staying, ways, things="replaced", stated=True).refused

    def messages_naming(self, said: Iterable[Utterance], ways: Ways) -> list[Utterance]:
        """The messages that may name any of these alternatives."""
        return self.talk.messages_with(said, phrases(ways))

    def relevant(self, said: Utterance) -> tuple[Sentence, ...]:
        """A message's sentences, and list lines it refers to, that are not about other records."""
        found = self._relevant.get(id(said))
        if found is None:
            names_others = said.may_name(self.facts.others)
            found = tuple(self._about_this(said)) if names_others else said.sentences
            self._relevant[id(said)] = found
        return found

    def _about_this(self, said: Utterance) -> Iterator[Sentence]:
        """Yield the sentences about this record; list lines belong to the record named above."""
        heading = False
        for sentence in said.sentences:
            others = speaks_of(sentence.words, self.facts.others)
            if others or heading:
                heading = not self.names_record(sentence)
            if not heading or (said.speaker == "customer" and not others):
                yield sentence

    def named_of_record(self, sentence: Sentence) -> Keys:
        """The keys by which a sentence names the record that is changed; cached per sentence."""
        named = self._named.get(id(sentence))
        if named is None:
            named = self._named[id(sentence)] = speaks_of(sentence.words, self.facts.about)
        return named

    def names_record(self, sentence: Sentence) -> bool:
        """Whether a sentence names the record that is changed."""
        return bool(self.named_of_record(sentence))

    def names_record_in(self, said: Sequence[Utterance]) -> bool:
        """Whether any sentence of these messages names the record that is changed."""
        return any(
            self.names_record(sentence)
            for each in self.messages_naming(said, self.facts.about)
            for sentence in each.own
        )

    def is_of_another_act(self, spoken: Tokens) -> bool:
        """Whether the words are only about another act than this change's: *return the watch*."""
        verbs = self.facts.verbs
        if not verbs or not has_verb(self.facts.other_acts - verbs - _NO_OTHER_ACTS, spoken):
            return False
        return not has_verb(verbs, spoken) and not ("change" in verbs and "exchange" in spoken)

    def concerns_several(self, said: Utterance) -> bool:
        """Whether a message is about other records too, so that its totals may be theirs."""
        return speaks_of_several(said.text) or any(
            speaks_of(each.words, self.facts.others) for each in said.own
        )

    def sentences_on_this_record(self, said: Utterance) -> list[Sentence]:
        """The lines of a message that name this record and no other, and those that follow."""
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
