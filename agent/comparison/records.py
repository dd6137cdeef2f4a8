"""Whether a change is about the record that was named: the order, the reservation."""

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
"""Words by which what names one record may be about another as well."""

_KEPT_OTHERS = re.compile(
    r"\b(?:keep|leave)\b[^.,;]{0,12}\b(?:others?|rest|everything else)\b", re.IGNORECASE
)
"""*Cancel #W1, keep the others*: it is about one record all the same."""

_DONE = re.compile(
    r"\b(?:has|have|had|was|were|been|is now|are now|already|earlier|would not|['’]ve)\b", re.I
)
"""That something is done already, and not proposed."""

_APART = re.compile(
    r"\b(?:not|n['’]t|never) (?:be )?(?:affect|touch|chang|includ)|\bun(?:affected|touched|changed)"
    r"|\b(?:stay|remain)s?\b",
    re.IGNORECASE,
)
"""That something is no part of what is proposed."""


_LABEL = frozenset(words("order reservation booking number id"))


def _is_label(said: Sentence, record: Choice) -> bool:
    """Whether it is a line of a list that says which record it is about: *Order: #W1*."""
    rest = tuple(each for each in said.words if each not in _LABEL)
    return len(rest) == 1 and bool(speaks_of(rest, record.ways))


def compare_record(scope: Scope) -> Iterator[Disagreement]:
    """A line where another of the customer's records was named than the one that is changed."""
    record = scope.facts.record
    if record is None:
        return
    found = _disagreement_beside_act(scope, record) or _disagreement_by_name(scope, record)
    if found is None or _OTHER.search(_KEPT_OTHERS.sub("", found.said)):
        found = _disagreement_with_proposal(scope, record)
    if found is not None:
        yield found


def _disagreement_beside_act(scope: Scope, record: Choice) -> Disagreement | None:
    """*Cancel #W1*, said or told last, where #W2 is cancelled."""
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
    """The sentences that speak of what is done, the newest first, and all of what was told last
    where that speaks of it at all: an agent's list has the act above and the records below.
    """
    for utterance in scope.customers:
        if utterance.has_verb(scope.facts.acts):
            yield from ((utterance, each) for each in _as_corrected(scope, utterance))
    told = None if any(map(begins_with_no, scope.answer)) else scope.answered_message
    if told is not None and told.has_verb(scope.facts.acts):
        yield from ((told, sentence) for sentence in _of_act_and_record(scope, told) or told.own)


def _as_corrected(scope: Scope, said: Utterance) -> list[Sentence]:
    """A message's sentences of the act; of *cancel #W1, actually no, it's #W2* only the last."""
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
    """*Cancel order #W1*: the sentences that say of which record it is done."""
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
    """Another record's name is all that the customer said, and not of another act."""
    if scope.names_record_in(scope.talk.last_of_customer):
        return None
    found = disagreement_on_choice(record, Scope(replace(scope.facts, others={}), scope.talk))
    others = scope.facts.other_acts - scope.facts.verbs
    of_another_act = found is not None and has_verb(others, words(found.said))
    return None if of_another_act else found


def _disagreement_with_proposal(scope: Scope, record: Choice) -> Disagreement | None:
    """Another record is what the agent proposed and the customer said yes to, and not this one."""
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
    if any(map(scope.names_record, named)):  # then another's id may be told in passing
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
        return None  # or it tells of several, of which this may be one
    return Disagreement(kind=record.kind, does=record.does, said=found.quote, by="agent")
