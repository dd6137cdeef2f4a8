"""Find sessions by what was said in them and by the facts in their rows, a page at a time.

The results are in the order of recording, newest or oldest first. A page costs about the same
however many sessions there are: filters are one pass over one index, matches are read in display
order, and the next page begins where the last one ended.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, get_args

from sessions.cleaning import clean
from sessions.events import Verdict
from sessions.store.excerpts import Excerpt, excerpts
from sessions.store.indexing import BITS, rowid_of, split_rowid
from sessions.store.listing import LIST, RESULT, SessionRow, tag
from sessions.store.store import Store
from sessions.store.without_pandas import Database

Result = Literal["right", "wrong", "open", "unscored"]
"""The result of a session: ``open`` means not ended yet, ``unscored`` means without a score."""

RESULTS: tuple[Result, ...] = get_args(Result)

_FEW = 500
"""Up to this many sessions are looked up one by one instead of reading all matches in order."""

_BEYOND = 1 << 38
"""Larger than any session's number."""

_THESE = "(SELECT value FROM json_each(:numbers))"
_PREFIX_MARK = " *"
_TERM = re.compile(r'"([^"]*)"?|(\S+)')
_EXACT = ("domain", "model", "scenario", "run")


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """The criteria of a search; a criterion that is not given does not matter."""

    words: str = ""
    """Words that one utterance must contain, all of them, in any order and case.

    A word also matches as a prefix, ``refund`` in ``refundable``; words ``"in quotes"`` match whole
    and adjacent.
    """

    domain: str | None = None
    model: str | None = None
    scenario: str | None = None
    run: str | None = None
    since: str | None = None
    """The earliest UTC date or date and time of beginning: ISO 8601, ``2026-11-21``."""

    until: str | None = None
    """The latest date or time of beginning; a date includes the whole day."""

    result: Result | None = None
    on: tuple[str, ...] = ()
    """Safeguards that must be on, by their names in :class:`~sessions.events.Safeguards`."""

    off: tuple[str, ...] = ()
    label: Verdict | None = None
    """A verdict in force on the session itself or on any of its events or cards.

    A search for ``wrong`` should find every session in which a reviewer found something wrong.
    """

    tag: str | None = None
    """A tag of any label in force in the session; case is ignored."""

    oldest_first: bool = False
    """The order of the results, and which match of a session is shown: the first or the last."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One search result."""

    row: SessionRow
    excerpt: Excerpt | None = None
    """None if the search has no words, or if the matching event was changed or damaged."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of search results, in order."""

    found: tuple[SearchResult, ...]
    next: int | None
    """The ``before`` for :func:`find` that gives the next page; None if this is the last page."""


def find(
    store: Store, wanted: SessionFilter, *, limit: int = 50, before: int | None = None
) -> Page:
    """A page of the matching sessions; raises StoreError.

    ``before`` is the ``next`` of the previous page. The words of a card are found only after the
    conversation has continued past it.
    """
    words = to_fts_query(wanted.words)
    if words == "" and wanted.words.strip():
        return Page((), None)
    with store.reading() as database:
        if not words:
            numbers = _fitting_sessions(database, wanted, limit + 1, before)
            shown: dict[int, Excerpt | None] = {}
        else:
            places = dict(map(split_rowid, _matches(database, words, wanted, limit + 1, before)))
            numbers = list(places)
            shown = excerpts(database, words, list(places.items())[:limit])
        fitting = [each for each in numbers[:limit] if each in shown or not words]
        rows = _rows(database, fitting, _order(wanted))
    found = tuple(SearchResult(row, shown.get(row.number)) for row in rows)
    return Page(found, numbers[limit - 1] if len(numbers) > limit else None)


def find_all(
    store: Store, wanted: SessionFilter, limit: int | None = None
) -> Iterator[SearchResult]:
    """Yield all matching sessions, or the first ``limit``, page by page; raises StoreError."""
    before, left = None, limit
    while left is None or left > 0:
        page = find(store, wanted, limit=min(500, left or 500), before=before)
        yield from page.found
        if page.next is None:
            return
        before, left = page.next, None if left is None else left - len(page.found)


def to_fts_query(words: str) -> str:
    """The user's words as an FTS5 query for SQLite; empty if they contain no word."""
    terms = []
    for quoted, plain in _TERM.findall(clean(words)):
        text = (quoted or plain).replace('"', " ")
        if any(map(str.isalnum, text)):
            terms.append(f'"{text}"' if quoted else f'"{text}"{_PREFIX_MARK}')
    return " ".join(terms)


def _order(wanted: SessionFilter) -> str:
    """The SQL sort direction of sessions and their matches."""
    return "ASC" if wanted.oldest_first else "DESC"


