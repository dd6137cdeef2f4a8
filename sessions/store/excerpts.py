"""The texts that a search found, as they were said, with the matches marked.

The search index stores no texts, so they are read from the log, and each row is verified.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sessions.cleaning import clean
from sessions.events import AgentSaid, AnyEvent, CardShown, CustomerSaid, DecisionMade
from sessions.store.chain import Row, event_of
from sessions.store.errors import StoreError
from sessions.store.schema import SAID_INDEX_COLUMNS
from sessions.store.without_pandas import Database

Speaker = Literal["customer", "agent", "card", "decision"]
"""The speaker of a text; a card's sentence and the words of a decision have their own values."""

_AROUND = 24
"""The length of an excerpt in words."""

_OPEN, _CLOSE = "\x02", "\x03"
"""The markers around a match in SQLite's excerpt; cleaned text contains neither."""

_EVENT = (
    f"SELECT {', '.join(f'events.{name}' for name in Row._fields)} FROM events "
    "JOIN sessions ON sessions.id = session_id WHERE number = ? AND seq = ?"
)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The last text of a session that matches a search, or the first if that was requested."""

    seq: int
    speaker: Speaker
    parts: tuple[tuple[str, bool], ...]
    """Pieces of the text in order, each with whether it is a match."""


def excerpts(
    database: Database, words: str, places: Sequence[tuple[int, int]]
) -> dict[int, Excerpt | None]:
    """The excerpt at each place, by session number.

    None if the event cannot be read or fails verification; a session whose text no longer matches
    is missing.
    """
    events = {number: _event_at(database, number, seq) for number, seq in places}
    said = {number: _speech(event) for number, event in events.items() if event is not None}
    marked = _mark_matches(words, {number: text for number, (_, text) in said.items()})
    whole = {
        number: Excerpt(seq, said[number][0], tuple(_parts(marked[number])))
        for number, seq in places
        if number in marked
    }
    return {number: None for number, event in events.items() if event is None} | whole


def _event_at(database: Database, number: int, seq: int) -> AnyEvent | None:
    row = database.execute(_EVENT, [number, seq]).fetchone()
    try:
        return event_of(Row._make(row)) if row else None
    except StoreError:
        return None


def _speech(event: AnyEvent) -> tuple[Speaker, str]:
    """The speaker, and the words on one line, as they are indexed."""
    speaker: Speaker
    match event:
        case CustomerSaid():
            speaker, text = "customer", event.text
        case AgentSaid():
            speaker, text = "agent", event.text
        case CardShown():
            speaker, text = "card", event.card.sentence
        case DecisionMade():
            speaker, text = "decision", event.words
        case _:
            speaker, text = "agent", ""
    return speaker, " ".join(clean(text).split())


def _mark_matches(words: str, texts: dict[int, str]) -> dict[int, str]:
    """Excerpts with their matches marked, made by the same kind of index over these texts only."""
    small = Database(memory=True)
    try:
        columns = SAID_INDEX_COLUMNS.replace("content='', columnsize=0, ", "")
        small.execute(f"CREATE VIRTUAL TABLE texts USING fts5({columns})")
        for number, text in texts.items():
            small.execute("INSERT INTO texts(rowid, text) VALUES (?, ?)", [number, text])
        rows = small.execute(
            "SELECT rowid, snippet(texts, 0, ?, ?, '…', ?) FROM texts WHERE texts MATCH ?",
            [_OPEN, _CLOSE, _AROUND, words],
        )
        return dict(rows.fetchall())
    finally:
        small.close()


def _parts(marked: str) -> Iterator[tuple[str, bool]]:
    for piece in re.split(f"({_OPEN}[^{_CLOSE}]*{_CLOSE})", marked):
        if piece:
            yield piece.strip(_OPEN + _CLOSE), piece.startswith(_OPEN)
