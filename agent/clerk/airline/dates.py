"""Dates in a sentence, dates of birth included, in the format of the records."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

from agent.clerk.airline.vocabulary import FROM, NOT, TO, Mention, is_excluded, vocabulary, words_of

_FORMS = (
    "%B %d %Y", "%d %B %Y", "%Y %B %d", "%B %d", "%d %B", "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d",
    "%m/%d/%Y", "%m/%d/%y", "%d/%m/%Y", "%d/%m/%y", "%d.%m.%Y", "%m/%d", "%d/%m",
)  # fmt: skip
"""Date formats, the likelier first."""

_ORDINAL = re.compile(r"(\d{1,2})(st|nd|rd|th)")
MONTH_DAY = re.compile(r"([a-z]{3,9})\.?(\d{1,2})(?:st|nd|rd|th)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_BETWEEN = words_of("in dates")
_MARKS = frozenset("-/.")
_LINKS = frozenset({"to", "-", "until", "and", "or", ",", "/", "&"})
"""Words between the days of a list or a range."""

_LISTED = _LINKS | _BETWEEN
_STOPS = frozenset("?!;.)")
_MOST_COUNTED = 20
"""The largest bare number that may count something else than days of a month."""


@dataclass(frozen=True)
class Dates:
    """A parser for the dates in a sentence."""

    words: tuple[str, ...]
    today: date
    before: Callable[[int, int], tuple[str, ...]]
    """The words before a place, at most the given number; ``after`` gives those from it on."""

    after: Callable[[int, int], tuple[str, ...]]

    def read(self) -> list[Mention]:
        """The dates in the sentence, in order."""
        found: list[Mention] = []
        place = 0
        while place < len(self.words):
            hit = self._date_at(place) or self._listed(place, found[-1] if found else None)
            if hit is None:
                place += 1
                continue
            end, day = hit[0], self._in_month_named(place, *hit, found)
            named = found and found[-1].end >= place - (self.words[place - 1] in {",", "the"})
            of_week = self.words[found[-1].start].removesuffix("'s") if named else ""
            if of_week in vocabulary()["weekdays"] and found[-1].value != day.isoformat():
                found.pop()
            role = self._day_role(place)
            found.append(Mention(place, end, day.isoformat(), role))
            place = end
        return found

    def _in_month_named(self, place: int, end: int, day: date, before: list[Mention]) -> date:
        """A day of the month, in the month named before it: "June 1 and back on the 3rd"."""
        last = before[-1] if before and _number(self.words[place]) and end == place + 1 else None
        named = (word for each in before for word in self.words[each.start : each.end])
        if last is None or not any(map(_month, named)):
            return day
        month = date.fromisoformat(last.value).replace(day=1)
        if day.day < int(last.value[8:]) and words_of("coming") & {*self.before(place, 3)}:
            month = (month + timedelta(days=31)).replace(day=1)
        try:
            return month.replace(day=day.day)
        except ValueError:
            return day

    def _day_role(self, place: int) -> str:
        ahead = [e for e in self.before(place, 3) if e not in {"the", "on", "next", "this", "a"}]
        near = ahead[-1] if ahead else ""
        if is_excluded(self.before(place, 4)):
            return NOT
        if near in words_of("old day"):
            return FROM
        return TO if near in words_of("new day") else ""

    def _date_at(self, place: int) -> tuple[int, date] | None:
        word, after = self.words[place], self.after(place + 1, 4)
        for read in (self._written, self._ranged, self._day_of_month, self._near):
            hit = read(place, word, after)
            if hit is not None:
                return hit
        return None

    def _written(self, place: int, word: str, after: tuple[str, ...]) -> tuple[int, date] | None:
        """A date in figures or with a month; the longest that can be parsed."""
        figures = word[:1].isdigit() and not _MARKS.isdisjoint(word)
        if word in _BETWEEN or not (figures or any(map(_month, (word, *after)))):
            return None
        for width in range(1 if figures else 1 + len(after), 0, -1):
            parts = self.words[place : place + width]
            found = None if parts[-1] in _BETWEEN else _read_date(parts, self._year)
            if found is not None:
                return place + width, found
        return None

    @cached_property
    def _year(self) -> int:
        """The year of dates without one: the current year, or one that is given separately."""
        told = (
            [each for each in self.words if _YEAR.fullmatch(each)] if "year" in self.words else []
        )
        return int(told[0]) if told else self.today.year

    def _ranged(self, place: int, word: str, after: tuple[str, ...]) -> tuple[int, date] | None:
        """A day whose month comes after the days that follow it: "the 20th to the 25th of May"."""
        listed = self.after(place + 1, 12)
        ends = (n for n, each in enumerate(listed) if each not in _LISTED and not _number(each))
        end = next(ends, len(listed))
        if not (_number(word) and set(listed[:end]) & _LINKS and any(map(_number, listed[:end]))):
            return None
        month = _month(listed[end]) if end < len(listed) else ""
        many = [int(each) for each in (word, *listed[:end]) if each.isdecimal()]
        alone = "or" in listed[:end] and {*listed[end : end + 1]} <= _STOPS
        if alone and min(many, default=0) > _MOST_COUNTED:
            month = month_name[self.today.month]  # "what about 28 or 29"
        found = _read_date((word, month), self._year) if month else None
        return (place + 1, found) if found else None

    def _listed(self, place: int, last: Mention | None) -> tuple[int, date] | None:
        """A further day of the same month: the second of "May 28 or 29"."""
        between = self.words[last.end : place] if last else ()
        if last is None or not 0 < len(between) < 3 or not set(between) <= _LISTED:
            return None
        if self.words[last.start] in vocabulary()["weekdays"]:
            return None
        word, month = self.words[place], date.fromisoformat(last.value)
        after = {*self.after(place + 1, 1)}
        ends = not after or after <= {*_LISTED, *_STOPS} or after & words_of("before day")
        counts = after & (words_of("bags") | words_of("counted") | words_of("halves"))
        more = ends or ("or" in between and not counts)
        if not (_number(word) and more and set(between) & _LINKS):
            return None
        found = _read_date((month_name[month.month], word), month.year)
        return (place + 1, found) if found and found > month else None

    def _day_of_month(
        self, place: int, word: str, after: tuple[str, ...]
    ) -> tuple[int, date] | None:
        ordinal, ahead = _ORDINAL.fullmatch(word), self.before(place, 2)
        counts = ordinal and ahead[-1:] != ("flight",)
        named = ahead[-1:] == ("the",) and set(ahead[:1]) & words_of("before day")
        of_week = vocabulary()["weekdays"].get("".join(ahead[-1:]))
        if of_week is not None and word.isdecimal():
            found = _read_date((month_name[self.today.month], word), self.today.year)
            return (place + 1, found) if found and found.weekday() == of_week else None
        if set(after[:1]) & words_of("no days") or not (counts or (word.isdecimal() and named)):
            return None
        found = _read_date((month_name[self.today.month], word), self.today.year)
        return (place + 1, found) if found else None

    def _near(self, place: int, word: str, after: tuple[str, ...]) -> tuple[int, date] | None:
        known = vocabulary()["near_days"]
        for width in (3, 2, 1):
            name = " ".join((word, *after)[:width]).removesuffix("'s")
            if name in known and known[name] >= 0:
                return place + width, self.today + timedelta(days=known[name])
        weekdays, word = vocabulary()["weekdays"], word.removesuffix("'s")
        if word not in weekdays:
            return None
        ahead = (weekdays[word] - self.today.weekday()) % 7
        if self.before(place, 1) == ("next",) and self.today.weekday() + ahead < 7:
            ahead += 7
        return place + 1, self.today + timedelta(days=ahead)


def _number(word: str) -> bool:
    """Whether a word may be a day of a month, as a bare number or an ordinal."""
    hit = _ORDINAL.fullmatch(word)
    figure = hit.group(1) if hit else word
    return figure.isdecimal() and 0 < int(figure) < 32


def _month(word: str) -> str:
    """The name of the month that a word begins with: ``May`` for ``may20``; else empty."""
    joined = MONTH_DAY.fullmatch(word)
    name = joined.group(1) if joined else word.rstrip(".")
    return month_name[vocabulary()["months"][name]] if name in vocabulary()["months"] else ""


def _read_date(parts: Iterable[str], year: int) -> date | None:
    """The date that the words stand for, in the given year if they have none; else None."""
    words = [each for part in parts if part not in _BETWEEN for each in _plain(part)]
    for form in _FORMS:
        whole = "%Y" in form or "%y" in form
        text = " ".join(words) if whole else " ".join([str(year), *words])
        try:
            return datetime.strptime(text, form if whole else f"%Y {form}").date()
        except ValueError:
            continue
    return None


def _plain(word: str) -> list[str]:
    """A word of a date, split as in the formats: ``may20th`` is ``May 20``."""
    ordinal, joined = _ORDINAL.fullmatch(word), MONTH_DAY.fullmatch(word)
    if joined and _month(word):
        return [_month(word), joined.group(2)]
    return [ordinal.group(1) if ordinal else _month(word) or word]
