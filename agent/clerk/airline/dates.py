"""The dates in a sentence, dates of birth included, in the format of the records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from agent.clerk.airline.vocabulary import Mention, role_of, vocabulary, words_of

MONTH_DAY = re.compile(r"([a-z]{3,9})\.?(\d{1,2})(?:st|nd|rd|th)?")
_FIGURES = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%m/%d/%Y", "%m/%d/%y", "%d/%m/%Y", "%d/%m/%y",
            "%d.%m.%Y", "%Y/%m/%d", "%Y/%d/%m")  # fmt: skip
"""Dates in figures, the likelier form first; the last two are those without a year."""

_ORDERS = ("MD", "DM", "MDY", "DMY", "YMD")
"""The orders of month, day and year in a date with a month's name."""

_DAY = re.compile(r"(\d{1,2})(st|nd|rd|th)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LINKS = frozenset({"to", "-", "until", "and", "or", ",", "/", "&"})
"""Words between the days of a list or a range."""

_LONGEST = 6
"""The most words of a date with a month's name."""

Found = tuple[int, date] | None
"""The end of a date that was found, and its day."""


@dataclass(frozen=True)
class Dates:
    """A finder of the dates in the words of a sentence."""

    words: tuple[str, ...]
    today: date

    def find(self) -> list[Mention]:
        """The dates in the sentence, in order; a date counts more than a weekday before it."""
        found: list[Mention] = []
        place = 0
        while place < len(self.words):
            hit = self._in_figures(place) or self._with_month(place) or self._near(place)
            hit = hit or self._in_known_month(place, found)
            if hit is None:
                place += 1
                continue
            end, day = hit
            start, last = place, found[-1] if found else None
            gap = self.words[last.end : place] if last else ()
            if last and {*gap} <= {",", "the"} and _weekday(self.words[last.start]) is not None:
                start = found.pop().start
            ahead = self.words[max(0, start - 4) : start]
            role = role_of(ahead, words_of("old day"), words_of("new day"))
            role = "" if ahead[-1:] == ("my",) else role  # "to my May 20 trip"
            found.append(Mention(place, end, day.isoformat(), role))
            place = end
        return found

    def _in_figures(self, place: int) -> Found:
        word = self.words[place]
        if not word[:1].isdigit() or not {*word} & {*"-/."}:
            return None
        for form in _FIGURES:
            for text in (word, f"{self.today.year}/{word}"):
                try:
                    return place + 1, datetime.strptime(text, form).date()
                except ValueError:
                    continue
        return None

    def _with_month(self, place: int) -> Found:
        """A date with the name of its month, the longest that the next words make."""
        order, best = "", None
        values: list[int] = []
        for at in range(place, min(place + _LONGEST, len(self.words))):
            word = self.words[at]
            if order and word in words_of("in dates"):
                continue
            kinds = _kinds(word)
            order += "".join(kinds)
            values += kinds.values()
            if not kinds or not any(each.startswith(order) for each in _ORDERS):
                break
            if order in _ORDERS:
                best = (at + 1, dict(zip(order, values, strict=True)))
        if best is None:
            return None
        told = best[1]
        day = _day_in(told.get("Y", self._year), told["M"], told["D"])
        return (best[0], day) if day else None

    @property
    def _year(self) -> int:
        """The year of dates without one: this one, or one that is given apart: "in the year"."""
        told = [int(each) for each in self.words if _YEAR.fullmatch(each)]
        return told[0] if told and "year" in self.words else self.today.year

    def _near(self, place: int) -> Found:
        """A day that is named from today on: "tomorrow", or a weekday."""
        known = vocabulary()["near_days"]
        for width in (3, 2, 1):
            name = " ".join(self.words[place : place + width]).removesuffix("'s")
            if known.get(name, -1) >= 0:
                return place + width, self.today + timedelta(days=known[name])
        weekday = _weekday(self.words[place])
        if weekday is None:
            return None
        ahead = (weekday - self.today.weekday()) % 7
        if self.words[place - 1 : place] == ("next",) and self.today.weekday() + ahead < 7:
            ahead += 7
        return place + 1, self.today + timedelta(days=ahead)

    def _in_known_month(self, place: int, found: Sequence[Mention]) -> Found:
        """A bare day, in the month of the days that it is listed with, or of the last one.

        It is a day if it is listed with days, an ordinal that counts nothing, or after "on the".
        """
        hit = _DAY.fullmatch(self.words[place])
        if hit is None:
            return None
        day, ordinal = int(hit[1]), bool(hit[2])
        before, after = self.words[max(0, place - 2) : place], self.words[place + 1 : place + 2]
        month = self._month_after(place)
        if month:
            named = _day_in(self._year, month, day)
            return (place + 1, named) if named else None
        last = date.fromisoformat(found[-1].value) if found else self.today
        last = last if last >= self.today else self.today
        counts = {*after} & (words_of("bags") | words_of("counted") | words_of("halves"))
        ends = not after or not after[0][:1].isalpha() or after[0] in words_of("before day")
        gap = self.words[found[-1].end : place] if found else ()
        linked = 0 < len(gap) < 3 and {*gap} <= _LINKS | {"the"} and {*gap} & _LINKS
        listed = bool(linked) and day > last.day and not counts and (ends or "or" in gap)
        told = ordinal and before[-1:] != ("flight",)
        told = told or (before[-1:] == ("the",) and before[0] in words_of("before day"))
        of_week = _weekday(before[-1]) if before and not ordinal else None
        if not (listed or (told and not {*after} & words_of("no days")) or of_week is not None):
            return None
        coming = words_of("coming") & {*self.words[max(0, place - 3) : place]}
        if found and day < last.day and coming:
            last = last.replace(day=1) + timedelta(days=31)
        named = _day_in(last.year, last.month, day)
        return (place + 1, named) if named and of_week in {None, named.weekday()} else None

    def _month_after(self, place: int) -> int:
        """The month after a list of days: of the first in "the 20th to the 25th of May"; else 0."""
        days = links = 0
        for word in self.words[place + 1 : place + 12]:
            kinds = _kinds(word)
            if "M" in kinds:
                return kinds["M"] if days and links else 0
            days += "D" in kinds
            links += word in _LINKS
            if not kinds and word not in _LINKS | words_of("in dates"):
                break
        return 0


def _kinds(word: str) -> dict[str, int]:
    """What a word may be in a date: month ``M``, day ``D``, year ``Y``; both for ``may20th``."""
    months = vocabulary()["months"]
    joined, day = MONTH_DAY.fullmatch(word), _DAY.fullmatch(word)
    if joined and joined[1] in months:
        return {"M": months[joined[1]], "D": int(joined[2])}
    if word.rstrip(".") in months:
        return {"M": months[word.rstrip(".")]}
    if day:
        return {"D": int(day[1])}
    return {"Y": int(word)} if _YEAR.fullmatch(word) else {}


def _weekday(word: str) -> int | None:
    found: int | None = vocabulary()["weekdays"].get(word.removesuffix("'s"))
    return found


def _day_in(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
