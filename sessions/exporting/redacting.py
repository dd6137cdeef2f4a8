"""Replace personal values with stand-ins, which are the same for equal values within an export.

This replaces what the records hold about people: names, e-mail addresses, streets, postal codes,
birth dates, card digits and user ids, wherever a session repeats them. It does not guess what else
someone may have typed. People who labelled or reviewed a session are not customers and are in no
record; their names get stand-ins too.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from domains.core.domain import Domain
from domains.core.personal import PersonalFields, personal_values
from domains.core.records import Base
from sessions.events import ContextAssembled, Labelled, Logged, Reviewed
from sessions.store.errors import ExportError

Redact = Callable[[str], str]

KINDS_REPLACED_IN_ANY_CASE = frozenset({"user", "email", "street", "zip", "birth-date"})
"""Kinds whose values identify a person anywhere, in upper or lower case."""

KINDS_REPLACED_FOR_SESSION_ONLY = frozenset({"card", "city", "unit"})
"""Kinds that are replaced only for the people of a session; elsewhere they mean something else."""

JUDGE = "judge"
"""The prefix of the stand-ins for people who labelled or reviewed a session."""

SHORTEST = 2

_WORD = re.compile(r"\w+")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.+Z-]+")
_TOKEN_DIGITS = 10

_HOME = str(Path.home())
"""The user's home folder, which would reveal who they are."""


@dataclass(frozen=True, slots=True)
class Value:
    """A personal value in one of the spellings in which a text may contain it."""

    text: str
    kind: str
    meant: str
    """The value that this is a spelling of."""

    any_case: bool

    def stands_in(self, text: str, place: int) -> bool:
        """Whether the text has the value at this position and the value ends at a word boundary."""
        end = place + len(self.text)
        found = text[place:end]
        same = found == self.text or (self.any_case and found.casefold() == self.text.casefold())
        return same and not (end < len(text) and (text[end].isalnum() or text[end] == "_"))


