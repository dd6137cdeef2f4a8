"""Finds the customer's own words that a change answers, and those relevant to a question."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from agent.comparison.mentions import phrases, speaks_of
from agent.comparison.scope import Scope
from agent.comparison.sentences import Sentence
from agent.comparison.talk import Talk
from agent.comparison.verbs import forms_of, has_verb
from domains.core.facts import Ways

MOST_LOOKED_AT = 12
"""How many of the customer's latest messages are searched for what they asked."""

MOST_ASKED = 2
"""How many of the customer's sentences a card quotes under *You asked* or beside a question."""

ENOUGH = 2.0
"""How close to a change a sentence must be: it has the act, or the record and a value of it."""


_PRESENTS = re.compile(
    r"^\W*(?:(?:hi|hello|hey|there|good \w+)\W+)*"
    r"(?:(?:it['’]?s|it is|this is|i['’]?m|i am|my name(?:['’]?s| is))\s+"
    r"(?!not|no|about|looking|trying|hoping|after|wanting|calling|writing|the|a|my|for|to)[\w'-]+"
    r"(?:\s+[\w'-]+){0,2}\s*[,.(;:-])(?!.*\b(?:want|like|need|please|can|could|would|change|get)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""Introductions that ask for nothing: *It's Priya Raman, I ordered a jacket*."""


def requests_behind(scope: Scope) -> tuple[str, ...]:
    """The customer's sentences that this change answers, in the order in which they were said."""
    scored: list[tuple[float, int, str]] = []
    facts, last = scope.facts, scope.talk.last_of_customer[:MOST_LOOKED_AT]
    bearing = scope.talk.messages_with(last, forms_of(facts.verbs), phrases(facts.about))
    nearness = {utterance.place: place for place, utterance in enumerate(last)}
    for utterance in bearing:
        place = nearness[utterance.place]
        for sentence in scope.relevant(utterance):
            closeness = 0.0 if sentence.quote else _closeness(scope, sentence)
            if closeness >= ENOUGH:
                scored.append((closeness - 0.1 * place, place, sentence.text))
    closest = sorted(scored, key=lambda each: -each[0])[:MOST_ASKED]
    return tuple(text for _, _, text in sorted(closest, key=lambda each: -each[1]))


def _closeness(scope: Scope, sentence: Sentence) -> float:
    """How closely a sentence is about this change: its act, its record, its values."""
    facts = scope.facts
    if _PRESENTS.match(sentence.text) and not has_verb(facts.acts, sentence.words):
        return 0.0
    close = 2.0 * has_verb(facts.verbs, sentence.words)
    close += min(2, len(scope.named_of_record(sentence)))
    if not close:
        return 0.0
    for choice in facts.choices:
        close += bool(speaks_of(sentence.words, choice.ways, choice.lookup) & choice.chosen)
    for selection in facts.selections:
        close += bool(speaks_of(sentence.words, selection.ways) & selection.chosen)
    return close - 0.5 * sentence.is_question


def sentences_about(talk: Talk, about: Iterable[str]) -> tuple[str, ...]:
    """The customer's sentences that contain any of these words or phrases, newest message first."""
    ways = _ways(tuple(about))
    found: list[str] = []
    for utterance in talk.messages_with(talk.last_of_customer[:MOST_LOOKED_AT], phrases(ways)):
        found += (each.text for each in utterance.own if speaks_of(each.words, ways))
    return tuple(dict.fromkeys(found))[:MOST_ASKED]


@lru_cache(maxsize=256)  # a tool declares once what its questions are about
def _ways(about: tuple[str, ...]) -> Ways:
    return {each: frozenset({each}) for each in about}
