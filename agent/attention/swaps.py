"""Finds values on record that could be in a call by mistake.

Swaps come from what the agent has read: ids listed beside the true one, values of the same field
name, and values of the same pattern; numbers and dates are changed a little.
:mod:`agent.attention.altering` decides which swaps make sense and what is made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import chain, zip_longest
from random import Random
from typing import Any

Path = tuple[str | int, ...]
"""A position in a call's arguments: names and list indexes."""

FEWEST_CHARACTERS = 4
"""The minimum length of a text that is matched by its pattern; shorter ones match too many."""

MOST_OF_ONE = 12
"""The maximum number of swaps offered for one value."""

_LETTERS = re.compile(r"[A-Z]+|[a-z]+")
_SMALL = 10
"""Numbers below this are counts and are changed by one or two."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Another value at one position in a call's arguments."""

    path: Path
    old: Any
    new: Any

    def apply_to(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with the swap made; those given are not modified."""
        return dict(_with(arguments, self.path, self.new))


@dataclass(slots=True)
class Readings:
    """The values in records and results that the agent could confuse with one another."""

    beside: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    """For each text, the lists of texts and the sets of keys in which it occurs."""

    named: dict[str, list[Any]] = field(default_factory=dict)
    """For each field name, without *new* and the plural *s*, the values that it has anywhere."""

    patterned: dict[str, list[str]] = field(default_factory=dict)
    """For each pattern of letters and digits, the texts that have it."""

    def read(self, content: Any) -> None:
        """Add all values of a JSON value."""
        waiting: list[tuple[str, Any]] = [("", content)]
        while waiting:
            name, value = waiting.pop()
            if isinstance(value, dict):
                self._among(tuple(value))
                waiting += value.items()
            elif isinstance(value, list):
                self._among(tuple(each for each in value if isinstance(each, str)))
                waiting += ((name, each) for each in value)
            elif value is not None:
                self._value(name, value)

    def _among(self, texts: tuple[str, ...]) -> None:
        for text in texts:
            self.beside.setdefault(text, []).append(texts)
            self._pattern(text)

    def _value(self, name: str, value: Any) -> None:
        self.named.setdefault(_plain(name), []).append(value)
        if isinstance(value, str):
            self._pattern(value)

    def _pattern(self, text: str) -> None:
        if pattern := pattern_of(text):
            self.patterned.setdefault(pattern, []).append(text)

    def like(self, name: str, value: Any, chance: Random) -> list[Any]:
        """The values that this one could be mistaken for, the likeliest kind first."""
        kinds: list[Iterable[Any]] = [self.named.get(_plain(name), ())]
        if isinstance(value, str) and (day := _date(value)):
            kinds.append(_near(day))
        elif isinstance(value, str):
            kinds.insert(0, chain.from_iterable(self.beside.get(value, ())))
            kinds += [self.patterned.get(pattern_of(value), ()), _misread(value)]
        else:
            kinds.append(_amounts(value))
        found: dict[Any, None] = {}
        for kind in kinds:
            fitting = dict.fromkeys(each for each in kind if type(each) is type(value))
            found.update(dict.fromkeys(_shuffle(fitting, chance)))
        found.pop(value, None)
        return list(found)[:MOST_OF_ONE]


def swaps(
    arguments: Mapping[str, Any], schema: Mapping[str, Any], readings: Readings, chance: Random
) -> Iterator[Swap]:
    """Yield swaps of one value each in a random order, taking one per position in turn.

    `schema` describes the arguments (JSON schema). A value that must be one of a few choices comes
    last: customers seldom say which one they want.
    """
    choices = _choices(schema)
    leaves = [each for each in _leaves((), arguments) if each[0][0] not in choices]
    offered = [
        [Swap(path, old, new) for new in readings.like(_name(path), old, chance)]
        for path, old in _shuffle(leaves, chance)
    ]
    for turn in zip_longest(*offered):
        yield from (each for each in turn if each is not None)
    for name in _shuffle(choices.keys() & arguments.keys(), chance):
        for new in _shuffle(choices[name], chance):
            if new != arguments[name]:
                yield Swap((name,), arguments[name], new)


def pattern_of(text: str) -> str:
    """The pattern of a text: ``#A9999999`` for ``#W1234567``; empty if short or without digits."""
    if len(text) < FEWEST_CHARACTERS or not any(map(str.isdigit, text)):
        return ""
    letters = _LETTERS.sub(lambda found: "A" if found[0].isupper() else "a", text)
    return re.sub(r"\d", "9", letters)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == len("YYYY-MM-DD") else None
    except ValueError:
        return None


def _near(day: date) -> Iterator[str]:
    """Yield days that are easily mistaken for this one.

    They serve values such as a date of birth, for which the records have no other of the same name.
    """
    for days in (-1, 1, -10, 10):
        with suppress(OverflowError):
            yield (day + timedelta(days=days)).isoformat()


def _misread(text: str) -> Iterator[str]:
    """Yield the text with two adjacent digits swapped, as in a house number or postal code."""
    for place in range(len(text) - 1):
        one, other = text[place], text[place + 1]
        if one.isdigit() and other.isdigit() and "0" != one != other != "0":
            yield f"{text[:place]}{other}{one}{text[place + 2 :]}"


def _amounts(value: float) -> Iterator[float]:
    """Yield numbers that could be mistaken for this one."""
    if isinstance(value, bool):
        yield not value
        return
    steps = (1, -1, 2) if abs(value) < _SMALL else (10, -10, 50, -50, value)
    yield from (each for step in steps if (each := _round(value + step)) >= 0)


def _round(value: float) -> float:
    return value if isinstance(value, int) else round(value, 2)


def _choices(schema: Mapping[str, Any]) -> dict[str, Sequence[Any]]:
    properties: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
    return {name: each["enum"] for name, each in properties.items() if "enum" in each}


def _leaves(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _leaves((*path, name), each)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _leaves((*path, number), each)
    elif path and isinstance(value, str | int | float):
        yield path, value


def _name(path: Path) -> str:
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def _plain(name: str) -> str:
    return name.removeprefix("new_").removesuffix("s")


def _shuffle(values: Iterable[Any], chance: Random) -> list[Any]:
    """The values in a random order that does not depend on this process's order of sets."""
    listed = sorted(values, key=repr)
    chance.shuffle(listed)
    return listed


def _with(value: Any, path: Path, new: Any) -> Any:
    """A copy of a JSON value with another value at a path in it."""
    if not path:
        return new
    step: Any = path[0]
    if isinstance(value, list):
        return [*value[:step], _with(value[step], path[1:], new), *value[step + 1 :]]
    return {**value, step: _with(value[step], path[1:], new)}
