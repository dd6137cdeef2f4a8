"""What a part of a sentence wishes of a flight: its time, price, stops, and which way it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.airline.line import Line
from agent.clerk.airline.words import number, phrase_table, phrases, vocabulary

_CLOCK = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?(am|pm|a\.m|p\.m)?")
_HALVES = {"am", "pm", "a.m", "p.m", "o'clock", "oclock"}
_NAMED = {"noon": "12:00", "midday": "12:00", "midnight": "00:00", "lunchtime": "12:00"}
_PARTS = {
    "morning": {"before": "12:00"},
    "afternoon": {"after": "12:00", "before": "18:00"},
    "evening": {"after": "17:00"},
    "night": {"after": "19:00"},
    "red-eye": {"after": "21:00"},
}
_RANKS = phrase_table("flight_wish", "ranks")
_BEFORE = {"before", "by", "until", "till", "latest"}
_AFTER = {"after", "from", "past", "since", "starting", "earliest"}
_ARRIVE = {"arrive", "arriving", "arrives", "arrival", "land", "landing", "there"}
_PLACES = {"second": 2, "2nd": 2, "next": 2, "third": 3}
_FLYING = frozenset({"flight", "one", "leave", "fly", "something", "depart", "take", "go"})
_LATER = frozenset({"later", "after", "further", "out", "longer"})
_SOONER = frozenset({"earlier", "sooner", "before", "ahead"})
_DIRECT = ("direct", "nonstop", "non-stop", "directly", "non stop")
_ONE_STOP = ("one stop", "one-stop", "1 stop", "one stopover", "a layover", "connecting", "a stop")
_BACK = phrases("flight_wish", "back")
_NOT_BACK = phrases("flight_wish", "not_back")
_OUT = phrases("flight_wish", "out")
_BOTH = phrases("flight_wish", "both")


@dataclass(frozen=True)
class Leg:
    """What is wanted of one way; a slot that was not spoken of is empty."""

    date: str = ""
    dates: tuple[str, ...] = ()
    """Further days that would do."""

    shift: int | None = None
    """Days later (negative: earlier) than the flight that is booked."""

    after: str = ""
    """Leaves no earlier than this time; ``before`` no later, ``around`` as close as can be."""

    before: str = ""
    around: str = ""
    """``same`` for the time it leaves now."""

    arrive_after: str = ""
    arrive_before: str = ""
    arrive_same_day: bool = False
    relative: str = ""
    """``later`` or ``earlier`` than the flight that is booked."""

    rank: str = ""
    """``cheapest``, ``dearest``, ``fastest``, ``earliest``, ``latest`` or ``any``."""

    nth: int = 1
    stops: tuple[int, ...] = ()
    """Stops that are welcome, the best first."""

    numbers: tuple[str, ...] = ()
    """Flight numbers that are wanted."""

    wanted: bool = field(default=False, compare=False)
    """This way was spoken of: "change my return flight"."""

    @property
    def empty(self) -> bool:
        """Whether nothing was said of it."""
        return self == Leg()

    @property
    def days(self) -> tuple[str, ...]:
        """Every day that would do."""
        return tuple(dict.fromkeys(each for each in (self.date, *self.dates) if each))


def side_of(line: Line) -> str:
    """Which way a part of a sentence speaks of: ``out``, ``back``, ``both`` or nothing."""
    if line.has(*_BOTH):
        return "both"
    back = line.has(*_BACK) and not line.has(*_NOT_BACK)
    out = line.has(*_OUT)
    return "back" if back and not out else "out" if out and not back else ""


def wish(line: Line) -> Leg:
    """All that a part of a sentence wishes of a flight but for its day."""
    told = _clocks(line)
    if not {"after", "before"} & told.keys():
        told |= _daypart(line)
    same_day = line.has("same day", "that day") and not line.has(*_BACK)
    arrives = same_day and bool(_ARRIVE & set(line.words))
    if line.has("same flight", "same time", "same flights", "same hour"):
        told["around"] = "same"
    shift = shift_of(line)
    rank, nth = _rank(line)
    return Leg(
        **told,
        shift=0 if shift is None and same_day and not arrives else shift,
        arrive_same_day=arrives,
        relative=_relative(line) if shift is None else "",
        rank=rank,
        nth=nth,
        stops=_stops(line),
        numbers=tuple(line.flight_numbers),
    )


def _rank(line: Line) -> tuple[str, int]:
    for rank, ways in _RANKS.items():
        for place in filter(lambda each: each >= 0, map(line.find, ways)):
            ahead = "".join(line.before(place, 1))
            if ahead not in {"not", "'s"}:
                return rank, _PLACES.get(ahead, 1)
    return "", 1


def _relative(line: Line) -> str:
    for word in ("later", "earlier"):
        place = line.find(word)
        near = {*line.before(place, 2), *line.after(place + 1, 2)}
        if place >= 0 and near & _FLYING:
            return word
    return ""


def shift_of(line: Line) -> int | None:
    """Days later than what is booked: "a day earlier" is -1, "by two days" 2."""
    for place, word in enumerate(line.words):
        if word not in {"day", "days"}:
            continue
        ahead, after = line.before(place, 3), line.after(place + 1, 2)
        last, follows = "".join(ahead[-1:]), "".join(after[:1])
        many = number(last)
        if many is not None and follows in _LATER:
            return many
        if many is not None and follows in _SOONER:
            return -many
        if many is not None and "by" in ahead:
            return -many if line.has("up by", "forward by", "earlier by") else many
        if last in {"next", "following", "previous"}:
            return -1 if last == "previous" else 1
        if last == "the" and follows in {"after", "before"}:
            if after[1:] in (("tomorrow",), ("yesterday",)):
                return None
            return 1 if follows == "after" else -1
    return None


def _stops(line: Line) -> tuple[int, ...]:
    direct = line.has(*_DIRECT)
    one = line.has(*_ONE_STOP) or (direct and line.has("or not"))
    return (0,) * direct + (1,) * one


def _clocks(line: Line) -> dict[str, Any]:
    """The times of day that a flight should leave or arrive by, as a leg has them."""
    told: dict[str, Any] = {}
    for place, word in enumerate(line.words):
        at = _NAMED.get(word) or _clock(line, place)
        if not at:
            continue
        ahead = set(line.before(place, 3))
        lands = bool(_ARRIVE & set(line.before(place, 5)))
        not_before = "before" in ahead and ahead & {"not", "don't"}
        if ahead & _BEFORE and not not_before:
            told["arrive_before" if lands else "before"] = at
        elif ahead & _AFTER or not_before:
            told["arrive_after" if lands else "after"] = at
        elif not lands:
            told["around"] = at
    return told


def _clock(line: Line, place: int) -> str:
    """A time of day as ``HH:MM``; a bare number is none."""
    hit = _CLOCK.fullmatch(line.words[place])
    if hit is None:
        return ""
    hour, minute, half = int(hit.group(1)), hit.group(2), hit.group(3) or ""
    after = line.after(place + 1, 3)
    if set(line.before(place, 1)) & set(vocabulary()["months"]):
        return ""
    half = half or (after[0] if after and after[0] in _HALVES else "")
    part = "".join(after[2:]) if after[:2] == ("in", "the") else ""
    part = "night" if after[:2] == ("at", "night") else part
    if not (half or part or (minute and ":" in line.words[place])) or hour > 24:
        return ""
    if hour < 12 and (half.startswith("p") or part in {"evening", "afternoon", "night"}):
        hour += 12
    if hour == 12 and half.startswith("a"):
        hour = 0
    return f"{hour:02}:{int(minute or 0):02}"


def _daypart(line: Line) -> dict[str, str]:
    """The part of the day that a flight should leave in."""
    found = {each for each in _PARTS if line.has(each)}
    for each in [*found]:
        ahead = "".join(line.before(line.find(each), 1))
        if ahead in {"good", "this", "yesterday"} or ahead.isdecimal():
            found.discard(each)
    if len(found) != 1 or (len(line.words) == 1 and found != {"evening"}):
        return {}
    return _PARTS[found.pop()]
