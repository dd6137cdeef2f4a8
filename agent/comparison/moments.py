"""Dates and times of day: what the customer named, and when the trip of a change is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from agent.comparison.scope import Scope
from agent.comparison.sentences import Sentence
from agent.comparison.talk import Utterance
from domains.facts import Leg
from sessions.events import Disagreement

_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]  # fmt: skip
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?\\.?" for name in _MONTHS)
_DATE = re.compile(
    rf"\b(?P<y1>\d{{4}})-(?P<m1>\d{{2}})-(?P<d1>\d{{2}})\b"
    rf"|\b(?P<m2>{_MONTH})\s+(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y2>\d{{4}}))?"
    rf"|\b(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m3>{_MONTH})(?!\w)(?:,?\s+(?P<y3>\d{{4}}))?"
    rf"|\b(?P<m4>\d{{1,2}})/(?P<d4>\d{{1,2}})(?:/(?P<y4>\d{{2,4}}))?\b",
    re.IGNORECASE,
)
_BIRTH = re.compile(r"\b(?:born|birth\w*|dob)\b", re.IGNORECASE)
_DAY_AFTER = re.compile(
    r"\b(?:(?:the |a |one )?day (?:after|later)|next day|following day|one day later)\b",
    re.IGNORECASE,
)
_DAY_BEFORE = re.compile(r"\b(?:(?:the |a |one )?day (?:before|earlier)|previous day)\b", re.I)
_TIME = r"(?P<h>\d{1,2})(?::(?P<m>\d{2}))?\s*(?P<half>[ap]\.?m\b\.?)|(?P<h2>\d{1,2}):(?P<m2>\d{2})|(?P<noon>noon)"
_NOT_BEFORE = re.compile(
    rf"\b(?:(?:no|not|n['’]t|never|dont|don['’]t|avoid|nothing|none|neither)\b[^.!?]{{0,60}}?\b(?:before|earlier than)"
    rf"|no(?:t)? earlier than|after|later than)\s+(?:{_TIME})",
    re.IGNORECASE,
)
_NOT_AFTER = re.compile(
    rf"\b(?:no later than|before|by|(?:not|n['’]t|never)\b[^.!?]{{0,40}}?\b(?:after|later than))\s+"
    rf"(?:{_TIME})",
    re.IGNORECASE,
)


class Day(NamedTuple):
    """A day of the year, and of which year where that was said."""

    month: int
    day: int
    year: int | None = None


def days(text: str) -> list[Day]:
    """The days that a text names."""
    return [day for found in _DATE.finditer(text) if (day := _day(found)) is not None]


def _day(found: re.Match[str]) -> Day | None:
    for n in "1234":
        if found.group(f"d{n}"):
            month, year = found.group(f"m{n}"), found.group(f"y{n}")
            number = int(month) if month.isdigit() else _month(month)
            day = int(found.group(f"d{n}"))
            ok = 1 <= number <= 12 and 1 <= day <= 31
            return Day(number, day, int(year) if year and len(year) == 4 else None) if ok else None
    return None


def _month(name: str) -> int:
    return next(n for n, each in enumerate(_MONTHS, 1) if each.startswith(name[:3].lower()))


def compare_dates(scope: Scope) -> Iterator[Disagreement]:
    """A line where a new date is none of those that were named, or not the day that was meant."""
    old = {date.fromisoformat(each) for each in scope.facts.dates_before}
    new = [
        leg for leg in scope.facts.legs if leg.is_new and date.fromisoformat(leg.date) not in old
    ]
    if not new:
        return
    said = _dates_said(scope)
    if not said or _is_among(new[0], said):
        return
    told = scope.talk.last_told
    if told is not None and any(_is(new[0], day) for each in told.own for day in days(each.text)):
        return
    meant = [pair for pair in said if pair[0] not in old]
    if meant:
        does = f"flies on {new[0].date}"
        yield Disagreement(kind="date", does=does, said=meant[0][1].quoted, by="customer")


def _dates_said(scope: Scope) -> list[tuple[Day, Sentence]]:
    """The days that the customer named since the last write, the newest first."""
    return [
        (day, sentence)
        for utterance in scope.customers
        for sentence in reversed(utterance.sentences)
        if not _BIRTH.search(sentence.text)
        for day in days(sentence.text)
    ]


def _is_among(leg: Leg, said: list[tuple[Day, Sentence]]) -> bool:
    return any(_is(leg, day) for day, _ in said)


def _is(leg: Leg, day: Day) -> bool:
    flies = date.fromisoformat(leg.date)
    return (flies.month, flies.day) == (day.month, day.day)


def compare_relative_days(scope: Scope) -> Iterator[Disagreement]:
    """A line where *the day after* was asked for, and it is another."""
    if not scope.facts.dates_before or not any(leg.is_new for leg in scope.facts.legs):
        return
    for utterance in scope.customers:
        for sentence in utterance.own:
            step = (
                1
                if _DAY_AFTER.search(sentence.text)
                else -1
                if _DAY_BEFORE.search(sentence.text)
                else 0
            )
            if step and not sentence.is_question and not days(sentence.text):
                wanted = date.fromisoformat(scope.facts.dates_before[0]) + timedelta(days=step)
                if scope.facts.legs[0].date != wanted.isoformat():
                    does = f"flies on {scope.facts.legs[0].date}"
                    yield Disagreement(kind="date", does=does, said=sentence.quoted, by="customer")
                return


def compare_times(scope: Scope) -> Iterator[Disagreement]:
    """A line where a flight leaves before, or arrives after, what the customer set."""
    new = [leg for leg in scope.facts.legs if leg.is_new]
    if not new:
        return
    earliest, latest = _bounds(scope.customers)
    if earliest is not None:
        early = next((leg for leg in new if leg.departs < earliest[0]), None)
        if early is not None:
            does = f"leaves at {early.departs} ({early.name})"
            yield Disagreement(kind="time", does=does, said=earliest[1].quoted, by="customer")
    if latest is not None and not earliest:
        late = new[0] if new[0].departs > latest[0] else None
        if late is not None:
            does = f"leaves at {late.departs} ({late.name})"
            yield Disagreement(kind="time", does=does, said=latest[1].quoted, by="customer")


def has_bounds(scope: Scope) -> bool:
    """Whether the customer said from or until when they want to fly."""
    return any(_bounds(scope.customers)) or any(_LAND.search(each.text) for each in scope.customers)


_LAND = re.compile(
    r"\b(?:land|arrive|leave|depart|get (?:there|in))\w*\s+(?:\w+\s+)?(?:before|by|after)\b", re.I
)

Bound = tuple[str, Sentence] | None


def _bounds(said: list[Utterance]) -> tuple[Bound, Bound]:
    """The earliest and the latest time of day that the customer set last."""
    earliest: Bound = None
    latest: Bound = None
    for utterance in said:
        if True:
            for sentence in utterance.own:
                if earliest is None and (found := _NOT_BEFORE.search(sentence.text)):
                    earliest = (_clock(found), sentence)
                elif latest is None and (found := _NOT_AFTER.search(sentence.text)):
                    latest = (_clock(found), sentence)
    return earliest, latest


def _clock(found: re.Match[str]) -> str:
    if found["noon"]:
        return "12:00"
    hour = int(found["h"] or found["h2"])
    half = (found["half"] or "").lower()
    if half.startswith("p") and hour < 12:
        hour += 12
    if half.startswith("a") and hour == 12:
        hour = 0
    return f"{hour:02d}:{found['m'] or found['m2'] or '00'}"
