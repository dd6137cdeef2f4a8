"""Bags and insurance in what a customer says."""

from __future__ import annotations

from collections.abc import Iterable

from agent.clerk.airline.line import Line
from agent.clerk.airline.words import number, phrases, words_of

Told = tuple[str, int]
"""``total``, ``more``, ``each`` or ``free``, and how many."""


def bags_told(line: Line) -> Told | None:
    """How many bags a sentence speaks of; None where it speaks of none."""
    if line.has("no extras", "nothing extra"):
        return "total", 0
    nouns = [place for place, word in enumerate(line.words) if word in words_of("bags")]
    if line.tells("free bags") and line.has("all", "my free", "as many"):
        return "free", 0
    for place in range(len(line.words)):
        told = _count_at(line, place, nouns)
        if told is not None:
            return told
    if nouns and line.has("remove", "take", "drop") and line.has("off", "out", "remove"):
        return "more", -1
    denied = any(
        words_of("denials") & set(" ".join(line.before(each, 4)).rpartition(",")[2].split())
        for each in nouns
    )
    bare = line.has("bags none", "carry-on only", "only carry-on")
    return ("total", 0) if denied or bare else None


def _count_at(line: Line, place: int, nouns: list[int]) -> Told | None:
    word = line.words[place]
    many = number(word)
    if many is None or (word in {"a", "an", "single"} and not nouns):
        return None
    after, ahead = line.after(place + 1, 4), set(line.before(place, 3))
    noun = any(
        place < each <= place + 4 and set(line.words[place + 1 : each]) <= words_of("bag kinds")
        for each in nouns
    )
    total = any(" ".join(after).startswith(each) for each in phrases("bags in all"))
    more = set(after[:1]) & {"more", "extra", "additional", "further"}
    bare = bool(more) or word == "another"
    if not (noun or total or (bare and not line.tells("counted beside bags"))):
        return None
    if ahead & words_of("had") and "to" not in ahead:
        return None
    if many > 20 or (ahead & words_of("denials") and word in {"a", "one"}):
        return None
    if line.has("each", "per person", "per passenger", "apiece"):
        return "each", many
    if line.has("remove", "off", "take out", "drop") and not line.has("drop off"):
        return "more", -many
    total = total or line.has(*phrases("bags in all")[:3])
    adds = bare or words_of("more") & {*ahead, *after[:2]}
    return "more" if adds and not total else "total", many


def bags_in_all(lines: Iterable[Line], now: int, people: int, free: int) -> int | None:
    """The number of bags that sentences, the oldest first, come to; None where none says."""
    found: int | None = None
    before: Told | None = None
    for line in lines:
        told = bags_told(line)
        if told in {None, before}:
            continue
        before = told
        kind, many = told or ("total", 0)
        if kind == "more":
            found = (now if found is None else found) + many
        else:
            found = {"total": many, "each": many * people, "free": max(now, free)}[kind]
    return found


def insurance_wish(lines: Iterable[Line]) -> bool | None:
    """Whether travel insurance is wanted; None where nothing says."""
    found: bool | None = None
    for line in lines:
        if line.has("no extras", "nothing extra", "chance it", "risk it"):
            found = False
        for part in line.parts() if "?" not in line.words else ():
            if any(each.startswith(("insur", "assurance")) for each in part.words):
                found = not part.tells("denials")
    return found
