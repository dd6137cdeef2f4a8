"""The router without a model: what in a session says that its requests hang together.

Code over the log alone; it says which words, records and refusals it saw, and gives no more
weight to long conversations than to short ones (difficulty-routed control, section 3.1).
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
from agent.control.requests import asked_in, asks
from domains.core.domain import Domain
from domains.text.one_line import quotation, value
from domains.text.wording import listing
from sessions.events import AnyEvent, CardShown, DecisionMade, ToolReturned, WriteApplied

QUOTED = 120
"""Characters of the customer's words that a feature quotes."""

_ID = re.compile(r"[\w-]+")
_PREFERS = frozenset({"prefer", "otherwise", "alternatively"})


def features_of(domain: Domain, talk: Talk, events: Iterable[AnyEvent]) -> tuple[str, ...]:
    """What makes the session coupled, each as a short sentence; nothing where it is routine."""
    said = [each for each in reversed(talk.newest) if each.speaker == "customer"]
    return tuple(
        (
            *_several_changes(domain, said, events := list(events)),
            *_several_records(domain, said),
            *conditions(domain, said),
            *revisions(events),
            *refusals(domain, events),
        )
    )


def _several_changes(
    domain: Domain, said: Sequence[Utterance], events: Iterable[AnyEvent]
) -> Iterator[str]:
    """Two kinds of change that are asked for, or that were put on cards or made."""
    requests = domain.routing.requests
    sentences = [each for utterance in said for each in utterance.own]
    found = {name for each in sentences for name in asked_in(each, requests)}
    asked = [name for name in requests if name in found]
    if len(asked) > 1:
        yield f"More than one change is asked for: {listing(asked)}."
    proposed = sorted({each for event in events for each in _changes_of(event)})
    if len(proposed) > 1:
        names = [" ".join((name.replace("_", " "), *ids)) for name, *ids in proposed]
        yield f"More than one change has been proposed: {listing(names)}."


def _changes_of(event: AnyEvent) -> Iterator[tuple[str, ...]]:
    """The change that an event proposes or makes: its tool and the records that it names."""
    match event:
        case CardShown():
            yield event.card.tool, *_records(event.card.arguments)
        case WriteApplied(error=False):
            yield event.name, *_records(event.arguments)
        case _:
            pass


def _records(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Ids of the records that a call names, but for what pays."""
    for name, each in arguments.items():
        if name.endswith("_id") and "payment" not in name:
            yield value(each)


def _several_records(domain: Domain, said: Sequence[Utterance]) -> Iterator[str]:
    """Two records that the customer names by their ids, or several in one breath."""
    known = domain.base.collections.get(domain.routing.records, {})
    spoken = (word for each in said for word in _ID.findall(each.text))
    ids = (each for word in spoken for each in (word.upper(), f"#{word.upper()}"))
    named = list(dict.fromkeys(each for each in ids if each in known))
    if len(named) > 1:
        yield f"More than one of them is named: {listing(named)}."
    for each in said:
        several = [one for one in each.own if not one.is_question and speaks_of_several(one.text)]
        asked = [one for one in several if _asks_for_any(domain, one)]
        if asked:
            yield f"It is about several at once: {_quote(asked[0])}."
            return


def conditions(domain: Domain, said: Sequence[Utterance]) -> Iterator[str]:
    """A wish that hangs on something, or what to do where a wish cannot be had."""
    for each in said:
        for sentence in each.own:
            if _hangs(domain, sentence):
                yield f"There is a condition, or something to fall back on: {_quote(sentence)}."
                return


def _hangs(domain: Domain, sentence: Sentence) -> bool:
    if sentence.is_question or sentence.unsure:
        return False
    conditional = any(clause.mood == "if" and len(clause.words) > 2 for clause in sentence.clauses)
    falls_back = not _PREFERS.isdisjoint(sentence.words) or ELSE.search(sentence.text) is not None
    return (conditional or falls_back) and _names_change(domain, sentence)


def _names_change(domain: Domain, sentence: Sentence) -> bool:
    """Whether any change is spoken of in it, asked for or not."""
    return any(
        has_verb(request.verbs, sentence.words)
        and (not request.things or not request.things.isdisjoint(sentence.words))
        for request in domain.routing.requests.values()
    )


def _asks_for_any(domain: Domain, sentence: Sentence) -> bool:
    return any(asks(sentence, each) for each in domain.routing.requests.values())


def revisions(events: Iterable[AnyEvent]) -> Iterator[str]:
    """A card that was sent back with words: what was settled is to be another."""
    for event in events:
        if (
            isinstance(event, DecisionMade)
            and event.decision in ("reject", "change")
            and event.words.strip()
        ):
            words_said = quotation(event.words, QUOTED)
            yield f"A change that was put on a card is to be another: {words_said}."
            return


def refusals(domain: Domain, events: Iterable[AnyEvent]) -> Iterator[str]:
    """A change that its tool refused: what was asked for cannot be had that way."""
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
