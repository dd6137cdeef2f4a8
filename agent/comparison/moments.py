"""Finds days and times of day in what was said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agent.comparison.sentences import Sentence
from agent.comparison.utterance import Utterance

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
MOST_DAYS = 31
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?\\.?" for name in _MONTHS)
_DATE = re.compile(
    r"\b(?P<y1>\d{4})-(?P<m1>\d{2})-(?P<d1>\d{2})\b"
    rf"|\b(?P<m2>{_MONTH})\s+(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y2>\d{{4}}))?"
    rf"|\b(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m3>{_MONTH})(?!\w)(?:,?\s+(?P<y3>\d{{4}}))?"
    r"|\b(?P<m4>\d{1,2})/(?P<d4>\d{1,2})(?:/(?P<y4>\d{2,4}))?\b",
    re.IGNORECASE,
)
_TIME = (
    r"(?P<h>\d{1,2})(?::(?P<m>\d{2}))?\s*"
    r"(?P<half>[ap]\.?m\b\.?|in the (?:morning|afternoon|evening)|at night)"
    r"|(?P<h2>\d{1,2}):(?P<m2>\d{2})|(?P<noon>noon)"
)
_DENIED = re.compile(
    r"\b(?:no|not|never|dont|avoid|nothing|none|neither)\b|n['’]t\b", re.IGNORECASE
)
_RELATION = re.compile(
    r"\b(?P<relation>no (?:later|earlier) than|before|earlier than|after|later than|by)"
    rf"\s+(?:{_TIME})",
    re.IGNORECASE,
)
_ARRIVES = re.compile(
    r"\b(?:land|arriv|get there|be there|get in|(?:be|get|back) home)"
    r"|\b(?:be|get|back) (?:in|at|to) (?:[\w’']+ ){1,3}(?:by|before)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:the|that) (?P<h>\d{1,2}|noon)(?::(?P<m>\d{2}))?\s*"
    r"(?P<half>[ap]\.?m\b\.?|o['’]?clock)?(?P<what> (?:flight|one|departure))?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\bbetween (?P<h>\d{1,2})(?::(?P<m>\d{2}))?\s*(?P<half>[ap]\.?m\b\.?)?"
    r" and (?P<h2>\d{1,2})(?::(?P<m2>\d{2}))?\s*(?P<half2>[ap]\.?m\b\.?)?",
    re.IGNORECASE,
)
_LEAVES = re.compile(r"\b(?:leav\w*|depart\w*|fly|flight|take off)\b", re.IGNORECASE)


_NTH = re.compile(
    r"\b(?:on|to|for|from|until|than) the (?P<day>\d{1,2})(?:st|nd|rd|th)"
    r"(?=\s*(?:$|[,.;:!?)]|(?:at|in|instead|please|rather|and|or|with|if|for|from|to|but|not|of"
    r" (?:the|this|that) month)\b))",
    re.IGNORECASE,
)
"""A day without its month, as in *on the 20th*, where nothing else can be meant."""


class Day(NamedTuple):
    """A day of the year, with its year if one was named.

    ``month`` is 0 if none was named.
    """

    month: int
    day: int
    year: int | None = None


class Bound(NamedTuple):
    """A time of day as ``HH:MM``, and the sentence that sets it."""

    time: str
    sentence: Sentence


class Bounds(NamedTuple):
    """The limits that the customer set last on when a trip leaves or arrives."""

    earliest: Bound | None = None
    latest: Bound | None = None
    arrives_by: Bound | None = None
    of_arrival: bool = False
    """Whether a time of arrival was set, which says nothing about the departure."""

    def __bool__(self) -> bool:
        return self.earliest is not None or self.latest is not None or self.of_arrival


def days(text: str) -> list[Day]:
    """The days that a text names with their month."""
    return [day for found in _DATE.finditer(text) if (day := _day(found)) is not None]


def bare_days(text: str) -> list[Day]:
    """The days that a text names without their month: *on the 20th*."""
    found = (int(each["day"]) for each in _NTH.finditer(text))
    return [Day(0, day) for day in found if 1 <= day <= MOST_DAYS]


def _day(found: re.Match[str]) -> Day | None:
    way = next(n for n in "1234" if found[f"d{n}"])
    month, year, day = found[f"m{way}"], found[f"y{way}"], int(found[f"d{way}"])
    number = int(month) if month.isdigit() else _month(month)
    if not (1 <= number <= len(_MONTHS) and 1 <= day <= MOST_DAYS):
        return None
    return Day(number, day, int(year) if year and len(year) == 4 else None)


def _month(name: str) -> int:
    return next(n for n, each in enumerate(_MONTHS, 1) if each.startswith(name[:3].lower()))


def bounds(said: Sequence[Utterance]) -> Bounds:
    """The times of day that a customer set; ``said`` is newest first."""
    earliest: Bound | None = None
    latest: Bound | None = None
    for sentence in (each for utterance in said for each in utterance.own if _can_have_time(each)):
        for found in _RELATION.finditer(sentence.text):
            if _ARRIVES.search(sentence.text):
                late = not _is_earliest(found, sentence.text)
                by = Bound(_clock(found), sentence) if late else None
                return Bounds(arrives_by=by, of_arrival=True)
            bound = Bound(_clock(found), sentence)
            if _is_earliest(found, sentence.text):
                earliest = earliest or bound
            else:
                latest = latest or bound
    return Bounds(earliest, latest)


def departures(said: Sequence[Utterance]) -> tuple[frozenset[str], Sentence] | None:
    """The times of the flight that a customer named last: *the 9 am flight*, *the 11 o'clock*."""
    for sentence in (each for utterance in said for each in utterance.own if _can_have_time(each)):
        if sentence.is_question or _DENIED.search(sentence.text):
            continue
        times: set[str] = set()
        for found in _NAMED.finditer(sentence.text):
            if found["half"] or (found["what"] and (found["m"] or found["h"].lower() == "noon")):
                times |= _clocks(found["h"], found["m"], found["half"])
        if times:
            return frozenset(times), sentence
    return None


