"""Slot filling for flights: time, price, stops and day, for the way out and the way back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import is_excluded, number, phrase_table, vocabulary, words_of

_CLOCK = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?(am|pm|a\.m|p\.m)?")
_TIMES = ("after", "before", "around", "relative", "rank", "arrive_after", "arrive_before")
_PLACES = {"second": 2, "2nd": 2, "next": 2, "third": 3}


@dataclass(frozen=True)
class Leg:
    """The slots of one way of a trip; a slot that was not mentioned is empty."""

    date: str = ""
    dates: tuple[str, ...] = ()
    """Further acceptable days."""

    shift: int | None = None
    """Days after the booked flight; negative if before it."""

    after: str = ""
    """The earliest departure as ``HH:MM``; ``before`` is the latest, ``around`` the preferred
    one."""

    before: str = ""
    around: str = ""
    """A time, or ``same`` for the current departure time."""

    arrive_after: str = ""
    arrive_before: str = ""
    arrive_same_day: bool = False
    relative: str = ""
    """``later`` or ``earlier`` than the booked flight."""

    rank: str = ""
    """``cheapest``, ``dearest``, ``fastest``, ``earliest``, ``latest`` or ``any``."""

    nth: int = 1
    stops: tuple[int, ...] = ()
    """Acceptable numbers of stops, the best first."""

    numbers: tuple[str, ...] = ()
    """The requested flight numbers."""

    mentioned: bool = field(default=False, compare=False)
    """Whether this way was mentioned: "change my return flight"."""

    @property
    def is_empty(self) -> bool:
        """Whether all slots are empty."""
        return self == Leg()

    @property
    def days(self) -> tuple[str, ...]:
        """All acceptable days."""
        return tuple(dict.fromkeys(each for each in (self.date, *self.dates) if each))

    @property
    def told(self) -> dict[str, Any]:
        """The filled slots."""
        return {name: value for name, value in vars(self).items() if value != getattr(Leg(), name)}

    def merged_with(self, other: Leg) -> Leg:
        """The leg with the slots from another part of the same sentence."""
        return replace(self, **other.told)

    def updated_by(self, new: Leg) -> Leg:
        """The leg with the slots of a later sentence, which override those they contradict."""
        told = {name: value for name, value in new.told.items() if name != "nth" or new.rank}
        gone: dict[str, object] = {}
        if told.keys() & {*_TIMES, "date", "shift", "stops"}:
            gone["numbers"] = ()
        if told.keys() & set(_TIMES) or "numbers" in told:
            gone.update({name: "" for name in _TIMES}, nth=1)
        if "numbers" in told or ":" in str(told.get("around")):
            gone["stops"] = ()  # one flight is meant, whatever kinds were looked at before
        if told.keys() & {"date", "shift"}:
            gone.update(date="", dates=(), shift=None)
        return replace(self, **{**gone, **told, "mentioned": self.mentioned or new.mentioned})


def way_mentioned(sentence: ParsedSentence) -> str:
    """The way that a part of a sentence is about: ``out``, ``back``, ``both`` or empty."""
    if sentence.has_phrase_of("both ways"):
        return "both"
    longer = days_shifted(sentence) or sentence.has_phrase("until", "till", "longer")
    back = sentence.has_phrase_of("way back") and not sentence.has_phrase_of("no way back")
    back = back or sentence.has_phrase("way back", "flight back", "trip back")
    back = back or bool(longer and sentence.has_phrase("stay", "staying"))
    out = sentence.has_phrase_of("way out")
    return "back" if back and not out else "out" if out and not back else ""


def read_flight_slots(sentence: ParsedSentence) -> Leg:
    """The flight slots in a part of a sentence, except the day."""
    told = _clocks(sentence)
    if not {"after", "before"} & told.keys():
        told |= _daypart(sentence)
    same_day = sentence.has_phrase("same day", "that day") and not sentence.has_phrase_of(
        "way back"
    )
    arrives = same_day and sentence.has_phrase_of("arrive")
    if sentence.has_phrase("same flight", "same time", "same flights", "same hour"):
        told["around"] = "same"
    shift = days_shifted(sentence)
    rank, nth = _rank(sentence)
    direct = sentence.has_phrase_of("direct")
    return Leg(
        **told,
        shift=0 if shift is None and same_day and not arrives else shift,
        arrive_same_day=arrives,
        relative=_relative(sentence) if shift is None else "",
        rank=rank,
        nth=nth,
        stops=(0,) * direct
        + (1,)
        * (
            sentence.has_phrase_of("one stop")
            or (direct and sentence.has_phrase("or not", "not direct"))
        ),
        numbers=tuple(sentence.flight_numbers),
    )


def _rank(sentence: ParsedSentence) -> tuple[str, int]:
    for rank, ways in phrase_table("ranks").items():
        for place in filter(lambda each: each >= 0, map(sentence.find, ways)):
            ahead = "".join(sentence.before(place, 1))
            if ahead not in {"not", "'s"}:
                return rank, _PLACES.get(ahead, 1)
    return "", 1


def _relative(sentence: ParsedSentence) -> str:
    for word in ("later", "earlier"):
        place = sentence.find(word)
        near = {*sentence.before(place, 4), *sentence.after(place + 1, 2)}
        if place >= 0 and near & words_of("flying"):
            return word
    return ""


def days_shifted(sentence: ParsedSentence) -> int | None:
    """The days after the booked flight: "a day earlier" is -1, "by two days" is 2; else None."""
    for place, word in enumerate(sentence.words):
        if word not in {"day", "days", "night", "nights"}:
            continue
        ahead, after = sentence.before(place, 3), sentence.after(place + 1, 2)
        more = ahead[-1:] in (("more",), ("extra",))  # "one more night"
        last, follows = "".join(ahead[-2:-1] if more else ahead[-1:]), "".join(after[:1])
        many = number(last)
        if many is not None and (more or follows in words_of("later")):
            return many
        if many is not None and follows in words_of("sooner"):
            return -many
        if many is not None and ahead[-2:-1] == ("back",):
            return many  # "push it back a day"
        if many is not None and "by" in ahead:
            return -many if sentence.has_phrase("up by", "forward by", "earlier by") else many
        if last in {"next", "following", "previous"}:
            return -1 if last == "previous" else 1
        if last == "the" and follows in {"after", "before"}:
            if after[1:] in (("tomorrow",), ("yesterday",)):
                return None
            return 1 if follows == "after" else -1
    return None


def _clocks(sentence: ParsedSentence) -> dict[str, Any]:
    """The latest, earliest or preferred times in a sentence, by the names of a leg's slots."""
    told: dict[str, Any] = {}
    for place, word in enumerate(sentence.words):
        at = vocabulary()["clock_names"].get(word) or _clock(sentence, place)
        if not at or is_excluded(sentence.before(place, 4)):
            continue
        ahead = set(sentence.before(place, 3))
        lands = bool(words_of("arrive") & set(sentence.before(place, 5)))
        not_before = "before" in ahead and ahead & {"not", "don't", "nothing", "none", "no"}
        follows = sentence.after(place + 1, 3)
        if follows[1:] in (("too", "early"), ("too", "late")):  # "12:00 is too early"
            told["after" if follows[2] == "early" else "before"] = _beside(at, follows[2])
            continue
        if ahead & words_of("at latest") and not not_before:
            told["arrive_before" if lands else "before"] = at
        elif ahead & words_of("at earliest") or not_before:
            told["arrive_after" if lands else "after"] = at
        elif not lands:
            told["around"] = at
    return told


