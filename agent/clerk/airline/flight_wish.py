"""What a part of a sentence wishes of a flight: its time, price, stops, and which way it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agent.clerk.airline.line import Line
from agent.clerk.airline.words import number, phrase_table, phrases, vocabulary

_CLOCK = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?(am|pm|a\.m|p\.m)?")
_HALVES = {"am", "pm", "a.m", "p.m", "o'clock", "oclock"}
_NAMED = {"noon": "12:00", "midday": "12:00", "midnight": "00:00", "lunchtime": "12:00"}
_PARTS = {
    "morning": ("", "12:00"), "afternoon": ("12:00", "18:00"), "evening": ("17:00", ""),
    "night": ("19:00", ""), "red-eye": ("21:00", ""),
}  # fmt: skip
_RANKS = phrase_table("flight_wish", "ranks")
_BEFORE = {"before", "by", "until", "till", "latest"}
_AFTER = {"after", "from", "past", "since", "starting", "earliest"}
_ARRIVE = {"arrive", "arriving", "arrives", "arrival", "land", "landing", "there"}
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


def side_of(line: Line) -> str:
    """Which way a part of a sentence speaks of: ``out``, ``back``, ``both`` or nothing."""
    if line.has(*_BOTH):
        return "both"
    back = line.has(*_BACK) and not line.has(*_NOT_BACK)
    out = line.has(*_OUT)
    return "back" if back and not out else "out" if out and not back else ""


def wish(line: Line) -> Leg:
    """All that a part of a sentence wishes of a flight but for its day."""
    after, before, around, lands_after, lands_before = _clocks(line)
    if not (after or before):
        after, before = _daypart(line)
    rank, nth = _rank(line)
    shift = shift_of(line)
    same_day = line.has("same day", "that day") and not line.has(*_BACK)
    arrives = bool(_ARRIVE & set(line.words)) and same_day
    return Leg(
        shift=shift if shift is not None else 0 if same_day and not arrives else None,
        after=after,
        before=before,
        around="same"
        if line.has("same flight", "same time", "same flights", "same hour")
        else around,
        arrive_after=lands_after,
        arrive_before=lands_before,
        arrive_same_day=arrives,
        relative=_relative(line) if shift is None else "",
        rank=rank,
        nth=nth,
        stops=_stops(line),
        numbers=tuple(line.flight_numbers),
    )


def _rank(line: Line) -> tuple[str, int]:
    for rank, ways in _RANKS.items():
        for phrase in ways:
            place = line.find(phrase)
            if place < 0 or line.before(place, 1) in (("not",), ("'s",)):
                continue
            ahead = line.before(place, 1)
            nth = (
                2
                if ahead in (("second",), ("2nd",), ("next",))
                else 3
                if ahead == ("third",)
                else 1
            )
            return rank, nth
    return "", 1


def _relative(line: Line) -> str:
    for word in ("later", "earlier"):
        place = line.find(word)
        near = {*line.before(place, 2), *line.after(place + 1, 2)}
        if place >= 0 and near & {
            "flight",
            "one",
            "leave",
            "fly",
            "something",
            "depart",
            "take",
            "go",
        }:
            return word
    return ""


def shift_of(line: Line) -> int | None:
    """Days later than what is booked: "a day earlier" is -1, "by two days" 2."""
    for place, word in enumerate(line.words):
        if word not in {"day", "days"}:
            continue
        ahead, after = line.before(place, 3), line.after(place + 1, 2)
        many = number(ahead[-1]) if ahead else None
        if many is not None and set(after[:1]) & {"later", "after", "further", "out", "longer"}:
            return many
        if many is not None and set(after[:1]) & {"earlier", "sooner", "before", "ahead"}:
            return -many
        if many is not None and "by" in ahead:
            early = line.has("up by", "forward by", "earlier by")
            return -many if early else many
        if ahead[-1:] in (("next",), ("following",)):
            return 1
        if "the" in ahead[-1:] and after[:1] in (("after",), ("before",)):
            soon = after[1:2] in (("tomorrow",), ("yesterday",))
            return None if soon else 1 if after[0] == "after" else -1
        if ahead[-1:] == ("previous",):
            return -1
    return None


def _stops(line: Line) -> tuple[int, ...]:
    direct = line.has("direct", "nonstop", "non-stop", "directly", "non stop")
    one = line.has(
        "one stop", "one-stop", "1 stop", "one stopover", "a layover", "connecting", "a stop"
    )
    if line.has("or not") and direct:
        one = True
    return (0, 1) if direct and one else (0,) if direct else (1,) if one else ()


def _clocks(line: Line) -> tuple[str, str, str, str, str]:
    """The times of day: leaving after, before and around, arriving after and before."""
    told = dict.fromkeys(("after", "before", "around", "lands_after", "lands_before"), "")
    for place, word in enumerate(line.words):
        at = _NAMED.get(word) or _clock(line, place)
        if not at:
            continue
        ahead = set(line.before(place, 3))
        lands = bool(_ARRIVE & set(line.before(place, 5)))
        if {"not", "don't"} & ahead and "before" in ahead:
            key = "after"
        elif ahead & _BEFORE:
            key = "before"
        elif ahead & _AFTER:
            key = "after"
        else:
            key = "around"
        if not (lands and key == "around"):
            told[f"lands_{key}" if lands else key] = at
    return tuple(told.values())  # type: ignore[return-value]


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
    part = (
        after[2] if after[:2] == ("in", "the") else "night" if after[:2] == ("at", "night") else ""
    )
    if not (half or part or (minute and ":" in line.words[place])) or hour > 24:
        return ""
    if hour < 12 and (half.startswith("p") or part in {"evening", "afternoon", "night"}):
        hour += 12
    if hour == 12 and half.startswith("a"):
        hour = 0
    return f"{hour:02}:{int(minute or 0):02}"


def _daypart(line: Line) -> tuple[str, str]:
    found = {each for each in _PARTS if line.has(each)}
    for each in [*found]:
        ahead = line.before(line.find(each), 1)
        if ahead and (ahead[0] in {"good", "this", "yesterday"} or ahead[0].isdecimal()):
            found.discard(each)
    if line.has("in the morning", "in the evening") and any(
        _clock(line, n) and line.after(n + 1, 1) == ("in",) for n, word in enumerate(line.words)
    ):
        return "", ""
    return (
        _PARTS[found.pop()]
        if (len(found) == 1 and len(line.words) > 1) or found == {"evening"}
        else ("", "")
    )
