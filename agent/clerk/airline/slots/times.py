"""What a clause wishes of a flight: its time of day, its price, its stops, how far it moves."""

from __future__ import annotations

import re

from agent.clerk.airline.language import LANGUAGE, number, pattern, says, table
from agent.clerk.airline.requests import Leg
from agent.clerk.airline.slots.codes import flight_numbers


def leg(text: str) -> Leg:
    """All that a clause, or a part of it, wishes of one flight; its day is not read here."""
    found = Leg()
    if says("greeting_of_day", text):
        return found
    _read_clock(text, found)
    _read_dayparts(text, found)
    _read_rank(text, found)
    found.stops = stops(text)
    found.relative = "later" if says("later", text) else "earlier" if says("earlier", text) else ""
    found.shift = shift(text)
    if says("same_time", text):
        found.around = "same"
    found.arrive_same_day = says("arrive_same_day", text)
    if found.arrive_same_day and found.shift == 0:
        found.shift = None
    found.numbers = flight_numbers(text)
    return found


def shift(text: str) -> int | None:
    """Days later than what is booked: "a day earlier" is -1, "the same day" 0."""
    for name, sign in (("shift_earlier", -1), ("shift_later", 1)):
        hit = pattern(name).search(text)
        if hit:
            told = hit.group("n") or hit.group("m")
            return sign * (number(told) if told else 1)
    return 0 if says("shift_none", text) else None


def stops(text: str) -> list[int]:
    """The numbers of stops that are welcome, the best first."""
    text = pattern("one_stop_now").sub(" ", text)
    direct, one = says("direct", text), says("one_stop", text)
    if says("either_stops", text) or (direct and one):
        return [1, 0] if says("stop_first", text) else [0, 1]
    return [0] if direct else [1] if one else []


def _read_clock(text: str, found: Leg) -> None:
    for hit in pattern("clock").finditer(text):
        at = _clock(hit)
        before = text[: hit.start()]
        if at is None:
            continue
        arrives = says("arrival", before)
        if says("time_after", before):
            setattr(found, "arrive_after" if arrives else "after", at)
        elif says("time_before", before):
            setattr(found, "arrive_before" if arrives else "before", at)
        elif (says("time_around", before) or says("time_named", before)) and not arrives:
            found.around = at


def _clock(hit: re.Match[str]) -> str | None:
    """A time of day as ``HH:MM``; a bare number is none."""
    word = hit.group("word")
    if word:
        return "00:00" if word == "midnight" else "12:00"
    half, minute = hit.group("half") or "", hit.group("min")
    hour = int(hit.group("at"))
    if not (half or minute) or (hour > 12 and "in the" in half):
        return None
    if hour < 12 and says("after_noon", half):
        hour += 12
    if hour == 12 and half.startswith("a"):
        hour = 0
    minutes = int(minute or 0)
    return f"{hour:02}:{minutes:02}" if hour < 24 and minutes < 60 else None


def _read_dayparts(text: str, found: Leg) -> None:
    named = {
        name: bounds
        for name, bounds in LANGUAGE.words["dayparts"]
        if (hit := re.search(rf"\b{name}\b", text))
        and not (says("not_a_daypart", text[: hit.start()]) or _in_clock(text, hit))
    }
    several = len(named) > 1 and "early morning" not in named
    if named and not several and not (found.after or found.before):
        found.after, found.before = next(iter(named.values()))


def _in_clock(text: str, part: re.Match[str]) -> bool:
    """Whether "morning" only belongs to "8 in the morning"."""
    hits = pattern("clock").finditer(text)
    return any(hit.start() < part.start() < hit.end() and _clock(hit) for hit in hits)


def _read_rank(text: str, found: Leg) -> None:
    text = pattern("not_rank").sub(" ", text)
    hits = [(hit.start(), name) for name, each in table("ranks") if (hit := each.search(text))]
    if hits:
        found.rank = min(hits, key=lambda each: (each[1] == "any", each[0]))[1]
        nth = next((name for name, each in table("nth") if each.search(text)), "1")
        found.nth = int(nth)
