"""The browser's search line: words with filters like ``domain:retail`` among them.

A filter is a name, a colon and a value, which is quoted if it contains spaces. Everything else is
searched for in what was said; a word that looks like a filter has to be quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, get_args

from sessions.events import Safeguards, Verdict
from sessions.store.finding import RESULTS, SessionFilter

Known = Mapping[str, Sequence[str]]
"""The values that occur in sessions, by the name of the filter."""


@dataclass(frozen=True, slots=True)
class Filter:
    """One kind of filter."""

    meaning: str
    values: tuple[str, ...] = ()
    """All values that it can have; empty if it can have any."""


_SWITCHES = tuple(name for name, value in Safeguards() if isinstance(value, bool))
_DATE = "a date, 2026-11-21, or 2026-11-21T14:30 (UTC)"

FILTERS: Mapping[str, Filter] = {
    "domain": Filter("the domain it was held in"),
    "model": Filter("the agent that answered"),
    "scenario": Filter("the id of the role that was played"),
    "run": Filter("the headless run that it belongs to"),
    "since": Filter(f"begun then or later: {_DATE}"),
    "until": Filter(f"begun then or earlier: {_DATE}"),
    "result": Filter("how it came out", RESULTS),
    "label": Filter("a person's verdict on it or anything in it", get_args(Verdict)),
    "tag": Filter("a tag of one of its labels"),
    "on": Filter("a safeguard that is on", _SWITCHES),
    "off": Filter("a safeguard that is off", _SWITCHES),
    "sort": Filter("which come first", ("newest", "oldest")),
}
"""Every filter by name; except for ``sort``, that is also its field in :class:`SessionFilter`."""

SEVERAL = ("on", "off")
"""Filters that may occur more than once."""

_DATES = ("since", "until")
_AS_OPTIONS = {"from": "since", "to": "until"}
"""The names of the options of ``saber sessions``, which are understood as well."""


_PIECE = re.compile(r'([a-zA-Z]+):"((?:[^"]|"")*)"?|"([^"]*)"?|(\S+)')
_NAMED = re.compile(r"([a-zA-Z]+):(.*)", re.DOTALL)
_MOMENT = re.compile(r"\d{4}-\d\d(-\d\d(T\d\d:\d\d(:\d\d)?)?)?")
_PART_OF_MOMENT = re.compile(r"[\d:T-]*")


class QueryError(ValueError):
    """The line has an invalid filter; the message is a sentence that says what is valid.

    ``unfinished`` is whether that part of the line may be the beginning of something valid. In that
    case ``before`` is the query without it, if it is at the end of the line.
    """

    def __init__(self, sentence: str, *, unfinished: bool = False) -> None:
        super().__init__(sentence)
        self.unfinished = unfinished
        self.before: SessionFilter | None = None


def parse(line: str, known: Known = MappingProxyType({})) -> SessionFilter:
    """The query that a line stands for; raises QueryError.

    A value at the end of the line that is only the beginning of known ones counts as unfinished; a
    space after it, or quotes, mark it as finished.
    """
    try:
        _refuse_unfinished_value(line, known)
        return _parse(line)
    except QueryError as error:
        if error.unfinished:
            with suppress(QueryError):
                error.before = _parse(line.removesuffix(_last(line)))
        raise


def _refuse_unfinished_value(line: str, known: Known) -> None:
    named = _NAMED.fullmatch(_last(line))
    values = known.get(_name(named[1]), ()) if named else ()
    if named and named[2] not in values and any(each.startswith(named[2]) for each in values):
        raise QueryError(hint(line, known), unfinished=True)


def _parse(line: str) -> SessionFilter:
    words: list[str] = []
    given: dict[str, Any] = {}
    for name, value in _pieces(line):
        if name is None:
            words.append(value)
        elif name in SEVERAL:
            earlier = given.get(name, ())
            given[name] = earlier if value in earlier else (*earlier, value)
        elif name in given:
            raise QueryError(f"{name}: is given twice.")
        else:
            given[name] = value
    oldest_first = given.pop("sort", "") == "oldest"
    return SessionFilter(words=" ".join(words), oldest_first=oldest_first, **given)


def write_query(wanted: SessionFilter) -> str:
    """The line for a query, whose words must be in the form that :func:`parse` returns."""
    found = [wanted.words] if wanted.words else []
    for name in (each for each in FILTERS if each != "sort"):
        value = getattr(wanted, name)
        values = value if name in SEVERAL else () if value is None else (value,)
        found += [_filter(name, each) for each in values]
    return " ".join([*found, *(["sort:oldest"] if wanted.oldest_first else [])])


def with_filter(wanted: SessionFilter, name: str, value: str) -> SessionFilter:
    """The query with one more filter, or with another value for it; raises QueryError."""
    given = parse(_filter(name, value))
    if name == "sort":
        return replace(wanted, oldest_first=given.oldest_first)
    changed: dict[str, Any] = {name: getattr(given, name)}
    if name in SEVERAL:
        others = (each for each in getattr(wanted, name) if each != value)
        changed[name] = (*others, value)
    return replace(wanted, **changed)


def _filter(name: str, value: str) -> str:
    """A filter as it is written in a line."""
    return f"{name}:{_quote(value)}"


def hint(line: str, known: Known) -> str:
    """The hint on what to type: the values of the filter at the end, or all filter names."""
    named = _NAMED.fullmatch(_last(line))
    name = _name(named[1]) if named else ""
    if name not in FILTERS:
        return " ".join(f"{each}:" for each in FILTERS)
    values = FILTERS[name].values or known.get(name, ())
    told = f": {', '.join(values)}" if values else ""
    return f"{name}: {FILTERS[name].meaning}{told}"


def complete(line: str, known: Known) -> str | None:
    """The line with its last filter or value completed, or None if nothing completes it."""
    last = _last(line)
    named = _NAMED.fullmatch(last)
    if named is None:
        begun = last.lower()
        options = [f"{name}:" for name in FILTERS] if len(begun) > 1 else []
    else:
        name, begun = _name(named[1]), named[2]
        values = FILTERS[name].values or known.get(name, ()) if name in FILTERS else ()
        options = [_quote(each) for each in values]
    if begun in options:
        return None
    return next((line + each[len(begun) :] for each in options if each.startswith(begun)), None)


def _pieces(line: str) -> Iterator[tuple[str | None, str]]:
    """Yield the filters of a line by name, and its other words with None as the name."""
    for match in _PIECE.finditer(line):
        name, value, phrase, plain = match.groups()
        if plain is not None and not (named := _NAMED.fullmatch(plain)):
            yield None, plain
        elif plain is not None and named:
            kind = _name(named[1])
            yield kind, _check_value(kind, named[2])
        elif name is not None:
            yield _name(name), _check_value(_name(name), value.replace('""', '"'), quoted=True)
        elif phrase.strip():
            yield None, f'"{phrase}"'


def _name(typed: str) -> str:
    return _AS_OPTIONS.get(typed.lower(), typed.lower())


def _check_value(name: str, value: str, *, quoted: bool = False) -> str:
    """The value of a filter; raises QueryError if the filter cannot have it."""
    kind = FILTERS.get(name)
    if kind is None:
        raise QueryError(
            f"There is no {name}: filter. Put it in quotes to search for it literally."
        )
    if kind.values and value not in kind.values:
        begun = any(each.startswith(value) for each in kind.values)
        raise QueryError(_value_hint(name, kind), unfinished=begun)
    if not value and not quoted:
        raise QueryError(_value_hint(name, kind), unfinished=True)
    if name in _DATES and not _is_moment(value):
        unfinished = _PART_OF_MOMENT.fullmatch(value) is not None
        raise QueryError(f"{name}: takes {_DATE}.", unfinished=unfinished)
    return value


def _is_moment(value: str) -> bool:
    if not _MOMENT.fullmatch(value) or not value.isascii():
        return False
    try:
        datetime.fromisoformat(value if len(value) > 7 else f"{value}-01")
    except ValueError:
        return False
    return True


def _value_hint(name: str, kind: Filter) -> str:
    """A sentence on the values that a filter can have."""
    if not kind.values:
        return f"{name}: {kind.meaning}."
    *others, last = kind.values
    return f"{name}: is {', '.join(others)} or {last}."


def _quote(value: str) -> str:
    if value and not re.search(r'[\s"]', value):
        return value
    return '"' + value.replace('"', '""') + '"'


def _last(line: str) -> str:
    """The last word of the line; empty if the line ends in a space."""
    match = re.search(r"\S+\Z", line)
    return match[0] if match else ""