def _conditions(wanted: SessionFilter) -> tuple[str, dict[str, Any]]:
    given = {name: getattr(wanted, name) for name in _EXACT if getattr(wanted, name) is not None}
    conditions = [f"{name} = :{name}" for name in given]
    if wanted.since:
        conditions.append("created_at >= :since")
    if wanted.until:
        conditions.append("created_at <= :until || '~'")  # '~' sorts after any continuation of it
    if wanted.result:
        conditions.append(f"{RESULT} = :result")
    given |= {"since": wanted.since, "until": wanted.until, "result": wanted.result}
    switches = [*((name, 1) for name in wanted.on), *((name, 0) for name in wanted.off)]
    for count, (name, is_on) in enumerate(switches):
        conditions.append(f"(instr(' ' || safeguards || ' ', :switch{count}) > 0) = {is_on}")
        given[f"switch{count}"] = f" {name} "
    if wanted.label:
        conditions.append("instr(labels, :label) > 0")  # no verdict is part of another
    if wanted.tag is not None:
        conditions.append("instr(char(10) || tags || char(10), char(10) || :tag || char(10)) > 0")
        conditions.append(":tag <> ''")
    given |= {"label": wanted.label, "tag": tag(wanted.tag or "")}
    return " AND ".join(conditions), given


def _fitting_sessions(
    database: Database, wanted: SessionFilter, limit: int = -1, before: int | None = None
) -> list[int]:
    """The numbers of the sessions whose rows match, in order."""
    where, given = _conditions(wanted)
    beyond = ">" if wanted.oldest_first else "<"
    bound = f" AND number {beyond} :before" if before is not None else ""
    rows = database.execute(
        f"SELECT number FROM sessions WHERE {where or 'true'}{bound} "
        f"ORDER BY number {_order(wanted)} LIMIT :limit",
        {**given, "before": before, "limit": limit},
    )
    return [number for (number,) in rows]


def _matches(
    database: Database, words: str, wanted: SessionFilter, limit: int, before: int | None
) -> list[int]:
    """The last (or first) match of each matching session, in the order of sessions."""
    order = _order(wanted)
    in_order = _in_order(database, words, order, before)
    where, given = _conditions(wanted)
    if not where:
        return list(islice(in_order, limit))
    few = _fitting_sessions(database, wanted, _FEW + 1, before)
    if len(few) > _FEW:
        fitting = _fitting(database, in_order, where, given, order)
    elif few and _PREFIX_MARK in words:
        # SQLite expands a prefix to many words, and it would do so again for each query.
        fitting = _matches_in_one_query(database, words, few, order)
    else:
        fitting = _matches_per_session(database, words, few, order)
    return list(islice(fitting, limit))


def _matches_per_session(
    database: Database, words: str, numbers: Iterable[int], order: str
) -> Iterator[int]:
    """Yield the last (or first) match of each of these sessions that has one."""
    for number in numbers:
        rows = database.execute(
            "SELECT rowid FROM said_index WHERE said_index MATCH ? AND rowid >= ? AND rowid < ? "
            f"ORDER BY rowid {order} LIMIT 1",
            [words, rowid_of(number, 0), rowid_of(number + 1, 0)],
        )
        yield from (found for (found,) in rows)


def _matches_in_one_query(
    database: Database, words: str, numbers: Sequence[int], order: str
) -> Iterator[int]:
    """Like :func:`_matches_per_session`, but in one query that reads all matches."""
    one = "min" if order == "ASC" else "max"
    rows = database.execute(
        f"SELECT {one}(rowid) FROM said_index WHERE said_index MATCH :words "
        f"AND rowid >> {BITS} IN {_THESE} GROUP BY rowid >> {BITS} ORDER BY 1 {order}",
        {"words": words, "numbers": json.dumps(numbers)},
    )
    yield from (found for (found,) in rows)


def _in_order(database: Database, words: str, order: str, before: int | None) -> Iterator[int]:
    """Yield the last (or first) match of each session that has one, in the order of sessions."""
    last = before
    if order == "ASC":
        bound, at = "rowid >= ?", rowid_of(0 if before is None else before + 1, 0)
    else:
        bound, at = "rowid < ?", rowid_of(_BEYOND if before is None else before, 0)
    for (found,) in database.execute(
        f"SELECT rowid FROM said_index WHERE said_index MATCH ? AND {bound} ORDER BY rowid {order}",
        [words, at],
    ):
        number, _ = split_rowid(found)
        if number != last:
            last = number
            yield found


def _fitting(
    database: Database, matches: Iterator[int], where: str, given: dict[str, Any], order: str
) -> Iterator[int]:
    """Yield the matches whose sessions' rows match the conditions, in ever larger batches."""
    lot = max(_FEW, 1)
    while found := list(islice(matches, lot)):
        numbers = {split_rowid(each)[0]: each for each in found}
        fits = database.execute(
            f"SELECT number FROM sessions WHERE number IN {_THESE} AND {where} "
            f"ORDER BY number {order}",
            {**given, "numbers": json.dumps(list(numbers))},
        )
        yield from [numbers[number] for (number,) in fits]
        lot *= 2


def _rows(database: Database, numbers: Sequence[int], order: str) -> list[SessionRow]:
    rows = database.execute(
        f"{LIST} WHERE number IN {_THESE} ORDER BY number {order}", {"numbers": json.dumps(numbers)}
    )
    return [SessionRow(*row) for row in rows]
