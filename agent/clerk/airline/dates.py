"""The dates in a sentence, dates of birth included, in the format of the records."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from agent.clerk.airline.vocabulary import NOT, Mention, phrases, role_of, vocabulary, words_of

MONTH_DAY = re.compile(r"([a-z]{3,9})\.?(\d{1,2})(?:st|nd|rd|th)?")
_FIGURES = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%m/%d/%Y", "%m/%d/%y", "%d/%m/%Y", "%d/%m/%y",
            "%d.%m.%Y", "%Y/%d/%m")  # fmt: skip
"""Dates in figures, the likelier form first; one without a year is read with this year."""

_ORDERS = ("MD", "DM", "MDY", "DMY", "YMD")
"""The orders of month, day and year in a date with a month's name."""

_DAY = re.compile(r"(\d{1,2})(st|nd|rd|th)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LINKS = frozenset({"to", "-", "until", "and", "or", ",", "/", "&"})
"""Words between the days of a list or a range."""

_LONGEST = 12
"""The most words of a date, or of a list of days."""

Found = tuple[int, date] | None
"""The place after a date that was found, and its day."""


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
            last = found[-1] if found else None
            hit = self._in_figures(place) or self._with_month(place) or self._near(place)
            hit = hit or self._alone(place, last)
            if hit is None:
                place += 1
                continue
            start = place
            gap = self.words[last.end : place] if last else ()
            beside = last and {*gap} <= {",", "the"}
            beside = beside and self.words[place] not in vocabulary()["weekdays"]
            if last and beside and self.words[last.start] in vocabulary()["weekdays"]:
                start = found.pop().start
            ahead = self.words[max(0, start - 5) : start]
            role = role_of(ahead, words_of("old day"), words_of("new day"))
            role = "" if ahead[-1:] == ("my",) else role  # "to my May 20 trip"
            after = " ".join(self.words[hit[0] : hit[0] + 4])
            fails = after.startswith(phrases("fails")) and "problem" not in after
            role = NOT if fails and "if" not in ahead else role  # "Sunday doesn't work"
            found.append(Mention(place, hit[0], hit[1].isoformat(), role))
            place = hit[0]
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
        told: dict[str, int] = {}
        best: Found = None
        for at, word in enumerate(self.words[place : place + _LONGEST], place):
            if told and word in words_of("in dates") | {"year"}:
                continue
            kinds = _kinds(word)
            if not kinds or kinds.keys() & told.keys():
                break
            told |= kinds
            if "".join(told) in _ORDERS:
                day = _day_in(told.get("Y", self.today.year), told["M"], told["D"])
                best = (at + 1, day) if day else best
        return best

    def _near(self, place: int) -> Found:
        """A day that is named from today on: "tomorrow", or a weekday."""
        known = vocabulary()["near_days"]
        for width in (3, 2, 1):
            name = " ".join(self.words[place : place + width]).removesuffix("'s")
            if known.get(name, -1) >= 0:
                return place + width, self.today + timedelta(days=known[name])
        weekday = vocabulary()["weekdays"].get(self.words[place].removesuffix("'s"))
        if weekday is None or not self._is_weekday(place):
            return None
        ahead = (weekday - self.today.weekday()) % 7
        if self.words[place - 1 : place] == ("next",) and self.today.weekday() + ahead < 7:
            ahead += 7
        return place + 1, self.today + timedelta(days=ahead)

    def _is_weekday(self, place: int) -> bool:
        """Whether a weekday's name is no other word: "on sat", "sat 25", but not "we sat there"."""
        before, after = self.words[max(0, place - 1) : place], self.words[place + 1 : place + 2]
        surely = self.words[place] not in {"sat", "sun"} or words_of("before day") & {*before}
        return bool(surely) or words_of("no weekday").isdisjoint((*before, *after))

    def _alone(self, place: int, last: Mention | None) -> Found:
        """A day without its month: an ordinal, or a number in a list of days or after "on the".

        Its month is named at the end of the list, or that of the last day, or the next one for
        "June 28 and back on the 3rd".
        """
        hit = _DAY.fullmatch(self.words[place])
        if hit is None:
            return None
        before, after = self.words[max(0, place - 2) : place], {*self.words[place + 1 : place + 2]}
        gap = {*self.words[last.end : place]} if last else set()
        counts = words_of("bags") | words_of("counted") | words_of("halves") | words_of("no days")
        about = max(date.fromisoformat(last.value), self.today) if last else self.today
        listed = gap & _LINKS and gap <= _LINKS | {"the"} and int(hit[1]) > about.day
        named = bool(hit[2]) or (before[-1:] == ("the",) and before[0] in words_of("before day"))
        beside = last is not None and last.end == place
        named = named or (beside and before[-1] in vocabulary()["weekdays"])
        moved = before[-1:] == ("to",) and after <= words_of("after name")  # "move it to 21"
        moved = moved and int(hit[1]) > about.day and not words_of("bags") & {*self.words}
        named = named or (moved and bool(words_of("changes") & {*self.words}))
        month = self._month_after(place)
        if not month and (after & counts or not (listed or named)):
            return None
        if last and int(hit[1]) < about.day and words_of("coming") & {*gap}:
            about = about.replace(day=1) + timedelta(days=31)
        day = _day_in(about.year, month or about.month, int(hit[1]))
        return (place + 1, day) if day else None

    def _month_after(self, place: int) -> int:
        """The month after a list of days: May in "the 20th to the 25th of May"; else 0."""
        days = 0
        rest = self.words[place + 1 : place + _LONGEST]
        for word in rest if _LINKS.issuperset(rest[:1]) else ():
            kinds = _kinds(word)
            if "M" in kinds or not (kinds or word in _LINKS | words_of("in dates")):
                return kinds.get("M", 0) if days else 0
            days += "D" in kinds
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


def _day_in(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
