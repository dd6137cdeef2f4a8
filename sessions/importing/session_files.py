"""Read our own session files: raw events, each verified against the hash chain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from sessions.events import Logged, SessionStarted
from sessions.importing import reading
from sessions.store.chain import Row, verify_chain
from sessions.store.errors import ImportRefused, StoreError
from sessions.store.ids import is_session_id

FORMAT = "saber-console/sessions"
"""The format name in the first line of such a file."""

VERSION = 1

MOST_EVENTS = 1_000_000
"""The most events in one session; more than a year of talking without a pause."""

_TYPES = {"seq": int, "type": str, "v": int, "at": str, "prev_hash": str, "hash": str}

Numbered = tuple[int, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Session:
    """One session from a file, after its hash chain has been verified."""

    log: list[Logged]
    rows: list[Row]


def detect(path: Path) -> bool:
    """Whether a file claims to hold our sessions; raises ImportRefused if it is no regular file."""
    return reading.first_line_has_key(path, "format")


def sessions(path: Path) -> Iterator[Session]:
    """Yield the sessions of a file, with only one in memory at a time.

    Raises ImportRefused at the first session that is incomplete, was altered, or is not ours.
    """
    lines = reading.read_json_lines(path)
    _header(path, next(lines, (1, {}))[1])
    head: Numbered | None = None
    for is_head, group in groupby(lines, key=lambda line: "session" in line[1]):
        if is_head:
            *empty, head = group
            if empty:
                raise _wrong(path, empty[0][0], "this session has no events")
        elif head is None:
            raise _wrong(path, next(group)[0], "this event belongs to no session")
        else:
            yield _session(path, head, group)
            head = None
    if head is not None:
        raise _wrong(path, head[0], "this session has no events")


def _header(path: Path, line: dict[str, Any]) -> None:
    if line.get("format") != FORMAT:
        raise ImportRefused(
            f"{path} is not a file of sessions: its first line is not their header."
        )
    if line.get("version") != VERSION:
        raise ImportRefused(
            f"{path} was written by a newer version of this program; update the program."
        )


def _session(path: Path, head: Numbered, lines: Iterator[Numbered]) -> Session:
    number, told = head
    name, events, last = told.get("session"), told.get("events"), told.get("head")
    if not (isinstance(name, str) and is_session_id(name)):
        raise _wrong(path, number, "this is not a session id")
    if type(events) is not int or not isinstance(last, str):
        raise _wrong(path, number, "the header of this session does not say where it ends")
    if events > MOST_EVENTS:
        raise _wrong(path, number, f"this session has more than {MOST_EVENTS:,} events")
    rows = [_row(path, name, line) for line in lines]
    try:
        log = list(verify_chain(name, rows, events, last))
    except StoreError as error:
        raise ImportRefused(f"{path}: {error} It was not imported.") from error
    _must_be_a_log(path, number, log, rows)
    return Session(log, rows)


def _must_be_a_log(path: Path, number: int, log: list[Logged], rows: list[Row]) -> None:
    """Check what the store relies on beyond the hashes, since anyone can compute valid hashes."""
    if not isinstance(log[0].event, SessionStarted):
        raise _wrong(path, number, "this session does not begin with a session_started event")
    keys = [(logged.event.type, logged.event.key) for logged in log]
    if [(row.type, row.key) for row in rows] != keys:
        raise _wrong(path, number, "an event of this session has the wrong key")
    once = [each for each in keys if each[1] is not None]
    if len(set(once)) < len(once):
        raise _wrong(
            path, number, "something happens twice in this session that can happen only once"
        )


def _row(path: Path, session: str, line: Numbered) -> Row:
    number, told = line
    if any(type(told.get(name)) is not kind for name, kind in _TYPES.items()):
        raise _wrong(path, number, "this is not an event")
    key, payload = told.get("key"), told.get("payload")
    if not (key is None or isinstance(key, str)) or not isinstance(payload, dict):
        raise _wrong(path, number, "this is not an event")
    return Row(
        session, told["seq"], told["type"], key, told["v"], told["at"],
        json.dumps(payload, separators=(",", ":")), told["prev_hash"], told["hash"],
    )  # fmt: skip


def _wrong(path: Path, number: int, what: str) -> ImportRefused:
    return ImportRefused(f"{path}, line {number}: {what}. It was not imported.")
