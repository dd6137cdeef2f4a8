"""Days and dates of birth in the words of a sentence, as the records write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from agent.clerk.airline.words import FROM, TO, Mention, vocabulary

_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_SLASHED = re.compile(r"(\d{1,2})([/.])(\d{1,2})(?:[/.](\d{2,4}))?")
_ORDINAL = re.compile(r"(\d{1,2})(st|nd|rd|th)")
MONTH_DAY = re.compile(r"([a-z]{3,9})\.?(\d{1,2})(?:st|nd|rd|th)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_NEW = frozenset({"to", "until", "till", "for", "by", "onto"})
_OLD = frozenset({"from", "of", "not"})
_THINGS = frozenset({"one", "option", "flight", "choice", "certificate", "reservation", "bag"})


@dataclass(frozen=True)
class Dates:
    """Reads the dates in the words of a sentence."""

    words: tuple[str, ...]
    today: date

    def before(self, place: int, count: int = 3) -> tuple[str, ...]:
        """The words before a place, up to so many."""
        return self.words[max(0, place - count) : place]

    def after(self, place: int, count: int = 3) -> tuple[str, ...]:
        """The words from a place on, up to so many."""
        return self.words[place : place + count]

    def read(self) -> list[Mention]:
        """Every date that is named, in order."""
        found: list[Mention] = []
        place = 0
        while place < len(self.words):
            hit = self._date_at(place)
            if hit is None:
                place += 1
                continue
            end, day = hit
            named = found and found[-1].end >= place - (self.words[place - 1] in {",", "the"})
            if named and found[-1].value != day.isoformat() and self._is_weekday(found[-1].start):
                found.pop()
            role = self._day_role(place)
            found.append(Mention(place, end, day.isoformat(), role))
            place = end
        return found

    def _is_weekday(self, place: int) -> bool:
        return self.words[place].removesuffix("'s") in vocabulary()["weekdays"]

    def _day_role(self, place: int) -> str:
        ahead = [e for e in self.before(place, 3) if e not in {"the", "on", "next", "this", "a"}]
        near = ahead[-1] if ahead else ""
        if near in _OLD or ahead[-2:] == ["instead", "of"]:
            return FROM
        return TO if near in _NEW else ""

    def _date_at(self, place: int) -> tuple[int, date] | None:
        word, after = self.words[place], self.after(place + 1, 4)
        for read in (self._numeric, self._by_month, self._day_of_month, self._near):
            hit = read(place, word, after)
            if hit is not None:
                return hit
        return None

    def _numeric(self, place: int, word: str, after: tuple[str, ...]) -> tuple[int, date] | None:
        iso = _ISO.fullmatch(word)
        if iso:
            return _day_at(place + 1, *iso.groups())
        slashed = _SLASHED.fullmatch(word)
        if slashed is None:
            return None
        one, mark, two, year = slashed.groups()
        if mark == "." and not year:
            return None
        month, day = (two, one) if mark == "." or int(one) > 12 else (one, two)
        return _day_at(place + 1, year or self.today.year, month, day)

    def _by_month(self, place: int, word: str, after: tuple[str, ...]) -> tuple[int, date] | None:
        months = vocabulary()["months"]
        joined = MONTH_DAY.fullmatch(word)
        if joined and joined.group(1) in months:
            return _day_at(place + 1, self.today.year, months[joined.group(1)], joined.group(2))
        if word in months:
            rest = [each for each in after if each not in {"the", ","}]
            day = _day_number(rest[0]) if rest else None
            if day is None:
                return None
            end = place + 2 + list(after).index(rest[0])
            year, end = self._year(end)
            return _day_at(end, year, months[word], day)
        day, ahead = _day_number(word), [each for each in after if each != "of"]
        if day is not None and ahead and ahead[0] in months:
            year, end = self._year(place + 2 + list(after).index(ahead[0]))
            return _day_at(end, year, months[ahead[0]], day)
        ranged = len(after) > 2 and after[0] in {"to", "-", "until", "and"}
        if day is not None and ranged and after[2] in months and _day_number(after[1]):
            return _day_at(place + 1, self.today.year, months[after[2]], day)
        return None

    def _year(self, end: int) -> tuple[int, int]:
        """The year that follows a day of a month, and where that ends."""
        for place in range(end, min(end + 2, len(self.words))):
            if _YEAR.fullmatch(self.words[place]):
                return int(self.words[place]), place + 1
            if self.words[place] not in {",", "of", "in"}:
                break
        earlier = self.before(end - 2, 1) or ("",)
        if _YEAR.fullmatch(earlier[0]):
            return int(earlier[0]), end
        if len(self.words) > 1 and "year" in self.words:
            years = [each for each in self.words if _YEAR.fullmatch(each)]
            return (int(years[0]) if years else self.today.year), end
        return self.today.year, end

    def _day_of_month(
        self, place: int, word: str, after: tuple[str, ...]
    ) -> tuple[int, date] | None:
        ordinal, ahead = _ORDINAL.fullmatch(word), self.before(place, 2)
        if ordinal and not set(after[:1]) & _THINGS and ahead[-1:] != ("flight",):
            return _day_at(place + 1, self.today.year, self.today.month, ordinal.group(1))
        named = ahead[-1:] == ("the",) and set(ahead[:1]) & {
            "on",
            "to",
            "for",
            "from",
            "until",
            "of",
        }
        if word.isdecimal() and named and not set(after[:1]) & _THINGS:
            return _day_at(place + 1, self.today.year, self.today.month, word)
        return None

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


def _day_number(word: str) -> str | None:
    plain = _ORDINAL.fullmatch(word)
    if plain:
        return plain.group(1)
    return word if word.isdecimal() and 0 < int(word[:3]) <= 31 else None


def _day_at(end: int, year: Any, month: Any, day: Any) -> tuple[int, date] | None:
    full = int(year)
    full += 2000 if full < 30 else 1900 if full < 100 else 0
    try:
        return end, date(full, int(month), int(day))
    except ValueError:
        return None
