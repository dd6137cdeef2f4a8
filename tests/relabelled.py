"""τ²-bench's airline and recorded runs on it with everything called something else.

Every person, id, flight number, card number, date and amount is replaced by another of its kind,
chosen by a seed, in records, tasks, calls and words alike, in each spelling that occurs. What
holds of the one then holds of the other: the same calls succeed, and the same of them are wrong.
A rule of the comparison that has learned a case by heart does not survive it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from random import Random
from string import ascii_uppercase, digits
from typing import Any

from domains.airline.schema import NOW

Document = Any
"""What a JSON file holds."""

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_MONTH = "|".join(_MONTHS)
_PATTERN = re.compile(
    r"(?P<iso>\b\d{4}-\d\d-\d\d(?!\d))"
    rf"|\b(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?P<nth>st|nd|rd|th)?\b"
    r"(?:(?P<to> and | to | ?[-–] ?)(?P<until>\d{1,2})(?P<nth2>st|nd|rd|th)?\b)?"
    r"(?:(?P<comma>,? )(?P<year>\d{4})\b)?"
    r"|\$(?P<amount>\d{1,3}(?:,\d{3})+|\d+)(?P<cents>\.\d\d)?"
    r"|\b(?P<first>[a-z]+)(?P<dot>[._])(?P<last>[a-z]+)(?P<number>_?\d{4})\b"
    r"|(?P<method>(?<=_)\d{7}\b|\b\d{7}\b)"
    r"|\bHAT(?P<flight>\d{3})\b"
    r"|(?P<ending>(?<=ending in )\d{4}\b|(?<![\d$,.:-])\b(?!19\d\d|20[0-2]\d)\d{4}\b(?![,:]\d))"
    r"|\b(?P<word>\w+)\b"
)
_BORN_BEFORE = 2015
"""A date of an earlier year is one of birth."""

AMOUNTS = frozenset(("amount", "price"))
"""Fields that hold dollars; so does every field of ``prices``."""


class Relabelling:
    """What everything is called instead."""

    def __init__(self, seed: int, records: Document) -> None:
        dice = Random(seed)
        self.factor = dice.choice((2, 3, 4, 6, 7))
        """By what every amount is multiplied."""

        self._flies = timedelta(days=dice.randrange(20, 300))
        self._born = timedelta(days=dice.randrange(-900, 900))
        self._digits = str.maketrans(digits, _shuffled(dice, digits))
        self._letters = str.maketrans(ascii_uppercase, _shuffled(dice, ascii_uppercase))
        names = sorted(set(_names(records)))
        self._names = dict(zip(names, dice.sample(names, len(names)), strict=True))
        self._reservations = frozenset(records["reservations"])
        self._texts: dict[str, str] = {}

    @cached_property
    def _lower_names(self) -> Mapping[str, str]:
        return {old.lower(): new.lower() for old, new in self._names.items()}

    def value(self, value: Document, field: str = "") -> Document:
        """A value of any shape; the numbers among them that are dollars go by their field."""
        match value:
            case dict():
                inner = "amount" if field == "prices" else ""
                return {self.text(k): self.value(v, inner or k) for k, v in value.items()}
            case list():
                return [self.value(each, field) for each in value]
            case str() if field == "last_four":
                return value.translate(self._digits)
            case str():
                return self.text(value)
            case int() | float() if field in AMOUNTS and not isinstance(value, bool):
                return value * self.factor
            case _:
                return value

    def text(self, text: str) -> str:
        """Words, or an id."""
        known = self._texts.get(text)
        if known is None:
            known = self._texts[text] = _PATTERN.sub(self._instead, text)
        return known

    def day(self, day: date) -> date:
        """Another day; those of birth move by another number of days."""
        return day + (self._born if day.year < _BORN_BEFORE else self._flies)

    def _instead(self, found: re.Match[str]) -> str:
        if found["iso"]:
            return self.day(date.fromisoformat(found["iso"])).isoformat()
        if found["month"]:
            return self._days(found)
        if found["amount"]:
            return self._amount(found)
        if found["first"]:
            return self._user(found)
        if found["word"]:
            return self._word(found["word"])
        return found[0].translate(self._digits)

    def _days(self, found: re.Match[str]) -> str:
        """``May 20``, ``May 20th, 2024``, ``May 19th and 20th``."""
        year, month = int(found["year"] or NOW[:4]), _MONTHS.index(found["month"]) + 1
        begins = self.day(date(year, month, int(found["day"])))
        told = f"{begins:%B} {_nth(begins.day, found['nth'])}"
        ends = begins
        if found["until"]:
            ends = self.day(date(year, month, int(found["until"])))
            other = "" if ends.month == begins.month else f"{ends:%B} "
            told += f"{found['to']}{other}{_nth(ends.day, found['nth2'])}"
        return told + (f"{found['comma']}{ends.year}" if found["year"] else "")

    def _amount(self, found: re.Match[str]) -> str:
        cents = round(100 * float(found["amount"].replace(",", "") + (found["cents"] or "")))
        more = "," if "," in found["amount"] or len(found["amount"]) < 4 else ""
        return f"${cents * self.factor / 100:{more}.{2 if found['cents'] else 0}f}"

    def _user(self, found: re.Match[str]) -> str:
        """``mia_li_3668``, and the beginning of ``mia.li3818@example.com``."""
        first, last = (
            self._lower_names.get(found[each], found[each]) for each in ("first", "last")
        )
        return f"{first}{found['dot']}{last}{found['number'].translate(self._digits)}"

    def _word(self, word: str) -> str:
        """A name, or a reservation's id; any other word stays."""
        if word in self._reservations:
            return word.translate(self._digits).translate(self._letters)
        return self._names.get(word, word)

    def run(self, run: Document) -> Document:
        """A recorded run; what its tools gave back is made anew by whoever plays it."""
        info = {**run["info"], "task": self.value(run["info"]["task"])}
        return {**run, "info": info, "traj": [self._message(each) for each in run["traj"]]}

    def _message(self, message: Document) -> Document:
        if message["role"] == "user":
            return self.value(message)
        if message["role"] != "assistant":
            return message
        calls = [self._call(each) for each in message.get("tool_calls") or ()]
        content = message["content"] and self.text(message["content"])
        return {**message, "content": content, "tool_calls": calls or None}

    def _call(self, call: Document) -> Document:
        arguments = self.value(json.loads(call["function"]["arguments"]))
        return {**call, "function": {**call["function"], "arguments": json.dumps(arguments)}}