def _beside(at: str, side: str) -> str:
    """The minute after a time that is too early, or before one that is too late."""
    moment = datetime.strptime(at, "%H:%M") + timedelta(minutes=1 if side == "early" else -1)
    return moment.strftime("%H:%M")


def _clock(sentence: ParsedSentence, place: int) -> str:
    """A time of day as ``HH:MM``; empty for a bare number."""
    hit = _CLOCK.fullmatch(sentence.words[place])
    if hit is None:
        return ""
    hour, minute, half = int(hit.group(1)), hit.group(2), hit.group(3) or ""
    after = sentence.after(place + 1, 3)
    if set(sentence.before(place, 1)) & set(vocabulary()["months"]):
        return ""
    half = half or (after[0] if after and after[0] in words_of("halves") else "")
    part = "".join(after[2:]) if after[:2] == ("in", "the") else ""
    part = "night" if after[:2] == ("at", "night") else part
    if not (half or part or (minute and ":" in sentence.words[place])) or hour > 24:
        return ""
    if hour < 12 and (half.startswith("p") or part in {"evening", "afternoon", "night"}):
        hour += 12
    if hour == 12 and half.startswith("a"):
        hour = 0
    return f"{hour:02}:{int(minute or 0):02}"


_NOT_EARLY = "10:00"


def _daypart(sentence: ParsedSentence) -> dict[str, str]:
    """The time slots for the part of the day in which a flight should leave."""
    if sentence.has_phrase("not too early", "not so early", "not early"):
        return {"after": _NOT_EARLY}
    parts: dict[str, dict[str, str]] = vocabulary()["day_parts"]
    found = {each for each in parts if sentence.has_phrase(each)}
    for each in [*found]:
        ahead = "".join(sentence.before(sentence.find(each), 1))
        if ahead in {"good", "this", "yesterday", "more", "extra"} or ahead.isdecimal():
            found.discard(each)
    if len(found) != 1 or (len(sentence.words) == 1 and found != {"evening"}):
        return {}
    return parts[found.pop()]
