"""Values that stand in nothing that was said or read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from agent.comparison.moments import days
from agent.comparison.scope import Scope
from agent.comparison.sentences import words
from agent.comparison.talk import Talk
from domains.facts import Source
from sessions.events import Disagreement


def compare_sources(scope: Scope) -> Iterator[Disagreement]:
    """A line for each value that came out of nowhere, or that is not what is on file."""
    talk = scope.talk
    for source in scope.facts.sources:
        if source.on_file and source.on_file != source.value and not _was_said(source, talk):
            does = f"{source.does}, where the profile has {source.on_file}"
            yield Disagreement(kind=source.kind, does=does)
        elif not (_was_said(source, talk) or talk.was_read(source.value)):
            yield Disagreement(kind=source.kind, does=source.does)


def _was_said(source: Source, talk: Talk) -> bool:
    if source.is_date:
        return _day_was_said(source.value, talk)
    value = words(source.value)
    return any(
        _contains(sentence.words, value)
        for said in talk.newest
        if said.speaker == "customer"
        for sentence in said.own
    )


def _day_was_said(value: str, talk: Talk) -> bool:
    try:
        wanted = date.fromisoformat(value)
    except ValueError:
        return talk.was_read(value)
    return any(
        (day.month, day.day) == (wanted.month, wanted.day) and day.year in (None, wanted.year)
        for said in talk.newest
        if said.speaker == "customer"
        for day in days(said.text)
    )


def _contains(spoken: tuple[str, ...], value: tuple[str, ...]) -> bool:
    return any(spoken[at : at + len(value)] == value for at in range(len(spoken) - len(value) + 1))
