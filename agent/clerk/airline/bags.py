"""Bags and insurance in what a customer says, and what they cost."""

from __future__ import annotations

from collections.abc import Iterable

from agent.clerk.airline.line import Line
from agent.clerk.airline.memory import CABINS
from agent.clerk.airline.words import number, words_of

EXTRA_BAG = 50
"""Dollars for a checked bag that is not free."""

INSURANCE = 30
"""Dollars for a passenger's travel insurance."""

FREE_BAGS = {"regular": 0, "silver": 1, "gold": 2}
"""Free checked bags of a membership for each passenger, beside those of the cabin."""

_NOUNS = words_of("bags")
_DENY = words_of("denials")
_KINDS = words_of("bag_kinds")
_MORE = words_of("more")
_TOTAL = ("in all", "in total", "altogether", "make it", "there are", "total of", "all together")
_HAD = frozenset({"have", "has", "already", "had", "got"})
_FREE = ("free bags", "free bag", "as many as are free", "free allowance", "free baggage")

Told = tuple[str, int]
"""``total``, ``more``, ``each`` or ``free``, and how many."""


def free_bags(membership: str, name: str, people: int) -> int:
    """Checked bags that cost nothing, for all passengers together."""
    return (FREE_BAGS.get(membership, 0) + CABINS.index(name)) * people


def bags_told(line: Line) -> Told | None:
    """How many bags a sentence speaks of; None where it speaks of none."""
    words = line.words
    if line.has("no extras", "nothing extra"):
        return "total", 0
    nouns = [place for place, word in enumerate(words) if word in _NOUNS]
    if line.has(*_FREE) and line.has("all", "my free", "as many"):
        return "free", 0
    for place in range(len(words)):
        told = _count_at(line, place, nouns)
        if told is not None:
            return told
    denied = any(_DENY & set(_part_before(line, each)) for each in nouns)
    takes_out = line.has("remove", "take", "drop") and bool(nouns)
    if takes_out and line.has("off", "out", "remove"):
        return "more", -1
    return (
        ("total", 0) if denied or line.has("bags none", "carry-on only", "only carry-on") else None
    )


def _part_before(line: Line, place: int) -> tuple[str, ...]:
    """The few words before a place, back to a comma."""
    ahead = line.before(place, 4)
    last = max((n for n, each in enumerate(ahead) if each == ","), default=-1)
    return ahead[last + 1 :]


def _count_at(line: Line, place: int, nouns: list[int]) -> Told | None:
    many = number(line.words[place])
    if many is None or (line.words[place] in {"a", "an", "single"} and not nouns):
        return None
    after, ahead = line.after(place + 1, 4), set(line.before(place, 3))
    noun = any(
        place < each <= place + 4 and set(line.words[place + 1 : each]) <= _KINDS for each in nouns
    )
    total = any(" ".join(after).startswith(each) for each in _TOTAL)
    bare = (
        set(after[:1]) & {"more", "extra", "additional", "further"}
        or line.words[place] == "another"
    )
    if not (noun or total or (bare and _of_bags(line))) or (ahead & _HAD and "to" not in ahead):
        return None
    if many > 20 or (ahead & _DENY and line.words[place] in {"a", "one"}):
        return None
    if line.has("each", "per person", "per passenger", "apiece"):
        return "each", many
    if line.has("remove", "off", "take out", "drop") and not line.has("drop off"):
        return "more", -many
    more = bool((_MORE & {*ahead, *after[:2]}) or bare) and not (total or line.has(*_TOTAL[:3]))
    return "more" if more else "total", many


def _of_bags(line: Line) -> bool:
    """Whether a bare "two more" can be about bags: nothing else is named that is counted."""
    others = {"flight", "ticket", "seat", "passenger", "person", "people", "day", "days", "option"}
    return not others & set(line.words)


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
        if "?" in line.words:
            continue
        for part in line.parts():
            named = [
                n for n, each in enumerate(part.words) if each.startswith(("insur", "assurance"))
            ]
            if named:
                denied = bool(_DENY & set(part.words))
                found = not denied
    return found
