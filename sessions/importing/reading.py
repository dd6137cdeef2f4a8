"""Read untrusted files: their size is bounded before parsing, and they are treated only as data.

A small file can unfold into gigabytes of empty lists. The limits therefore cover both the bytes of
a file and the number of values they stand for.
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
"""The most bytes of a document; some ten times the largest published one."""

MOST_VALUES = 10_000_000
"""The most values in a document; they take less than a gigabyte of memory, whatever they are."""

LONGEST_LINE = 64 * MB
"""The most bytes of one line, that is, of one event in a file of sessions."""


def read_json(path: Path) -> Any:
    """Parse a file as JSON; raises ImportRefused with what is wrong with it."""
    _refuse_non_file(path)
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


def read_json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the JSON objects of a file with one per line, each with its line number from 1.

    Keeps only one line in memory at a time. Raises ImportRefused.
    """
    _refuse_non_file(path)
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(LONGEST_LINE + 1):
                number += 1
                yield number, _object(line, f"{path}, line {number}")
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror}.") from error


def first_line_has_key(path: Path, name: str) -> bool:
    """Whether the first line is a JSON object with that key.

    A first line that is not JSON gives False. Raises ImportRefused if the path is not a regular
    file that can be read.
    """
    _refuse_non_file(path)
    try:
        with path.open("rb") as file:
            first = file.readline(4096)
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror}.") from error
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and name in value


def _refuse_non_file(path: Path) -> None:
    """Refuse anything but a regular file: reading a pipe or a device might never end."""
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
