"""Whether a change settles on what was asked for, where there are known alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from agent.comparison.mentions import Mention, mention, speaks_of
from agent.comparison.relevance import names_it, relevant
from agent.comparison.sentences import Sentence
from agent.comparison.talk import Talk, Utterance
from domains.facts import Choice, Facts
from sessions.events import Disagreement


def compare_choices(facts: Facts, talk: Talk) -> Iterator[Disagreement]:
    """One line for each choice that is not what was asked for, or not what was told."""
    if facts.record is not None and not _was_named(facts, talk):
        anywhere = replace(facts, others={})  # here the names of other records are what counts
        found = _compared(facts.record, anywhere, talk)
        if found is not None and not _OTHER.search(found.said):
            yield found
    for choice in facts.choices:
        found = _compared(choice, facts, talk)
        if found is not None:
            yield found


_OTHER = re.compile(r"\b(?:others?|both|all|every|each|rest|too|also)\b", re.IGNORECASE)
"""Words by which what names one record may be about another as well."""


def _was_named(facts: Facts, talk: Talk) -> bool:
    """Whether the customer spoke of the record that is changed."""
    return any(
        _names_record(facts, each.own) for each in talk.since_write if each.speaker == "customer"
    )


def _compared(choice: Choice, facts: Facts, talk: Talk) -> Disagreement | None:
    """The last word on a choice decides: the customer's, or the agent's that they answered."""
    newest = talk.since_write
    answer = list(takewhile(lambda each: each.speaker == "customer", newest))
    found = _by_customer(choice, facts, answer)
    if found is not None:
        return _against(choice, found)
    earlier = newest[len(answer) :]
    told = _told(choice, facts, earlier[:1])
    if told is not None and told.wanted == choice.chosen:
        return None
    asked = _by_customer(choice, facts, earlier) or _by_customer(
        choice, facts, talk.before_write, only_named=True
    )
    if asked is not None and (line := _against(choice, asked)) is not None:
        return line
    if asked is None and told is not None and not _bears_out(choice, facts, told, earlier):
        return Disagreement(kind=choice.kind, does=choice.does, said=told.quote, by="agent")
    return None


def _against(choice: Choice, found: Mention) -> Disagreement | None:
    """A line where the chosen is not what is wanted, or is what is refused."""
    said = ""
    if found.wanted:
        asked = found.wanted | found.possible
        wrong = choice.chosen - asked if not choice.whole else found.wanted - choice.chosen
        if choice.whole:
            wrong = wrong - choice.before
        said = found.quote if wrong else ""
    elif choice.chosen & found.refused:
        said = found.refusal
    if not said:
        return None
    return Disagreement(kind=choice.kind, does=choice.does, said=said, by="customer")


def _by_customer(
    choice: Choice, facts: Facts, said: Sequence[Utterance], *, only_named: bool = False
) -> Mention | None:
    """What the customer said last about a choice; None where they said nothing."""
    for utterance in said:
        if utterance.speaker != "customer":
            continue
        if only_named and not _names_record(facts, utterance.sentences):
            continue
        found = mention(_relevant(choice, facts, utterance.sentences), choice.ways, choice.lookup)
        if found.wanted and _REST.search(utterance.text):
            found = _with_earlier(found, choice, facts, said)
        if found.wanted and found.wanted <= choice.before and not choice.chosen <= choice.before:
            if not found.refused:
                continue  # it describes what there is
        if found:
            return found
    return None


_REST = re.compile(
    r"\b(?:rest|remain\w*|balance|difference|then|also|too|first|second|left over|leftover)\b", re.I
)


def _with_earlier(
    found: Mention, choice: Choice, facts: Facts, said: Sequence[Utterance]
) -> Mention:
    """*The rest with my Visa* adds to what was named before."""
    for utterance in said:
        if utterance.speaker == "customer":
            before = mention(_relevant(choice, facts, utterance.sentences), choice.ways)
            found = replace(found, possible=found.possible | before.wanted)
    return found


def _told(choice: Choice, facts: Facts, said: Sequence[Utterance]) -> Mention | None:
    """What the agent told of a choice in a message; None where it told nothing, or several."""
    for utterance in said:
        own = _relevant(choice, facts, utterance.own)
        found = mention(own, choice.ways, choice.lookup, stated=True)
        wanted = (
            found.wanted - choice.before if not choice.chosen <= choice.before else found.wanted
        )
        if wanted and (choice.whole or len(wanted) <= len(choice.chosen)):
            return Mention(wanted=wanted, quote=found.quote)
    return None


def _bears_out(choice: Choice, facts: Facts, told: Mention, said: Sequence[Utterance]) -> bool:
    """Whether the agent told, then or at another time, what the change settles on."""
    if choice.whole:
        return told.wanted <= choice.chosen | choice.before
    return any(
        speaks_of(sentence.words, choice.ways, choice.lookup) & choice.chosen
        for utterance in said
        if utterance.speaker == "agent"
        for sentence in _relevant(choice, facts, utterance.own)
    )


def _relevant(choice: Choice, facts: Facts, said: Sequence[Sentence]) -> list[Sentence]:
    """Sentences that are not about another record, nor about another thing of this one."""
    kept = relevant(facts, said)
    if choice.topic:
        kept = [each for each in kept if speaks_of(each.words, choice.topic)]
    return kept


def _names_record(facts: Facts, said: Iterable[Sentence]) -> bool:
    return any(names_it(facts, each) for each in said)