Index = dict[str, list[Value]]
"""Personal values by their first word, longest first."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """Replaces personal values with stand-ins.

    Two exports have the same stand-ins only if they have the same seed.
    """

    seed: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)
    judges: frozenset[str] = frozenset()
    """Everyone who labelled or reviewed an exported session.

    One of them may mention another in any session.
    """

    def redactor_for(self, log: Sequence[Logged], domain: Domain) -> Redact:
        """Return a function that replaces the personal values in a text.

        It knows the values of this session's people in every spelling, and those of all other
        people on record. Raises ExportError for a domain that does not declare which of its records
        are personal.
        """
        if not domain.personal:
            raise ExportError(
                f"The domain {domain.name} does not say which of its records are about people, so "
                "nothing could be redacted reliably. Nothing was written."
            )
        index = _merge(
            _index_of_records(domain.base, tuple(domain.personal.items())),
            _index_of_session(log, domain),
        )
        return lambda text: self._redact(text, index)

    def without_judge_names(self, log: Sequence[Logged]) -> list[Logged]:
        """The log with stand-ins for the people who labelled or reviewed it, and for ``judges``.

        Only labels and reviews are changed, including their words, notes and tags. Elsewhere such a
        name may be an ordinary word.
        """
        own = {each.event.by for each in log if isinstance(each.event, Labelled | Reviewed)}
        if not own:
            return list(log)
        names = own | self.judges
        index = _index_values(Value(name, JUDGE, name, any_case=True) for name in names)
        return [self._nameless(each, index) for each in log]

    def _nameless(self, logged: Logged, index: Index) -> Logged:
        event = logged.event
        if not isinstance(event, Labelled | Reviewed):
            return logged
        told: dict[str, Any] = {"by": self.stand_in(JUDGE, event.by)}
        if isinstance(event, Labelled):
            told["note"] = self._redact(event.note, index)
            told["tags"] = tuple(self._redact(each, index) for each in event.tags)
        else:
            told["words"] = self._redact(event.words, index)
        return logged.model_copy(update={"event": event.model_copy(update=told)})

    def stand_in(self, kind: str, value: str) -> str:
        """The stand-in for a value: its kind, and digits that only the seed can reproduce."""
        meant = f"{kind}:{value.casefold()}".encode()
        return f"{kind}_{hmac.new(self.seed.encode(), meant, 'sha256').hexdigest()[:_TOKEN_DIGITS]}"

    def _redact(self, text: str, index: Index) -> str:
        if _TIME.fullmatch(text):
            return text
        text = text.replace(_HOME, "~") if len(_HOME) > 1 else text
        pieces, done = [], 0
        for place, length, kind, meant in _find_values(text, index):
            if place >= done:
                pieces += [text[done:place], self.stand_in(kind, meant)]
                done = place + length
        return "".join((*pieces, text[done:]))


def _find_values(text: str, index: Index) -> Iterator[tuple[int, int, str, str]]:
    """Yield the position, length, kind and meaning of each value in a text.

    E-mail addresses are found whether or not they are on record.
    """
    emails = {each.start(): each for each in _EMAIL.finditer(text)}
    for word in _WORD.finditer(text):
        place = word.start()
        if place in emails:
            yield place, len(emails[place][0]), "email", emails[place][0]
            continue
        for value in index.get(word[0].casefold(), ()):
            if value.stands_in(text, place):
                yield place, len(value.text), value.kind, value.meant
                break


def _index_of_session(log: Sequence[Logged], domain: Domain) -> Index:
    """Index the personal values in a session and in the records of the people it is about."""
    told = [logged.event.model_dump() for logged in log]
    found = set(personal_values(told, domain.personal))
    people = {value for kind, value in found if kind == "user"} | _recalled_words(log)
    records = [
        records[person]
        for records in domain.base.collections.values()
        for person in people
        if person in records
    ]
    found |= set(personal_values(records, domain.personal))
    return _index_values(
        Value(spelling, kind, value, any_case=True)
        for kind, value in found
        for spelling in _spellings(kind, value)
    )


def _recalled_words(log: Sequence[Logged]) -> set[str]:
    """The words of earlier conversations that the agent was given; they may name other people."""
    handed = (e.event.recalled for e in log if isinstance(e.event, ContextAssembled))
    return {word for each in handed for one in each for word in _WORD.findall(one.text)}


@cache
def _index_of_records(base: Base, kinds: tuple[tuple[str, str], ...]) -> Index:
    """Index the personal values of everyone on record, except kinds that are ambiguous."""
    known: PersonalFields = dict(kinds)
    collections = [list(records.values()) for records in base.collections.values()]
    return _index_values(
        Value(value, kind, value, any_case=kind in KINDS_REPLACED_IN_ANY_CASE)
        for kind, value in set(personal_values(collections, known))
        if kind not in KINDS_REPLACED_FOR_SESSION_ONLY
    )


def _index_values(found: Iterable[Value]) -> Index:
    index: Index = {}
    for value in found:
        first = _WORD.match(value.text)
        if first and len(value.text) >= SHORTEST:
            index.setdefault(first[0].casefold(), []).append(value)
    for listed in index.values():
        listed.sort(key=lambda each: (-len(each.text), each.kind, each.text))
    return index


def _merge(one: Index, other: Index) -> Index:
    found = dict(one)
    for word, listed in other.items():
        both = {*found.get(word, ()), *listed}
        found[word] = sorted(
            both, key=lambda each: (-len(each.text), each.kind, each.text, not each.any_case)
        )
    return found


def _spellings(kind: str, value: str) -> Iterator[str]:
    """Yield the spellings in which people write a value."""
    yield value
    if kind != "birth-date":
        return
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return
    month = day.strftime("%B")
    for name in (month, month[:3]):
        for number in (str(day.day), f"{day.day}{_ending(day.day)}"):
            yield from (f"{name} {number}, {day.year}", f"{name} {number} {day.year}")
            yield from (f"{number} {name} {day.year}", f"{number} of {name} {day.year}")
    for one, two in ((day.month, day.day), (day.day, day.month)):
        for mark in "/.-":
            yield f"{one:02}{mark}{two:02}{mark}{day.year}"
            yield f"{one}{mark}{two}{mark}{day.year}"
    yield f"{day.year}/{day.month:02}/{day.day:02}"


def _ending(day: int) -> str:
    if 10 <= day % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