def windows(said: Sequence[Utterance]) -> tuple[list[tuple[str, str]], Sentence] | None:
    """The departure windows that the customer named last, one for each way to read the times."""
    for sentence in (each for utterance in said for each in utterance.own if each.has_digit):
        found = _BETWEEN.search(sentence.text)
        if found is None or sentence.is_question or _ARRIVES.search(sentence.text):
            continue
        if found["half2"] or found["m"] or found["m2"] or _LEAVES.search(sentence.text):
            until = _clocks(found["h2"], found["m2"], found["half2"])
            # "pm" covers both times of "between 1 and 2 pm", but not of "between 11 and 1 pm"
            for half in (found["half"] or found["half2"], found["half"]):
                begins = _clocks(found["h"], found["m"], half)
                meant = [(one, other) for one in begins for other in until if one <= other]
                if meant:
                    return meant, sentence
    return None


def _clocks(hour: str, minutes: str | None, half: str | None) -> set[str]:
    """The times of day that may be meant, as ``HH:MM``; several if neither am nor pm is given."""
    if hour.lower() == "noon":
        return {"12:00"}
    told, past = int(hour), minutes or "00"
    if half and half[0].lower() in "ap":
        return {f"{told % 12 + (12 if half[0].lower() == 'p' else 0):02d}:{past}"}
    return {f"{each:02d}:{past}" for each in {told % 24, told % 12, told % 12 + 12}}


def _can_have_time(sentence: Sentence) -> bool:
    return sentence.has_digit or "noon" in sentence.words


def _is_earliest(found: re.Match[str], text: str) -> bool:
    """Whether a time is the earliest acceptable one: *after 9*, *not before 9*."""
    relation = found["relation"].lower()
    if relation.startswith("no "):
        return "earlier" in relation
    denied = _DENIED.search(text, max(0, found.start() - 60), found.start()) is not None
    return denied == relation.startswith(("before", "earlier", "by"))


def _clock(found: re.Match[str]) -> str:
    if found["noon"]:
        return "12:00"
    hour = int(found["h"] or found["h2"])
    half = (found["half"] or "").lower()
    is_late = half.startswith("p") or half.endswith(("afternoon", "evening", "night"))
    if is_late and hour < 12:
        hour += 12
    if half and not is_late and hour == 12:
        hour = 0
    return f"{hour:02d}:{found['m'] or found['m2'] or '00'}"
