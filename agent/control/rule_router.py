"""The router without a model: finds features showing that a session's requests are coupled.

It is code over the log alone. It names the words, records and refusals it found, and gives long
conversations no more weight than short ones (difficulty-routed control, section 3.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agent.comparison import Talk
from agent.comparison.amounts import ELSE
from agent.comparison.scope import speaks_of_several
from agent.comparison.sentences import Sentence
from agent.comparison.utterance import Utterance
from agent.comparison.verbs import has_verb
from agent.control.requests import asks_for, changes_asked_in
from domains.core.domain import Domain
from domains.text.one_line import quotation, value
from domains.text.wording import listing
from sessions.events import AnyEvent, CardShown, DecisionMade, ToolReturned, WriteApplied

QUOTED = 120
"""Characters of the customer's words that a feature quotes."""

_ID = re.compile(r"[\w-]+")
_PREFERS = frozenset({"prefer", "otherwise", "alternatively"})


def features_of(domain: Domain, talk: Talk, events: Iterable[AnyEvent]) -> tuple[str, ...]:
    """The features that make a session coupled, as short sentences; empty if it is routine."""
    said = [each for each in reversed(talk.newest) if each.speaker == "customer"]
    return tuple(
        (
            *_several_changes(domain, said, events := list(events)),
            *_several_records(domain, said),
            *condition_features(domain, said),
            *revision_features(events),
            *refusal_features(domain, events),
        )
    )


def _several_changes(
    domain: Domain, said: Sequence[Utterance], events: Iterable[AnyEvent]
) -> Iterator[str]:
    """Yield a feature if more than one kind of change is requested, proposed or made."""
    requests = domain.routing.requests
    sentences = [each for utterance in said for each in utterance.own]
    found = {name for each in sentences for name in changes_asked_in(each, requests)}
    asked = [name for name in requests if name in found]
    if len(asked) > 1:
        yield f"More than one change is asked for: {listing(asked)}."
    proposed = sorted({each for event in events for each in _changes_of(event)})
    if len(proposed) > 1:
        names = [" ".join((name.replace("_", " "), *ids)) for name, *ids in proposed]
        yield f"More than one change has been proposed: {listing(names)}."


def _changes_of(event: AnyEvent) -> Iterator[tuple[str, ...]]:
    """Yield the change that an event proposes or makes: its tool and the records that it names."""
    match event:
        case CardShown():
            yield event.card.tool, *_records(event.card.arguments)
        case WriteApplied(error=False):
            yield event.name, *_records(event.arguments)
        case _:
            pass


def _records(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the ids of the records that a call names, except payment methods."""
    for name, each in arguments.items():
        if name.endswith("_id") and "payment" not in name:
            yield value(each)


def _several_records(domain: Domain, said: Sequence[Utterance]) -> Iterator[str]:
    """Yield a feature if the customer names two records by id, or several in one sentence."""
    known = domain.base.collections.get(domain.routing.records, {})
    spoken = (word for each in said for word in _ID.findall(each.text))
    ids = (each for word in spoken for each in (word.upper(), f"#{word.upper()}"))
    named = list(dict.fromkeys(each for each in ids if each in known))
    if len(named) > 1:
        yield f"More than one record is named: {listing(named)}."
    for each in said:
        several = [one for one in each.own if not one.is_question and speaks_of_several(one.text)]
        asked = [one for one in several if _asks_for_any(domain, one)]
        if asked:
            yield f"It is about several things at once: {_quote(asked[0])}."
            return


def condition_features(domain: Domain, said: Sequence[Utterance]) -> Iterator[str]:
    """Yield a feature if a request depends on a condition, or has a fallback."""
    for each in said:
        for sentence in each.own:
            if _is_conditional(domain, sentence):
                yield f"There is a condition or a fallback: {_quote(sentence)}."
                return


def _is_conditional(domain: Domain, sentence: Sentence) -> bool:
    if sentence.is_question or sentence.unsure:
        return False
    conditional = any(clause.mood == "if" and len(clause.words) > 2 for clause in sentence.clauses)
    falls_back = not _PREFERS.isdisjoint(sentence.words) or ELSE.search(sentence.text) is not None
    return (conditional or falls_back) and _names_change(domain, sentence)


def _names_change(domain: Domain, sentence: Sentence) -> bool:
    """Whether the sentence mentions any kind of change, requested or not."""
    return any(
        has_verb(request.verbs, sentence.words)
        and (not request.things or not request.things.isdisjoint(sentence.words))
        for request in domain.routing.requests.values()
    )


def _asks_for_any(domain: Domain, sentence: Sentence) -> bool:
    return any(asks_for(sentence, each) for each in domain.routing.requests.values())


def revision_features(events: Iterable[AnyEvent]) -> Iterator[str]:
    """Yield a feature if a card was sent back with words, so that what was settled changes."""
    for event in events:
        if (
            isinstance(event, DecisionMade)
            and event.decision in ("reject", "change")
            and event.words.strip()
        ):
            words_said = quotation(event.words, QUOTED)
            yield f"A change that was shown on a card should be different: {words_said}."
            return


def refusal_features(domain: Domain, events: Iterable[AnyEvent]) -> Iterator[str]:
    """Yield a feature if a tool refused a change, so that a request cannot be met in that way."""
    for event in events:
        if (
            isinstance(event, ToolReturned)
            and event.error
            and event.ran
            and event.name in domain.tools
            and domain.tools.mutates(event.name)
        ):
            name = event.name.replace("_", " ")
            yield f"A change was refused: {name}, {quotation(event.text, QUOTED)}."
            return


def _quote(sentence: Sentence) -> str:
    return quotation(sentence.text, QUOTED)
