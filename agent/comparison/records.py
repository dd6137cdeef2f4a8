"""Compares the record that a change affects, an order or a reservation, with the one named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from agent.comparison.assent import begins_with_no
from agent.comparison.choices import disagreement_on_choice
from agent.comparison.mentions import mention, speaks_of
from agent.comparison.scope import Scope
from agent.comparison.sentences import Sentence, words
from agent.comparison.utterance import Speaker, Utterance
from agent.comparison.verbs import has_verb
from domains.core.facts import NO_WAYS, Choice
from domains.text.phrasing import corrects
from sessions.events import Disagreement

_OTHER = re.compile(
    r"\b(?:others?|both|all|every|everything|each|rest|too|also|first"
    r"|the (?:two|three|four|five|six))\b",
    re.IGNORECASE,
)
"""Words by which a sentence that names one record may be about another one as well."""

_KEPT_OTHERS = re.compile(
    r"\b(?:keep|leave)\b[^.,;]{0,12}\b(?:others?|rest|everything else)\b", re.IGNORECASE
)
"""Phrases that leave other records alone: *cancel #W1, keep the others* is about one record."""

_DONE = re.compile(
    r"\b(?:has|have|had|was|were|been|is now|are now|already|earlier|would not|['’]ve)\b", re.I
)
"""Phrases that report something as already done and do not propose it."""

_APART = re.compile(
    r"\b(?:not|n['’]t|never) (?:be )?(?:affect|touch|chang|includ)|\bun(?:affected|touched|changed)"
    r"|\b(?:stay|remain)s?\b",
    re.IGNORECASE,
)
"""Phrases that say that something is not part of the proposal."""


_LABEL = frozenset(words("order reservation booking number id"))


def _is_label(said: Sentence, record: Choice) -> bool:
    """Whether it is a line of a list that only states the record: *Order: #W1*."""
    rest = tuple(each for each in said.words if each not in _LABEL)
    return len(rest) == 1 and bool(speaks_of(rest, record.ways))


def compare_record(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if a record was named that is not the one being changed."""
    record = scope.facts.record
    if record is None:
        return
    found = _disagreement_beside_act(scope, record) or _disagreement_by_name(scope, record)
    if found is None or _OTHER.search(_KEPT_OTHERS.sub("", found.said)):
        found = _disagreement_with_proposal(scope, record)
    if found is not None:
        yield found


def _disagreement_beside_act(scope: Scope, record: Choice) -> Disagreement | None:
    """The disagreement if the last words about the act name another record, or None.

    An example is *cancel #W1*, said last by either side, where #W2 is cancelled.
    """
    newest: tuple[str, Speaker] | None = None
    for utterance, sentence in _with_act(scope):
        if scope.names_record(sentence):
            return None
        others = mention([sentence], scope.facts.others, things="taken away", stated=True).wanted
        if others and newest is None:
            newest = sentence.text, utterance.speaker
    if newest is None:
        return None
    said, by = newest
    return Disagreement(kind=record.kind, does=record.does, said=said, by=by)


def _with_act(scope: Scope) -> Iterator[tuple[Utterance, Sentence]]:
    """Yield the sentences about the act, the customer's newest message first.

    The agent's last message follows if it mentions the act: its sentences that name act and record,
    or else all of them, because an agent's list has the act above and the records below.
    """
    for utterance in scope.customer_messages:
        if utterance.has_verb(scope.facts.acts):
            yield from ((utterance, each) for each in _as_corrected(scope, utterance))
    told = None if any(map(begins_with_no, scope.answer)) else scope.answered_message
    if told is not None and told.has_verb(scope.facts.acts):
        yield from ((told, sentence) for sentence in _of_act_and_record(scope, told) or told.own)


def _as_corrected(scope: Scope, said: Utterance) -> list[Sentence]:
    """The message's sentences about the act, without those that it goes on to correct.

    Of *cancel #W1, actually no, it's #W2*, only the last part remains.
    """
    found: list[Sentence] = []
    for sentence in said.own:
        if has_verb(scope.facts.acts, sentence.words):
            found.append(sentence)
        elif found and corrects(sentence.text) and _names_a_record(scope, sentence):
            found = [sentence]
    return found


def _names_a_record(scope: Scope, sentence: Sentence) -> bool:
    return scope.names_record(sentence) or bool(speaks_of(sentence.words, scope.facts.others))


def _of_act_and_record(scope: Scope, told: Utterance) -> list[Sentence]:
    """The sentences that propose the act and name a record: *Cancel order #W1*."""
    ids = scope.facts.record.ways if scope.facts.record is not None else NO_WAYS
    return [
        each
        for each in told.own
        if has_verb(scope.facts.acts, each.words)
        and speaks_of(each.words, ids)
        and not _DONE.search(each.text)
        and not any(clause.denies for clause in each.clauses)
    ]


def _disagreement_by_name(scope: Scope, record: Choice) -> Disagreement | None:
    """The disagreement if the customer named only another record, and not for another act."""
    if scope.names_record_in(scope.talk.last_of_customer):
        return None
    found = disagreement_on_choice(record, Scope(replace(scope.facts, others={}), scope.talk))
    others = scope.facts.other_acts - scope.facts.verbs
    of_another_act = found is not None and has_verb(others, words(found.said))
    return None if of_another_act else found


def _disagreement_with_proposal(scope: Scope, record: Choice) -> Disagreement | None:
    """The disagreement if the proposal the customer agreed to was only about another record."""
    told = scope.agreed_message
    if told is None or not told.has_verb(scope.facts.acts):
        return None
    about = [each for each in told.own if not _APART.search(each.text)]
    named = [*about, *(each for said in scope.answer for each in said.own)]
    if any(scope.is_of_another_act(each.words) for each in told.own) or any(
        speaks_of(each.words, record.ways) & record.chosen for each in named
    ):
        return None
    open_yet = [each for each in about if not _DONE.search(each.text)]
    if any(map(scope.names_record, named)):  # another id may be mentioned in passing
        open_yet = [
            each
            for each in open_yet
            if has_verb(scope.facts.acts, each.words) or _is_label(each, record)
        ]
    found = mention(open_yet, record.ways, things=record.things, stated=True)
    stays = any(speaks_of(each.words, record.ways) & record.chosen for each in told.own)
    if not found.wanted and not any(map(scope.names_record, named)):
        found = mention(open_yet, scope.facts.others, things=record.things, stated=True)
    if len(found.wanted) != 1 and not (found.wanted and stays):
        return None  # it names several records, and this may be one of them
    return Disagreement(kind=record.kind, does=record.does, said=found.quote, by="agent")
