"""Reading a file that somebody else wrote: bounded before it is parsed, and never more than data.

A small file can unfold into gigabytes of empty lists, so that what counts is not only how many
bytes there are, but also how many values they stand for.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sessions.store.errors import ImportRefused

MB = 1024 * 1024
LARGEST = 256 * MB
"""Bytes of the largest document; some ten times the largest that was published."""

MOST_VALUES = 10_000_000
"""Values in one document: under a gigabyte of memory, whatever they are."""

LONGEST_LINE = 64 * MB
"""Bytes of one event in a file of sessions."""


def document(path: Path) -> Any:
    """A file's content as JSON; ImportRefused says what is wrong with it."""
    _must_be_a_file(path)
    try:
        if path.stat().st_size > LARGEST:
            raise ImportRefused(
                f"{path} is larger than {LARGEST // MB} MB, the most that is read at once; "
                "split it into several files."
            )
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ImportRefused(f"{path} is not UTF-8 text (byte {error.start}).") from error
    if text.count(",") + text.count("[") + text.count("{") > MOST_VALUES:
        raise ImportRefused(
            f"{path} holds more than {MOST_VALUES:,} values, the most that is read at once; "
            "split it into several files."
        )
    return _parse(text, str(path))


def lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file that has one in each line, with the lines' numbers, from 1.

    Raises ImportRefused; only a line at a time is in memory.
    """
    _must_be_a_file(path)
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(LONGEST_LINE + 1):
                number += 1
                yield number, _object(line, f"{path}, line {number}")
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror}.") from error


def begins_with_an_object_that_has(path: Path, name: str) -> bool:
    """Whether the first line is a JSON object with that key; never raises for what is no JSON."""
    _must_be_a_file(path)
    with path.open("rb") as file:
        first = file.readline(4096)
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and name in value


def _must_be_a_file(path: Path) -> None:
    """A pipe or a device would keep the program waiting, or never end."""
    if not path.exists():
        raise ImportRefused(f"There is no file {path}.")
    if not path.is_file():
        raise ImportRefused(f"{path} is not a file.")


def _object(line: bytes, place: str) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise ImportRefused(f"{place} is longer than {LONGEST_LINE // MB} MB.")
    try:
        value = _parse(line.decode("utf-8"), place)
    except UnicodeDecodeError as error:
        raise ImportRefused(f"{place} is not UTF-8 text.") from error
    if not isinstance(value, dict):
        raise ImportRefused(f"{place} is not a JSON object.")
    return value


def _parse(text: str, place: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise ImportRefused(
            f"{place} is not valid JSON: {error.msg} in line {error.lineno}, column {error.colno}."
        ) from error
    except ValueError as error:
        fault = "a number in it is out of range"
        raise ImportRefused(f"{place} is not valid JSON: {fault}.") from error
    except RecursionError:
        raise ImportRefused(f"{place} is nested too deeply.") from None


def _no_number(name: str) -> Any:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
