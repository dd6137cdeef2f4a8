"""Values that stand in nothing that was said or read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from agent.comparison.moments import days
from agent.comparison.scope import Scope
from agent.comparison.sentences import stem
from agent.comparison.talk import Talk
from sessions.events import Disagreement


def compare_sources(scope: Scope) -> Iterator[Disagreement]:
    """A line for each value that came out of nowhere, or that is not what is on file."""
    talk = scope.talk
    for source in scope.facts.sources:
        if source.is_date:
            was_said = _day_was_said(source.value, talk)
            if source.on_file and source.on_file != source.value and not was_said:
                does = f"{source.does}, where the profile has {source.on_file}"
                yield Disagreement(kind=source.kind, does=does)
            elif not (was_said or talk.was_read(source.value)):
                yield Disagreement(kind=source.kind, does=source.does)
        elif not _came_from_somewhere(source.value, talk):
            yield Disagreement(kind=source.kind, does=source.does)


def _came_from_somewhere(value: str, talk: Talk) -> bool:
    """Whether every word of it was said by the customer or stands in what was read.

    *445, not 443; the rest is fine* corrects one word of what there is.
    """
    spoken = {
        word
        for said in talk.newest
        if said.speaker == "customer"
        for sentence in said.own
        for word in sentence.words
    }
    return all(
        stem(word.lower()) in spoken or talk.was_read(word) for word in re.findall(r"\w+", value)
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
