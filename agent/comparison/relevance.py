"""Which sentences are about the change at hand, and which about something else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.comparison.mentions import speaks_of
from agent.comparison.sentences import Sentence
from agent.comparison.talk import Utterance
from domains.facts import Facts


def is_of_another(facts: Facts, sentence: Sentence) -> bool:
    """Whether a sentence names another of the customer's records, and not this one."""
    return bool(speaks_of(sentence.words, facts.others)) and not names_it(facts, sentence)


def names_it(facts: Facts, sentence: Sentence) -> bool:
    """Whether a sentence names the record that is changed."""
    return bool(speaks_of(sentence.words, facts.about))


_SEVERAL = re.compile(
    r"\b(?:reservations|orders|bookings|trips|both (?:of|reservations|orders)|all of (?:them|these|your))\b",
    re.I,
)


def concerns_several(facts: Facts, said: Utterance) -> bool:
    """Whether a message is about other records too, so that its totals may be theirs as well."""
    return _SEVERAL.search(said.text) is not None or any(
        speaks_of(each.words, facts.others) for each in said.own
    )


def relevant(facts: Facts, said: Iterable[Sentence]) -> list[Sentence]:
    """The sentences that are not about something else."""
    return [each for each in said if not is_of_another(facts, each)]
