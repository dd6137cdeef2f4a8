"""Finds values that occur in nothing that was said or read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from agent.comparison.moments import Day, days
from agent.comparison.scope import Scope
from agent.comparison.sentences import Sentence, stem
from agent.comparison.talk import Talk, address_words
from sessions.events import Disagreement


def compare_sources(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement for each value that has no source, or that differs from the records."""
    talk = scope.talk
    for source in scope.facts.sources:
        if source.is_date:
            was_said = _day_was_said(source.value, talk)
            if source.on_file and source.on_file != source.value and not was_said:
                does = f"{source.does}, where the profile has {source.on_file}"
                yield Disagreement(kind=source.kind, does=does)
            elif not (was_said or talk.was_read(source.value)):
                yield Disagreement(kind=source.kind, does=source.does)
        elif not _has_source(source.value, talk):
            yield Disagreement(kind=source.kind, does=source.does)
    yield from _birth_date_disagreements(scope)


def _birth_date_disagreements(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if none of the dates of birth entered is one that the customer gave."""
    dated = (each.value for each in scope.facts.sources if each.is_date)
    born = {date.fromisoformat(each) for each in dated}
    if not born:
        return
    flown = [date.fromisoformat(leg.date).year - 1 for leg in scope.facts.legs]
    said = list(_births(scope, max(each.year for each in born), *flown))
    entered = {(each.month, each.day, each.year) for each in born}
    if said and entered.isdisjoint(day for day, _ in said):
        does = f"enters another date of birth: {', '.join(map(str, sorted(born)))}"
        yield Disagreement(
            kind="date of birth", does=does, said=said[0][1].words_to_quote, by="customer"
        )


def _births(scope: Scope, *years: int) -> Iterator[tuple[Day, Sentence]]:
    """Yield the days that the customer named in the latest of these years or before it."""
    for utterance in scope.customer_messages:
        for sentence in utterance.own:
            for day in days(sentence.text) if sentence.has_digit else ():
                if day.year is not None and day.year <= max(years):
                    yield day, sentence


def _has_source(value: str, talk: Talk) -> bool:
    """Whether every word of it was said by the customer or read.

    *445, not 443; the rest is fine* corrects one word of an existing value. A number counts as read
    only next to the same word: a house number that also occurs in some price has no source.
    """
    if talk.was_read(value):
        return True
    spoken = {
        word
        for said in talk.last_of_customer
        for word in (*said.vocabulary, *address_words(said.text))
    }
    listed = address_words(value)
    return all(
        word in spoken or stem(word) in spoken or _was_read(at, listed, talk)
        for at, word in enumerate(listed)
    )


def _was_read(at: int, listed: Sequence[str], talk: Talk) -> bool:
    """Whether a word was read; a number must have been read next to the same word as here."""
    word = listed[at]
    if not any(each.isdigit() for each in word):
        return talk.has_read(word)
    beside = (listed[max(0, at - 1) : at + 1], listed[at : at + 2])
    return any(len(pair) > 1 and talk.was_read(" ".join(pair)) for pair in beside)


def _day_was_said(value: str, talk: Talk) -> bool:
    try:
        wanted = date.fromisoformat(value)
    except ValueError:
        return talk.was_read(value)
    return any(
        (day.month, day.day) == (wanted.month, wanted.day) and day.year in (None, wanted.year)
        for said in talk.last_of_customer
        for day in days(said.text)
    )
