"""A parsed sentence: its words, and where it mentions places, days, cabins and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, cached_property, lru_cache

from agent.clerk.airline.dates import MONTH_DAY, Dates
from agent.clerk.airline.vocabulary import (
    FROM,
    NOT,
    TO,
    Mention,
    is_excluded,
    phrases,
    vocabulary,
    words_of,
)  # fmt: skip
from agent.clerk.understanding.correcting import after_correction
from agent.clerk.understanding.intents import is_word

_WORD = re.compile(r"[\w$#@'’:/.+-]*[\w']|[,;()?!>&]|\.(?=\s)")
_FLIGHT = re.compile(r"(?:hat|lrk)\d{3}")
_RESERVATION = re.compile(r"(?=[a-z0-9]*\d)(?=[a-z0-9]*[a-z])[a-z0-9]{6}")
_LETTERED = re.compile(r"[A-Z]{6}")


_STOPOVERS = frozenset({"wait", "stop", "stopover", "layover", "change", "via", "through"})
"""Words before a place in which one only changes planes."""


@dataclass(frozen=True)
class ParsedSentence:
    """A parsed sentence, or a part of one."""

    text: str
    today: date

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words in lower case, including commas and other punctuation."""
        return tuple(each.lower().replace("’", "'") for each in self.raw)

    @cached_property
    def raw(self) -> tuple[str, ...]:
        """Its words as typed; two airports joined by a hyphen are split, with "to" between them."""
        found: list[str] = []
        for each in _WORD.findall(self.text):
            parts = each.split("-")
            split = len(parts) == 2 and all(_codes(part.lower()) for part in parts)
            found += [parts[0], "to", parts[1]] if split else [each]
        return tuple(found)

    def has_phrase(self, *phrases: str) -> bool:
        """Whether any of the phrases occurs in it, word for word."""
        return any(self.find(each) >= 0 for each in phrases)

    def has_phrase_of(self, *names: str) -> bool:
        """Whether any phrase of these lists in ``words.json`` occurs in it."""
        return any(self.has_phrase(*phrases(each)) for each in names)

    def find(self, phrase: str, start: int = 0) -> int:
        """The place of a phrase, or -1."""
        needle = tuple(phrase.split())
        for place in range(start, len(self.words) - len(needle) + 1):
            if self.words[place : place + len(needle)] == needle:
                return place
        return -1

    def before(self, place: int, count: int = 3) -> tuple[str, ...]:
        """The words before a place, at most ``count`` of them."""
        return self.words[max(0, place - count) : place]

    def after(self, place: int, count: int = 3) -> tuple[str, ...]:
        """The words from a place on, at most ``count`` of them."""
        return self.words[place : place + count]

    @cached_property
    def ids(self) -> list[str]:
        """Words in the form of a reservation id, normalized to the records' format.

        Six capital letters count unless they are a word or the whole sentence is in capitals.
        """
        shouted = self.text.isupper() and len(self.raw) > 1
        known = (
            each.upper()
            for each, raw in zip(self.words, self.raw, strict=True)
            if (_RESERVATION.fullmatch(each) and not _FLIGHT.fullmatch(each))
            or (_LETTERED.fullmatch(raw) and not shouted and not is_word(raw))
            if not MONTH_DAY.fullmatch(each) or raw.isupper()
        )
        return list(dict.fromkeys(known))

    @cached_property
    def flight_numbers(self) -> list[str]:
        """Flight numbers, normalized to the records' format."""
        joined = " ".join(self.words).replace("hat ", "hat").replace("lrk ", "lrk").split()
        return list(dict.fromkeys(each.upper() for each in joined if _FLIGHT.fullmatch(each)))

    @cached_property
    def places(self) -> list[Mention]:
        """The mentions of cities and airports, each with its airport codes as the value.

        A place that the airline does not fly to has no codes.
        """
        found: list[Mention] = []
        place = 0
        while place < len(self.words):
            hit = self._place_at(place)
            if hit is None:
                place += 1
                continue
            end, codes = hit
            last = found[-1] if found else None
            aside = {",", "(", "in", "airport"}
            if last and {*self.words[last.end : place]} <= aside and {*codes} & {*last.value}:
                both = tuple(each for each in last.value if each in codes)
                found[-1] = Mention(last.start, end, both, last.role)
            else:
                found.append(Mention(place, end, codes, self._role(place, end, last)))
            place = end
        counting = after_correction(self.words, [each.start for each in found])
        return [each for each in found if each.start in counting]

    def _place_at(self, place: int) -> tuple[int, tuple[str, ...]] | None:
        for width in (3, 2, 1):
            name = " ".join(self.words[place : place + width]).removesuffix("'s")
            codes = _codes(name)
            if codes is not None and len(self.words) >= place + width:
                known = name not in vocabulary()["ambiguous_places"] or self._is_surely_place(place)
                return (place + width, codes) if known else None
        return None

    def _is_surely_place(self, place: int) -> bool:
        """Whether a short name that may be an ordinary word is a place here."""
        near = {*self.before(place, 1), *self.after(place + 1, 1)}
        return self.raw[place].isupper() or bool(near & words_of("around places"))

    def _role(self, place: int, end: int, last: Mention | None) -> str:
        ahead = [
            each for each in self.before(place, 3) if each not in {"the", "my", "airport", "a"}
        ]
        near = ahead[-1] if ahead else ""
        if last is not None and last.role == FROM and near in {"and", "to", "-", ">", "/"}:
            return TO
        between = near in {"in", "at", "via", "through"} and _STOPOVERS & {*self.before(place, 4)}
        if between or is_excluded(self.before(place, 4)):
            return NOT
        if near in words_of("from") or ahead[-2:] == ["out", "of"]:
            return FROM
        if near in words_of("to"):
            return TO
        follows = self.after(end, 1)
        if follows in (("to",), (">",), ("-",)):
            return FROM
        next_to = last is not None and last.end == place and last.role in {"", FROM}
        return TO if next_to else ""

    @cached_property
    def days(self) -> list[Mention]:
        """The mentions of days, in the records' format, except those over 100 days ago.

        Empty if the sentence is about a date of birth.
        """
        if self.has_phrase("birthday", "born", "birth", "dob"):
            return []
        soon = (self.today - timedelta(days=100)).isoformat()
        return [each for each in self._dates if each.value >= soon]

    @cached_property
    def births(self) -> list[Mention]:
        """The mentions of dates of birth."""
        return [each for each in self._dates if each.value[:4] < str(self.today.year - 1)]

    @cached_property
    def _dates(self) -> list[Mention]:
        return Dates(self.words, self.today, self.before, self.after).read()

    @cached_property
    def cabins(self) -> list[Mention]:
        """The mentions of cabins."""
        found: list[Mention] = []
        for place, word in enumerate(self.words):
            after = self.after(place + 1, 1)
            name = _cabin(word) or _cabin(" ".join((word, *after)))
            said = word == "economy" and self.before(place, 1) == ("basic",)
            trip = name == "business" and set(after) & words_of("business of")
            if name and not said and not trip:
                role = "" if name == "basic_economy" else self._cabin_role(place)
                found.append(Mention(place, place + 1, name, role))
        return found

    def _cabin_role(self, place: int) -> str:
        ahead = [each for each in self.before(place, 3) if each not in {"my", "the", "in"}]
        if ahead[-1:] == ["from"] or is_excluded(self.before(place, 4)):
            return FROM
        return TO if ahead[-1:] in (["to"], ["into"]) else ""

    @property
    def after_correction(self) -> ParsedSentence:
        """The part after a correction such as "no, wait"; the whole sentence if there is none."""
        ends = [at + len(each.split()) for each in phrases("wait") if (at := self.find(each)) >= 0]
        rest = " ".join(self.raw[max(ends, default=0) :]).strip(" ,.")
        return parse_sentence(rest, self.today) if rest else self

    def parts(self) -> list[ParsedSentence]:
        """The sentence split at commas, "and" and "but"; each part may be about another flight."""
        cut: list[list[str]] = [[]]
        raw = [*self.raw]
        for each in self._dates:
            day = date.fromisoformat(each.value)
            if each.end == each.start + 1 and self.words[each.start][:1].isdigit():
                raw[each.start] = raw[each.start] if day.month == self.today.month else each.value
        for place, word in enumerate(self.words):
            joint = word in {",", ";", "."} or (word in {"and", "but"} and len(cut[-1]) > 2)
            near = "".join(cut[-1][-1:])[:1] + "".join(self.after(place + 1, 1))[:1]
            joint = joint and not (len(near) == 2 and near.isdecimal()) and "between" not in cut[-1]
            if joint and self.after(place + 1, 1) not in (("before",), ("after",)):
                cut.append([])
            else:
                cut[-1].append(raw[place])
        return [parse_sentence(" ".join(each), self.today) for each in cut if each]


@lru_cache(maxsize=4096)
def parse_sentence(text: str, today: date) -> ParsedSentence:
    """A sentence, parsed relative to a date; results are cached."""
    return ParsedSentence(text, today)


def _cabin(name: str) -> str:
    """The cabin with a name, in the records' format; else empty."""
    return str(vocabulary()["cabins"].get(name, ""))


@cache
def _codes(name: str) -> tuple[str, ...] | None:
    """The airports of a city or with a name; () if without flights, None if the name is unknown."""
    known = vocabulary()
    if name in known["cities"]:
        return tuple(known["cities"][name])
    own = tuple(code for code, names in known["airports"].items() if name in names)
    return own or (() if name in known["unknown_places"] else None)
