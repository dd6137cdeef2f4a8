"""Days that a clause names, as the records write them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache

from agent.clerk.airline.language import LANGUAGE, number, says

OLD, NEW, BACK = "old", "new", "back"
_LONG_AGO = 1
"""Years before today from which on a date is a date of birth."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day as it stands in a clause."""

    start: int
    end: int
    iso: str
    way: str
    """``old`` ("from May 23"), ``new`` ("to May 24"), ``back`` (of the return) or empty."""


def days(clause: str, today: date) -> list[Day]:
    """The days of travel in a clause, in order."""
    found: list[Day] = []
    for start, end, day in _dates(clause, today):
        if _born(day, today) or _of_the_past(clause, start, end):
            continue
        told = Day(start, end, day.isoformat(), _way(clause, start, end))
        joined = bool(found) and clause[found[-1].end : start].strip(" ,(") in {"", "the"}
        weekday = joined and _weekday().fullmatch(clause[found[-1].start : found[-1].end])
        if weekday:
            found[-1] = replace(found[-1], end=end, iso=told.iso)
        elif not (joined and found[-1].iso == told.iso):
            found.append(told)
    return found


def _of_the_past(clause: str, start: int, end: int) -> bool:
    """Whether the day is that of a booking or a call: "booked it yesterday"."""
    if says("not_a_day", clause[:start]):
        return True
    near = _near().fullmatch(clause[start:end]) is not None
    told = says("not_a_near_day", clause[:start]) or says("not_a_near_day_after", clause[end:])
    return near and told


def births(clause: str, today: date) -> list[tuple[int, int, str]]:
    """The dates of birth in a clause: start, end and the date."""
    found = (each for each in _dates(clause, today) if _born(each[2], today))
    return [(start, end, born.isoformat()) for start, end, born in found]


def _born(found: date, today: date) -> bool:
    return found.year < today.year - _LONG_AGO


def _way(clause: str, start: int, end: int) -> str:
    before = clause[:start]
    if says("day_back", before) or says("day_after_back", clause[end:]):
        return BACK
    if says("day_new", before):
        return NEW
    return OLD if says("day_old", before) else ""


def _dates(clause: str, today: date) -> list[tuple[int, int, date]]:
    found: list[tuple[int, int, date]] = []
    for expression, read in (
        (_numeric(), _from_numbers), (_by_month(), _from_month), (_near(), _from_word),
        (_weekday(), _from_weekday), (_of_month(), _from_day),
    ):  # fmt: skip
        for hit in expression.finditer(clause):
            taken = any(hit.start() < end and start < hit.end() for start, end, _ in found)
            value = None if taken else read(hit, today)
            if value is not None:
                found.append((hit.start(), hit.end(), value))
    return sorted(found)


@cache
def _numeric() -> re.Pattern[str]:
    return re.compile(
        r"(?<![\w$/.-])(?:(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})"
        r"|(?P<m2>\d{1,2})/(?P<d2>\d{1,2})(?:/(?P<y2>\d{4}|\d{2}))?"
        r"|(?P<m3>\d{1,2})-(?P<d3>\d{1,2})-(?P<y3>\d{4})"
        r"|(?P<d4>\d{1,2})\.(?P<m4>\d{1,2})\.(?P<y4>\d{4}|\d{2})?)(?![\w/-])"
    )


def _from_numbers(hit: re.Match[str], today: date) -> date | None:
    part = hit.groupdict()
    year = part["y"] or part["y2"] or part["y3"] or part["y4"] or today.year
    month = part["m"] or part["m2"] or part["m3"] or part["m4"]
    day = part["d"] or part["d2"] or part["d3"] or part["d4"]
    swapped = int(month) > _MONTHS >= int(day) and not part["y"]
    return _date(year, day, month) if swapped else _date(year, month, day)


_MONTHS = 12


@cache
def _by_month() -> re.Pattern[str]:
    month = "|".join(sorted(LANGUAGE.words["months"], key=len, reverse=True))
    return re.compile(
        rf"(?:\b(?P<y0>(?:19|20)\d\d),? )?\b(?P<mon>{month})\.? (?:the )?"
        rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:,?(?: of| in)? (?P<y>\d{{4}}))?(?![\w:])"
        rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?(?P<mon2>{month})\b"
        rf"(?:,?(?: of| in)? (?P<y2>\d{{4}})\b)?"
        rf"|\b(?P<mon3>{month})(?P<d3>\d{{1,2}})\b|\b(?P<d4>\d{{1,2}})(?P<mon4>{month})\b"
    )


def _from_month(hit: re.Match[str], today: date) -> date | None:
    part = hit.groupdict()
    month = part["mon"] or part["mon2"] or part["mon3"] or part["mon4"]
    day = part["d"] or part["d2"] or part["d3"] or part["d4"]
    year = part["y"] or part["y0"] or part["y2"] or today.year
    return _date(year, LANGUAGE.words["months"][month], day)


@cache
def _near() -> re.Pattern[str]:
    names = sorted(LANGUAGE.words["near_days"], key=len, reverse=True)
    return re.compile(rf"\b(?:the )?(?P<word>{'|'.join(names)})\b|\bin (?P<n>\d+|two|three) days\b")


def _from_word(hit: re.Match[str], today: date) -> date | None:
    if hit.group("n"):
        return _after(today, number(hit.group("n")[:5]))
    return _after(today, LANGUAGE.words["near_days"][hit.group("word")])


@cache
def _weekday() -> re.Pattern[str]:
    names = sorted(LANGUAGE.words["weekdays"], key=len, reverse=True)
    return re.compile(rf"\b(?P<next>next |last )?(?:this |coming )*(?P<word>{'|'.join(names)})\b")


def _from_weekday(hit: re.Match[str], today: date) -> date | None:
    """The coming one; "next Friday" is the one in the week after this."""
    ahead = (LANGUAGE.words["weekdays"][hit.group("word")] - today.weekday()) % 7
    if hit.group("next") == "last ":
        return _after(today, ahead - 7)
    if hit.group("next") and today.weekday() + ahead < 7:
        ahead += 7
    return _after(today, ahead)


@cache
def _of_month() -> re.Pattern[str]:
    return re.compile(LANGUAGE.words["day_of_month"])


def _from_day(hit: re.Match[str], today: date) -> date | None:
    return _date(today.year, today.month, hit.group("d") or hit.group("d2") or hit.group("d3"))


def _after(today: date, ahead: int) -> date | None:
    return today + timedelta(days=ahead) if abs(ahead) < 400 else None


def _date(year: str | int, month: str | int, day: str | int) -> date | None:
    full = int(year)
    full += 2000 if full < 30 else 1900 if full < 100 else 0
    try:
        return date(full, int(month), int(day))
    except ValueError:
        return None
