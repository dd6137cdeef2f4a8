"""The words that a search found, as they were said, with what fits marked.

The index that is searched holds no texts: those are read from the log, each row checked.
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
from sessions.store.migrations import SAID_INDEX_COLUMNS
from sessions.store.sqlite import Database

Speaker = Literal["customer", "agent", "card", "decision"]
"""Whose words: a card's sentence, and what was said in deciding on one, are their own."""

_AROUND = 24
"""Words of an excerpt."""

_OPEN, _CLOSE = "\x02", "\x03"
"""What marks a match in SQLite's excerpt; cleaned text has neither."""

_EVENT = (
    f"SELECT {', '.join(f'events.{name}' for name in Row._fields)} FROM events "
    "JOIN sessions ON sessions.id = session_id WHERE number = ? AND seq = ?"
)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The last words of a session that fit a search."""

    seq: int
    speaker: Speaker
    parts: tuple[tuple[str, bool], ...]
    """Pieces of the text in order, and whether each is what was looked for."""


def excerpts(
    database: Database, words: str, places: Sequence[tuple[int, int]]
) -> dict[int, Excerpt | None]:
    """What was said at each place, by session; only where it is what was looked for."""
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
    """Who said it, and the words on one line, as the index has them."""
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
    """Excerpts with their matches marked: by the same index, of these texts alone."""
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
