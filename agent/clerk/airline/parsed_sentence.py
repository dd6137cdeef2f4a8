"""A parsed sentence: its words, and where it mentions places, days, cabins and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, cached_property, lru_cache

from agent.clerk.airline.dates import MONTH_DAY, Dates
from agent.clerk.airline.vocabulary import (
    FROM,
    NOT,
    TO,
    Mention,
    phrases,
    role_of,
    vocabulary,
    words_of,
)  # fmt: skip
from agent.clerk.understanding.correcting import after_correction
from agent.clerk.understanding.mention_roles import roles_of
from agent.clerk.understanding.spelling import is_word

_WORD = re.compile(r"[\w$#@'’:/.+-]*[\w']|[,;()?!>&]|\.(?=\s)")
_FLIGHT = re.compile(r"(?:hat|lrk)\d{3}")
_RESERVATION = re.compile(r"(?=[a-z0-9]*\d)(?=[a-z0-9]*[a-z])[a-z0-9]{6}")
_LETTERED = re.compile(r"[A-Z]{6}")
_CHANGES = (("in",), ("at",), ("via",), ("through",))
_STOPOVERS = frozenset(
    {"wait", "stop", "stopover", "layover", "change", "changing", "connect", "via", "through"}
)
"""Words before a place in which one only changes planes."""

_LIVES = frozenset({"i'm", "im", "we're", "am", "are", "live", "living", "based"})
"""Words before a place where one is, and so leaves from: "I'm in Seattle"."""

_FIRST = 3
"""The number of leading words in which a question word makes a sentence a question."""

_SOME = 5
"""How many days "after May 20" stands for."""


@lru_cache(maxsize=4096)
def _split(phrase: str) -> tuple[str, ...]:
    return tuple(phrase.split())


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

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.words)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the words from one place to before another stand in the text."""
        places, at = list[tuple[int, int]](), 0
        for word in self.raw[:end]:
            begin = self.text.find(word, at)  # a "to" for a hyphen is not in the text
            at = at if begin < 0 else begin + len(word)
            places.append((at - len(word) if begin >= 0 else at, at))
        return places[start][0], places[end - 1][1]

    def has_phrase(self, *phrases: str) -> bool:
        """Whether any of the phrases occurs in it, word for word."""
        return any(self.find(each) >= 0 for each in phrases)

    def has_phrase_of(self, *names: str) -> bool:
        """Whether any phrase of these lists in ``words.json`` occurs in it."""
        return any(self.has_phrase(*phrases(each)) for each in names)

    @property
    def names_trip(self) -> bool:
        """Whether it names a trip, by its id, places or days."""
        return bool(self.ids or self.places or self.days)

    @property
    def is_question(self) -> bool:
        """Whether it is a question, even without a mark; "can you refund it?" is a request."""
        asks = "?" in self.words or any(0 <= self.find(each) < _FIRST for each in phrases("asks"))
        return asks and not self.has_phrase_of("requests")

    def find(self, phrase: str, start: int = 0) -> int:
        """The place of a phrase, or -1."""
        needle = _split(phrase)
        if not self._known.issuperset(needle):
            return -1
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
            end, codes = self._place_at(place)
            last = found[-1] if found else None
            if codes is None:
                place += 1
                continue
            gap = {*self.words[last.end : place]} if last else set()
            both = tuple(each for each in last.value if each in codes) if last else ()
            if last and both and gap <= {",", "(", "in", "airport"}:
                found[-1] = Mention(last.start, end, both, last.role)  # "New York (JFK)"
            else:
                found.append(Mention(place, end, codes, self._place_role(place, end, last)))
            place = end
        counting = after_correction(self.words, [each.start for each in found])
        return [each for each in found if each.start in counting]

    def _place_at(self, place: int) -> tuple[int, tuple[str, ...] | None]:
        """The end and the airports of the longest place that is named here; None without one."""
        near = {*self.before(place, 1), *self.after(place + 1, 1)}
        for width in (3, 2, 1):
            name = " ".join(self.words[place : place + width]).removesuffix("'s")
            surely = self.raw[place].isupper() or near & words_of("around places")
            if _codes(name) is not None and len(self.words) >= place + width:
                is_word = name in vocabulary()["ambiguous_places"] and not surely
                return place + width, None if is_word else _codes(name)
        return place, None

    def _place_role(self, place: int, end: int, last: Mention | None) -> str:
        ahead, follows = self.before(place, 4), self.after(end, 1)
        if last and last.role == FROM and {*ahead[-1:]} & {"and", "to", "-", ">", "/"}:
            return TO
        if ahead[-1:] in _CHANGES and _STOPOVERS & {*ahead}:
            return NOT
        role = role_of(ahead, words_of("from"), words_of("to"))
        beside = (last and last.end == place) or {*ahead[-1:]} & words_of("wanting")
        from_ = ahead[-2:] == ("out", "of") or follows in (("to",), (">",), ("-",))
        from_ = from_ or (ahead[-1:] == ("in",) and bool(_LIVES & {*ahead}))
        return role or (FROM if from_ else TO if beside or follows == ("instead",) else "")

    @cached_property
    def days(self) -> list[Mention]:
        """The mentions of days, in the records' format, except those over 100 days ago.

        Empty if the sentence is about a date of birth.
        """
        if self.has_phrase("birthday", "born", "birth", "dob"):
            return []
        soon = (self.today - timedelta(days=100)).isoformat()
        return [each for each in self._dates if each.value >= soon]

    def is_weekday(self, mention: Mention) -> bool:
        """Whether a day is mentioned by its weekday alone, and may be one of several."""
        named = self.words[mention.start].removesuffix("'s") in vocabulary()["weekdays"]
        exact = self.before(mention.start, 1) in (("this",), ("next",))
        return named and mention.end - mention.start == 1 and not exact

    def days_meant(self, mention: Mention, day: str) -> list[str]:
        """The days that a mention stands for: several "after May 20", or "between" two days."""
        ahead = [e for e in self.before(mention.start, 4) if e not in {"the", "on"}]
        begin, many = date.fromisoformat(day), 1
        later = [each.value for each in self.days if each.start > mention.start]
        if ahead[-1:] == ["after"]:
            begin += timedelta(days=1)
            many = 1 if ahead[-2:] == ["day", "after"] else _SOME
        elif later and "between" in ahead:
            many = max(1, min((date.fromisoformat(later[0]) - begin).days, _SOME))
        return [(begin + timedelta(days=n)).isoformat() for n in range(many)]

    @cached_property
    def births(self) -> list[Mention]:
        """The mentions of dates of birth."""
        return [each for each in self._dates if each.value[:4] < str(self.today.year - 1)]

    @cached_property
    def _dates(self) -> list[Mention]:
        return Dates(self.words, self.today).find()

    @cached_property
    def cabins(self) -> list[Mention]:
        """The mentions of cabins: to one that is wanted, from one that is not, else neither."""
        found: list[Mention] = []
        for place, word in enumerate(each.removesuffix("'s") for each in self.words):
            after = self.after(place + 1, 1)
            known = vocabulary()["cabins"]
            name = known.get(word) or known.get(" ".join((word, *after)), "")
            said = word == "economy" and self.before(place, 1) == ("basic",)
            trip = name == "business" and {*after} & words_of("business of")
            if name and not said and not trip:
                found.append(Mention(place, place + 1 + (word not in known), name))
        roles = roles_of(self.text, tuple(self.span(each.start, each.end) for each in found))
        meant = ({"wanted": TO, "kept_out": FROM}.get(role, "") for role in roles)
        return [replace(each, role=role) for each, role in zip(found, meant, strict=True)]

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


@cache
def _codes(name: str) -> tuple[str, ...] | None:
    """The airports of a city or with a name; () if without flights, None if the name is unknown."""
    known = vocabulary()
    if name in known["cities"]:
        return tuple(known["cities"][name])
    own = tuple(code for code, names in known["airports"].items() if name in names)
    return own or (() if name in known["unknown_places"] else None)
