"""Whether a trip is when the customer wanted to fly: its dates and its times of day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from agent.comparison.moments import Day, bounds, days
from agent.comparison.scope import Scope
from agent.comparison.sentences import Sentence
from domains.core.facts import Leg
from sessions.events import Disagreement

_BIRTH = re.compile(r"\b(?:born|birth\w*|dob)\b", re.IGNORECASE)
_DAY_AFTER = re.compile(
    r"\b(?:(?:the |a |one )?day (?:after|later)|next day|following day)\b", re.IGNORECASE
)
_DAY_BEFORE = re.compile(
    r"\b(?:(?:the |a |one )?day (?:before|earlier)|previous day)\b", re.IGNORECASE
)


def compare_dates(scope: Scope) -> Iterator[Disagreement]:
    """A line where a new date is none of those that were named, or not the day that was meant."""
    if any(leg.is_new for leg in scope.facts.legs):
        yield from _date_of_flight(scope)
        yield from _named_date(scope)
        yield from _relative_date(scope)


def _date_of_flight(scope: Scope) -> Iterator[Disagreement]:
    """*HAT278 on May 23*, said or told last, where it is booked for another day."""
    told = [scope.told] if scope.told is not None else []
    for leg in scope.facts.legs:
        for utterance in (*scope.answer, *told) if leg.is_new else ():
            named = [each for each in utterance.own if leg.name.lower() in each.words]
            dated = [each for each in named if days(each.text)]
            if dated and not any(_is(leg.date, day) for each in dated for day in days(each.text)):
                yield Disagreement(
                    kind="date",
                    does=f"has {leg.name} on {leg.date}",
                    said=dated[-1].text,
                    by=utterance.speaker,
                )
                return


def _named_date(scope: Scope) -> Iterator[Disagreement]:
    before = scope.facts.dates_before
    new = next((leg for leg in scope.facts.legs if leg.is_new and leg.date not in before), None)
    said = _days_said(scope)
    if new is None or not said or any(_is(new.date, day) for day, _ in said):
        return
    told = scope.talk.last_told
    if told is not None and any(_is(new.date, day) for day in days(told.text)):
        return
    meant = [sentence for day, sentence in said if not any(_is(each, day) for each in before)]
    if meant:
        yield _line(new, meant[0])


def _days_said(scope: Scope) -> list[tuple[Day, Sentence]]:
    """The days that the customer named since the last write, the newest first."""
    return [
        (day, sentence)
        for utterance in scope.customers
        for sentence in reversed(scope.relevant(utterance))
        if sentence.has_digit and not _BIRTH.search(sentence.text)
        for day in days(sentence.text)
    ]


def _is(when: str, day: Day) -> bool:
    flies = date.fromisoformat(when)
    return (flies.month, flies.day) == (day.month, day.day)


def _relative_date(scope: Scope) -> Iterator[Disagreement]:
    """*The day after*: after the day on which the trip began until now."""
    if not scope.facts.dates_before:
        return
    for sentence in (each for utterance in scope.customers for each in utterance.own):
        step = _step(sentence)
        if step:
            begins = date.fromisoformat(scope.facts.dates_before[0])
            if scope.facts.legs[0].date != (begins + timedelta(days=step)).isoformat():
                yield _line(scope.facts.legs[0], sentence)
            return


def _step(sentence: Sentence) -> int:
    """How many days later a sentence wants it; 0 where it says nothing of the kind."""
    if sentence.is_question or days(sentence.text):
        return 0
    if _DAY_AFTER.search(sentence.text):
        return 1
    return -1 if _DAY_BEFORE.search(sentence.text) else 0


def _line(leg: Leg, sentence: Sentence) -> Disagreement:
    return Disagreement(
        kind="date", does=f"flies on {leg.date}", said=sentence.quoted, by="customer"
    )


def compare_times(scope: Scope) -> Iterator[Disagreement]:
    """A line where a flight leaves before or after what the customer set."""
    new = [leg for leg in scope.facts.legs if leg.is_new]
    if not new:
        return
    earliest, latest, _ = bounds(scope.customers)
    early = (leg for leg in new if earliest is not None and leg.departs < earliest.time)
    late = (leg for leg in new[:1] if latest is not None and leg.departs > latest.time)
    for bound, leg in ((earliest, next(early, None)), (latest, next(late, None))):
        if bound is not None and leg is not None:
            yield Disagreement(
                kind="time",
                does=f"leaves at {leg.departs} ({leg.name})",
                said=bound.sentence.quoted,
                by="customer",
            )
            return