def relabelled(seed: int, records: Document, runs: Sequence[Document], folder: Path) -> Relabelling:
    """Write both into a folder under other names: ``airline/db.json`` and ``runs.json``.

    The policy is not among them: nothing that makes a card reads its words.
    """
    made = Relabelling(seed, records)
    (folder / "airline").mkdir()
    moved = {**made.value(records), "now": made.text(records.get("now", NOW))}
    (folder / "airline" / "db.json").write_text(json.dumps(moved))
    (folder / "airline" / "policy.md").write_text("# Airline Agent Policy\n")
    (folder / "runs.json").write_text(json.dumps([made.run(each) for each in runs]))
    return made


def _names(records: Document) -> Iterator[str]:
    for user in records["users"].values():
        for person in (user["name"], *user["saved_passengers"]):
            yield from (person["first_name"], person["last_name"])
    for reservation in records["reservations"].values():
        for person in reservation["passengers"]:
            yield from (person["first_name"], person["last_name"])


def _shuffled(dice: Random, letters: str) -> str:
    return "".join(dice.sample(letters, len(letters)))


def _nth(day: int, like: str | None) -> str:
    """``20``, or ``20th`` where it was told like that."""
    if not like:
        return str(day)
    last = 0 if 10 < day < 20 else day % 10
    return f"{day}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"
