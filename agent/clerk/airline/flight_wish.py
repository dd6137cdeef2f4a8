"""What sentences wish of flights: time, price, stops and day, of the one way or the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agent.clerk.airline.line import Line
from agent.clerk.airline.words import TO, number, phrase_table, vocabulary, words_of

_CLOCK = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?(am|pm|a\.m|p\.m)?")
_TIMES = ("after", "before", "around", "relative", "rank", "arrive_after", "arrive_before")
_PLACES = {"second": 2, "2nd": 2, "next": 2, "third": 3}

Days = Mapping[str, frozenset[str]]
"""The days that are booked, by way: ``out``, ``back``, and all of them under an empty name."""


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

    @property
    def told(self) -> dict[str, Any]:
        """The slots that were spoken of."""
        return {name: value for name, value in vars(self).items() if value != getattr(Leg(), name)}

    def plus(self, other: Leg) -> Leg:
        """It with what another part of the same sentence adds."""
        return replace(self, **other.told)

    def then(self, new: Leg) -> Leg:
        """It with what was said later, which takes the place of what it contradicts."""
        told = {name: value for name, value in new.told.items() if name != "nth" or new.rank}
        gone: dict[str, object] = {}
        if told.keys() & {*_TIMES, "date", "shift", "stops"}:
            gone["numbers"] = ()
        if told.keys() & set(_TIMES) or "numbers" in told:
            gone.update({name: "" for name in _TIMES}, nth=1)
        if told.keys() & {"date", "shift"}:
            gone.update(date="", dates=(), shift=None)
        return replace(self, **{**gone, **told, "wanted": self.wanted or new.wanted})


@dataclass(frozen=True)
class Wanted:
    """What is wanted of both ways."""

    out: Leg
    back: Leg
    open: Leg
    """What was said of no way in particular."""

    old: tuple[str, ...]
    """Days that were named and are booked."""


def read_wanted(lines: Iterable[Line], booked: Days) -> Wanted:
    """What sentences, the oldest first, want of the ways of a trip that is booked."""
    legs = {"out": Leg(), "back": Leg(), "": Leg()}
    old: list[str] = []
    side = ""
    for line in lines:
        here: dict[str, Leg] = {}
        side = side if side and not (legs["out"].wanted and legs["back"].wanted) else ""
        for part in line.parts():
            side = side_of(part) or side
            told = wish(part)
            new: list[str] = []
            for day in part.days:
                known = day.value in booked.get(side, booked[""]) and day.role != TO
                (old if known else new).append(day.value)
            if new:
                first, *others = dict.fromkeys(new)
                told = replace(told, date=first, dates=tuple(others), shift=None)
            if side:
                told = replace(told, wanted=True)
            for name in ("out", "back") if side == "both" else (side,):
                here[name] = here.get(name, Leg()).plus(told)
        for name, told in here.items():
            legs[name] = legs[name].then(told)
    return Wanted(legs["out"], legs["back"], legs[""], tuple(old))


def side_of(line: Line) -> str:
    """Which way a part of a sentence speaks of: ``out``, ``back``, ``both`` or nothing."""
    if line.tells("both ways"):
        return "both"
    back = line.tells("way back") and not line.tells("no way back")
    out = line.tells("way out")
    return "back" if back and not out else "out" if out and not back else ""


def wish(line: Line) -> Leg:
    """All that a part of a sentence wishes of a flight but for its day."""
    told = _clocks(line)
    if not {"after", "before"} & told.keys():
        told |= _daypart(line)
    same_day = line.has("same day", "that day") and not line.tells("way back")
    arrives = same_day and line.tells("arrive")
    if line.has("same flight", "same time", "same flights", "same hour"):
        told["around"] = "same"
    shift = shift_of(line)
    rank, nth = _rank(line)
    direct = line.tells("direct")
    return Leg(
        **told,
        shift=0 if shift is None and same_day and not arrives else shift,
        arrive_same_day=arrives,
        relative=_relative(line) if shift is None else "",
        rank=rank,
        nth=nth,
        stops=(0,) * direct + (1,) * (line.tells("one stop") or (direct and line.has("or not"))),
        numbers=tuple(line.flight_numbers),
    )


def _rank(line: Line) -> tuple[str, int]:
    for rank, ways in phrase_table("ranks").items():
        for place in filter(lambda each: each >= 0, map(line.find, ways)):
            ahead = "".join(line.before(place, 1))
            if ahead not in {"not", "'s"}:
                return rank, _PLACES.get(ahead, 1)
    return "", 1


def _relative(line: Line) -> str:
    for word in ("later", "earlier"):
        place = line.find(word)
        near = {*line.before(place, 2), *line.after(place + 1, 2)}
        if place >= 0 and near & words_of("flying"):
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
        if many is not None and follows in words_of("later"):
            return many
        if many is not None and follows in words_of("sooner"):
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


def _clocks(line: Line) -> dict[str, Any]:
    """The times of day that a flight should leave or arrive by, as a leg has them."""
    told: dict[str, Any] = {}
    for place, word in enumerate(line.words):
        at = vocabulary()["clock_names"].get(word) or _clock(line, place)
        if not at:
            continue
        ahead = set(line.before(place, 3))
        lands = bool(words_of("arrive") & set(line.before(place, 5)))
        not_before = "before" in ahead and ahead & {"not", "don't"}
        if ahead & words_of("at latest") and not not_before:
            told["arrive_before" if lands else "before"] = at
        elif ahead & words_of("at earliest") or not_before:
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
    half = half or (after[0] if after and after[0] in words_of("halves") else "")
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
    parts: dict[str, dict[str, str]] = vocabulary()["day_parts"]
    found = {each for each in parts if line.has(each)}
    for each in [*found]:
        ahead = "".join(line.before(line.find(each), 1))
        if ahead in {"good", "this", "yesterday"} or ahead.isdecimal():
            found.discard(each)
    if len(found) != 1 or (len(line.words) == 1 and found != {"evening"}):
        return {}
    return parts[found.pop()]
