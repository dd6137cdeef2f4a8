"""Slot filling for flights: time, price, stops and day, for the way out and the way back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.vocabulary import is_excluded, number, phrase_table, vocabulary, words_of

_CLOCK = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?(am|pm|a\.m|p\.m)?")
_TIMES = ("around", "relative", "rank")
_PLACES = {"second": 2, "2nd": 2, "next": 2, "third": 3}


@dataclass(frozen=True)
class Leg:
    """The slots of one way of a trip; a slot that was not mentioned is empty."""

    days: tuple[str, ...] = ()
    """The acceptable days."""

    shift: int | None = None
    """Days after the booked flight; negative if before it."""

    limits: tuple[tuple[str, str], ...] = ()
    """Times as ``HH:MM``, each by what it limits: leaving ``after`` or ``before`` it, or
    ``arrive_after`` or ``arrive_before``."""

    around: str = ""
    """The preferred departure, or ``same`` for the current one."""

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
    def date(self) -> str:
        """The first acceptable day; empty if none was mentioned."""
        return self.days[0] if self.days else ""

    @property
    def told(self) -> dict[str, Any]:
        """The filled slots."""
        return {name: value for name, value in vars(self).items() if value != getattr(Leg(), name)}

    def merged_with(self, other: Leg) -> Leg:
        """The leg with the slots from another part of the same sentence."""
        limits = {**dict(self.limits), **dict(other.limits)}
        around = other.around or self.around
        apart = not limits.get("after", "") <= around <= limits.get("before", "24:00")
        if apart and around != "same":
            around = ""  # "6 am? What was I thinking, anything after lunch": it is the booked time
        told = {**other.told, "limits": tuple(limits.items()), "around": around}
        return replace(self, **told)

    def updated_by(self, new: Leg) -> Leg:
        """The leg with the slots of a later sentence, which override those they contradict."""
        told = new.told
        gone: dict[str, object] = {}
        if told.keys() & {*_TIMES, "limits", "days", "shift", "stops"}:
            gone["numbers"] = ()
        if told.keys() & {*_TIMES, "limits", "numbers"}:
            gone.update({name: "" for name in _TIMES}, limits=(), nth=1)
        if told.keys() & {"days", "shift"}:
            gone.update(days=(), shift=None)
        return replace(self, **{**gone, **told, "mentioned": self.mentioned or new.mentioned})


_COMING_BACK = ("come back", "coming back", "fly back", "flying back", "travel back")
"""What is said of the way back even before "one day", which alone may mean an earlier one."""


def way_mentioned(sentence: ParsedSentence) -> str:
    """The way that a part of a sentence is about: ``out``, ``back``, ``both`` or empty."""
    if sentence.has_phrase_of("both ways"):
        return "both"
    longer = days_shifted(sentence) or sentence.has_phrase("until", "till", "longer")
    back = sentence.has_phrase_of("way back") and not sentence.has_phrase_of("no way back")
    back = back or sentence.has_phrase("way back", "flight back", "trip back", *_COMING_BACK)
    back = back or bool(longer and sentence.has_phrase("stay", "staying"))
    out = sentence.has_phrase_of("way out")
    return "" if back == out else "back" if back else "out"


def read_flight_slots(sentence: ParsedSentence) -> Leg:
    """The flight slots in a part of a sentence, except the day."""
    limits = _clocks(sentence)
    around = limits.pop("around", "")
    if sentence.has_phrase("same flight", "same time", "same flights", "same hour"):
        around = "same"
    if not limits.keys() & {"after", "before"}:
        limits |= _daypart(sentence)
    same_day = sentence.has_phrase("same day", "that day")
    same_day = same_day and not sentence.has_phrase_of("way back")
    shift, relative = days_shifted(sentence), ""
    if same_day and sentence.has_phrase_of("arrive"):
        limits["arrive_before"] = "24:00"
    elif shift is None:
        relative, shift = _relative(sentence), 0 if same_day else None
    direct = sentence.has_phrase_of("direct")
    rather = sentence.has_phrase_of("rather direct") or sentence.is_question
    one = sentence.has_phrase_of("one stop") or (direct and rather)
    stops = (0,) * direct + (1,) * bool(one)
    rank, nth = _rank(sentence)
    return Leg(
        shift=shift,
        limits=tuple(limits.items()),
        around=around,
        relative=relative,
        rank=rank,
        nth=nth,
        stops=stops,
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
        ahead, after = sentence.before(place, 3), sentence.after(place + 1, 2)
        if word not in {"day", "days", "night", "nights"} or not ahead:
            continue
        more = ahead[-1] in {"more", "extra"}  # "one more night"
        last, follows = "".join(ahead[-2:-1] if more else ahead[-1:]), "".join(after[:1])
        if last in {"next", "following", "previous"}:
            return -1 if last == "previous" else 1
        if last == "the" and follows in {"after", "before"}:
            return 1 if follows == "after" else -1
        many = number(last)
        if many is None:
            continue
        if follows in words_of("sooner") or sentence.has_phrase("up by", "forward by"):
            return -many
        if more or follows in words_of("later") or {"by", "back"} & {*ahead}:
            return many
    return None


def _clocks(sentence: ParsedSentence) -> dict[str, str]:
    """The times in a sentence, by what they limit; a preferred one as ``around``."""
    told: dict[str, str] = {}
    for place, word in enumerate(sentence.words):
        at = vocabulary()["clock_names"].get(word) or _clock(sentence, place)
        if not at or is_excluded(sentence.before(place, 4)):
            continue
        ahead, follows = {*sentence.before(place, 3)}, sentence.after(place + 1, 3)
        where = words_of("arrive") - ({"there"} if sentence.has_phrase_of("there is") else set())
        lands = "arrive_" if where & {*sentence.before(place, 5)} else ""
        start = "before" in ahead and ahead & (words_of("denials") | {"nothing"})
        if follows[1:] == ("too", "early"):  # "12:00 is too early"
            told["after"] = f"{at[:3]}{int(at[3:]) + 1:02}"  # 12:60 is after 12:59, too
        elif not start and (ahead & words_of("at latest") or follows[1:] == ("too", "late")):
            told[f"{lands}before"] = at
        elif start or ahead & words_of("at earliest"):
            told[f"{lands}after"] = at
        elif not lands:
            told["around"] = at
    return told


def _clock(sentence: ParsedSentence, place: int) -> str:
    """A time of day as ``HH:MM``; empty for a bare number."""
    hit = _CLOCK.fullmatch(sentence.words[place])
    if hit is None:
        return ""
    hour, minute, half = int(hit[1]), hit[2] or "00", hit[3] or ""
    after = sentence.after(place + 1, 3)
    half = half or "".join({*after[:1]} & words_of("halves"))
    part = after[2:] if after[:2] == ("in", "the") else after[1:2] if after[:1] == ("at",) else ()
    late = {*part} & {"evening", "afternoon", "night"} or half.startswith("p")
    if not (half or part or ":" in sentence.words[place]) or hour > 24:
        return ""
    hour += 12 if hour < 12 and late else -12 if hour == 12 and half.startswith("a") else 0
    return f"{hour:02}:{minute}"


def _daypart(sentence: ParsedSentence) -> dict[str, str]:
    """The time slots for the part of the day in which a flight should leave."""
    parts: dict[str, dict[str, str]] = vocabulary()["day_parts"]
    found: list[str] = []
    for each in filter(sentence.has_phrase, parts):
        ahead = "".join(sentence.before(sentence.find(each), 1))
        counts = ahead in {"good", "this", "yesterday", "more", "extra"} or ahead.isdecimal()
        found += [] if counts else [each]
    if len(found) != 1 or (len(sentence.words) == 1 and found != ["evening"]):
        return {}
    return parts[found[0]]
