"""Compares the dates and times of day of a trip with when the customer wants to fly."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta

from agent.comparison.moments import Day, bare_days, bounds, days, departures, windows
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


_WAY_BACK = re.compile(r"\b(?:back|home|return(?:ing)?|homeward|inbound)\b", re.IGNORECASE)
_DATE_WORDS = frozenset(("date", "day"))
_SAME_DATES = re.compile(
    r"\b(?:same (?:dates?|days?)\b(?! as\b)"
    r"|dates? (?:(?:should|must|can|will|has to|have to) )?(?:stays?|remains?|not change|unchanged)"
    r"|keep (?:the |my |all )?(?:dates?|days?)"
    r"|(?:not|don['’]t) (?:change|touch|move) (?:the |my |any )?dates?)\b",
    re.IGNORECASE,
)


def compare_dates(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if a new date was not named, or is not the day that was meant."""
    if any(leg.is_new for leg in scope.facts.legs):
        yield from _date_of_flight(scope)
        yield from _date_disagreements(scope)
        yield from _relative_date(scope)
        yield from _same_dates(scope)


def _date_of_flight(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if a flight named with a date is booked for another day.

    An example is *HAT278 on May 23*, said in the customer's answer or the message before it.
    """
    told = [scope.answered_message] if scope.answered_message is not None else []
    for leg in scope.facts.legs:
        for utterance in (*scope.answer, *told):
            named = [each for each in utterance.own if leg.name.lower() in each.words]
            dated = [each for each in named if days(each.text)]
            if utterance.speaker == "agent":  # which may tell what is booked so far
                before = scope.facts.dates_before
                dated = [e for e in dated if not _is_on_any(before, days(e.text))]
            if dated and not any(
                _is_on_day(leg.date, day) for each in dated for day in days(each.text)
            ):
                yield Disagreement(
                    kind="date",
                    does=f"has {leg.name} on {leg.date}",
                    said=dated[-1].text,
                    by=utterance.speaker,
                )
                return


def _is_on_any(dates: Collection[str], said: Iterable[Day]) -> bool:
    """Whether any of some days is one of some dates."""
    return any(_is_on_day(each, day) for day in said for each in dates)


def _date_disagreements(scope: Scope) -> Iterator[Disagreement]:
    before = scope.facts.dates_before
    new = next((leg for leg in scope.facts.legs if leg.is_new and leg.date not in before), None)
    said = _days_said(scope)
    if new is None or not said or any(_is_on_day(new.date, day) for day, _ in said):
        return
    # "the 19th": for a day without its month it is unclear which flight is meant
    if any(
        _is_on_day(leg.date, day) for leg in scope.facts.legs for day, _ in said if not day.month
    ):
        return
    told = scope.talk.last_told
    if told is not None and any(_is_on_day(new.date, day) for day in days(told.text)):
        return
    meant = [
        sentence for day, sentence in said if not any(_is_on_day(each, day) for each in before)
    ]
    if meant:
        yield _line(new, meant[0])


def _days_said(scope: Scope) -> list[tuple[Day, Sentence]]:
    """The days that the customer named since the last write except dates of birth, newest first."""
    return [
        (day, sentence)
        for utterance in scope.customer_messages
        for sentence in reversed(scope.relevant(utterance))
        if sentence.has_digit and not _BIRTH.search(sentence.text)
        for day in (*days(sentence.text), *bare_days(sentence.text))
        if not _is_of_birth(day, scope)
    ]


def _is_of_birth(day: Day, scope: Scope) -> bool:
    """Whether a day is in a year before the trip's, as a date of birth is."""
    return day.year is not None and day.year < date.fromisoformat(scope.facts.legs[0].date).year


def _is_on_day(when: str, day: Day) -> bool:
    flies = date.fromisoformat(when)
    return flies.day == day.day and day.month in (0, flies.month)


def _relative_date(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if *the day after* (or before) was wanted and is not the date."""
    if not scope.facts.dates_before:
        return
    flown = {leg.date for leg in scope.facts.legs}
    for sentence in (each for utterance in scope.customer_messages for each in utterance.own):
        step = _days_to_shift(sentence)
        if step:
            before = map(date.fromisoformat, scope.facts.dates_before)
            if flown.isdisjoint((day + timedelta(days=step)).isoformat() for day in before):
                yield _line(scope.facts.legs[0], sentence)
            return


def _same_dates(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if the customer said that the dates stay, and they do not."""
    before = scope.facts.dates_before
    moved = next((leg for leg in scope.facts.legs if leg.date not in before), None)
    if moved is None or not before:
        return
    for utterance in scope.customer_messages:
        named = [*days(utterance.text), *bare_days(utterance.text)]
        if any(_is_on_day(moved.date, day) for day in named):
            return
        if utterance.has_any(_DATE_WORDS):
            for sentence in utterance.own:
                if not sentence.is_question and _SAME_DATES.search(sentence.text):
                    yield _line(moved, sentence)
                    return


def _days_to_shift(sentence: Sentence) -> int:
    """How many days later a sentence wants the trip, 1 or -1; 0 if it does not say."""
    if sentence.is_question or days(sentence.text) or bare_days(sentence.text):
        return 0
    if _DAY_AFTER.search(sentence.text):
        return 1
    return -1 if _DAY_BEFORE.search(sentence.text) else 0


def _line(leg: Leg, sentence: Sentence) -> Disagreement:
    return Disagreement(
        kind="date", does=f"flies on {leg.date}", said=sentence.words_to_quote, by="customer"
    )


def compare_times(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if a flight leaves or arrives outside the times the customer set."""
    new = [leg for leg in scope.facts.legs if leg.is_new]
    if not new:
        return
    yield from _time_disagreements(new, scope)
    earliest, latest, by, _ = bounds(scope.customer_messages)
    if by is not None and _arrives_after(new, by.time):
        last = max(new, key=lambda each: each.arrives)
        yield Disagreement(
            kind="time",
            does=f"arrives at {last.arrives} ({last.name})",
            said=by.sentence.words_to_quote,
            by="customer",
        )
    early = () if earliest is None else _on_the_way_of(earliest.sentence, new)
    late = () if latest is None else _on_the_way_of(latest.sentence, new)[:1]
    too_early = (leg for leg in early if earliest is not None and leg.departs < earliest.time)
    too_late = (leg for leg in late if latest is not None and leg.departs > latest.time)
    for bound, leg in ((earliest, next(too_early, None)), (latest, next(too_late, None))):
        if bound is not None and leg is not None:
            yield Disagreement(
                kind="time",
                does=f"leaves at {leg.departs} ({leg.name})",
                said=bound.sentence.words_to_quote,
                by="customer",
            )
            return


def _on_the_way_of(sentence: Sentence, legs: Sequence[Leg]) -> Sequence[Leg]:
    """The flights that a sentence may be about, if it is only about the way back.

    Those are the ones of the last day; if all are on one day, only the last is that for sure.
    """
    if not _WAY_BACK.search(sentence.text):
        return legs
    last = [leg for leg in legs if leg.date == legs[-1].date]
    return last if len(last) < len(legs) else legs[-1:]


def _arrives_after(new: Sequence[Leg], latest: str) -> bool:
    """Whether the last flight of every date arrives too late, whichever date was meant."""
    last = {leg.date: leg.arrives for leg in new}
    return all(arrives > latest for arrives in last.values())


def _time_disagreements(new: Sequence[Leg], scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if no flight fits *the 9 am flight* or *between 10 and 12*."""
    told = scope.answered_message.text if scope.answered_message is not None else ""
    if any(leg.name in told for leg in new):  # it was offered by its number
        return
    leaves = [leg.departs for leg in new]
    named, window = departures(scope.customer_messages), windows(scope.customer_messages)
    said = None
    if named is not None and named[0].isdisjoint([*leaves, *(leg.arrives for leg in new)]):
        said = named[1]
    elif window is not None and not any(
        first <= each <= last for first, last in window[0] for each in leaves
    ):
        said = window[1]
    if said is not None:
        does = f"leaves at {leaves[0]} ({new[0].name})"
        yield Disagreement(kind="time", does=does, said=said.words_to_quote, by="customer")
