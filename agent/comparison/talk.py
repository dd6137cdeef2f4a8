"""What has been said and read in a conversation, split into sentences once as it is said."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from operator import or_

from agent.comparison.amounts import limit_in
from agent.comparison.assent import agrees
from agent.comparison.sentences import Sentence, sentences
from agent.comparison.utterance import Utterance
from agent.comparison.word_index import WordIndex
from sessions.events import (
    AgentSaid,
    AnyEvent,
    CustomerSaid,
    DecisionMade,
    Logged,
    ToolReturned,
    WriteApplied,
)
from sessions.log import Log

MAX_MESSAGES = 24
"""How many messages back a search goes, so that a card costs the same after a long conversation."""

_NUMBERED = re.compile(r"(?mi)^\W*(?:option\s+)?(?:\*\*)?(?:option\s+)?(\d{1,2})(?:[.):]|\*\*)\s*")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_POINTS = re.compile(
    r"(?:\b(?:option|number|choice|no\.?)|#)\s*(\d{1,2})\b(?!\s*(?:bag|pass|item))"
    rf"|\bthe ({'|'.join(_ORDINALS)})(?: (?:one|option|choice|flight|item|card))\b"
    rf"|\b({'|'.join(_ORDINALS)}) (?:one|option|choice)\b|\boption ({'one|two|three|four|five'})\b",
    re.IGNORECASE,
)
_SPELLED = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


@dataclass
class Talk:
    """The messages of a session, the position of the last write among them, and what was read."""

    utterances: list[Utterance] = field(default_factory=list)
    written: int = 0
    """How many messages there were at the last write that the customer has answered since.

    Writes that follow each other without a message from the customer belong to the same words.
    """

    read: list[str] = field(default_factory=list)
    """The results of look-ups and writes."""

    _unanswered: int | None = None
    _index: WordIndex = field(default_factory=WordIndex)
    _last_of_customer: list[Utterance] | None = None

    @classmethod
    def following(cls, log: Log) -> Talk:
        """Build the talk of a log and add to it everything that is appended to the log."""
        talk = cls()
        for logged in log.events:
            talk.add_logged(logged)
        log.subscribe(talk.add_logged)
        return talk

    def add_logged(self, logged: Logged) -> None:
        """Add the event of a log entry."""
        self.add(logged.event)

    def add(self, event: AnyEvent) -> None:
        """Add an event."""
        match event:
            case CustomerSaid():
                if self._unanswered is not None:
                    self.written, self._unanswered = self._unanswered, None
                self._take(self._customers(event.text))
            case DecisionMade(decision="reject" | "change") if event.words.strip():
                self._take(Utterance("customer", event.words))
            case AgentSaid(about_card=None) if event.text.strip():
                self._take(Utterance("agent", event.text))
            case ToolReturned(error=False) if event.tells_records:
                self.read.append(event.text)
            case WriteApplied():
                self._unanswered = len(self.utterances)
                self.read.append(event.result)
            case _:
                pass

    def _take(self, said: Utterance) -> None:
        """Split and store a message as it arrives, not while the customer waits for a card."""
        said = replace(said, place=len(self.utterances), index=self._index)
        said.prepare()
        if said.speaker == "customer":
            _ = agrees(said), limit_in([said])
        self._index.add(said.place, said.vocabulary)
        self._last_of_customer = None
        self.utterances.append(said)

    def _customers(self, text: str) -> Utterance:
        said = Utterance("customer", text)
        before = next((each for each in reversed(self.utterances)), None)
        if before is None or before.speaker != "agent":
            return said
        return replace(said, pointed_at=tuple(_list_items_meant(text, before.text)))

    def messages_with(self, said: Iterable[Utterance], *words: Collection[str]) -> list[Utterance]:
        """The messages that contain a word of any of these collections.

        Pass collections that outlive the call: see :meth:`WordIndex.places`.
        """
        places = reduce(or_, map(self._index.places, words))
        return [each for each in said if places >> each.place & 1] if places else []

    @property
    def since_write(self) -> list[Utterance]:
        """The messages since the last write, newest first; this write is about them."""
        return self.utterances[self.written :][: -MAX_MESSAGES - 1 : -1]

    @property
    def before_write(self) -> list[Utterance]:
        """The messages up to the last write, newest first."""
        return self.utterances[: self.written][: -MAX_MESSAGES - 1 : -1]

    @property
    def newest(self) -> list[Utterance]:
        """The latest messages of both sides, newest first."""
        return self.utterances[: -MAX_MESSAGES - 1 : -1]

    @property
    def last_of_customer(self) -> list[Utterance]:
        """The customer's messages among ``newest``."""
        if self._last_of_customer is None:
            self._last_of_customer = [each for each in self.newest if each.speaker == "customer"]
        return self._last_of_customer

    @property
    def last_told(self) -> Utterance | None:
        """The agent's latest message since the last write, or None."""
        return next((each for each in self.since_write if each.speaker == "agent"), None)

    def was_read(self, value: str) -> bool:
        """Whether the words of a value occur next to each other in anything that was read."""
        spoken = address_words(value)
        return any(_stands_in(spoken, text) for text in self._newest_read())

    def has_read(self, word: str) -> bool:
        """Whether a word occurs in anything that was read."""
        return any(word in text for text in self._newest_read())

    def _newest_read(self) -> Iterator[dict[str, tuple[int, ...]]]:
        return map(_places, self.read[: -MAX_MESSAGES - 1 : -1])


_SAME_WORD = {
    "street": "st", "avenue": "ave", "apartment": "apt", "suite": "ste", "road": "rd",
    "drive": "dr", "lane": "ln", "boulevard": "blvd", "court": "ct", "square": "sq",
    "place": "pl", "fort": "ft", "saint": "st", "north": "n", "south": "s", "east": "e",
    "west": "w",
}  # fmt: skip
_READ = re.compile(r"[^\W_]+")


def address_words(text: str) -> tuple[str, ...]:
    """The words of a name or an address, each in a single spelling: *street* becomes *st*."""
    return tuple(_SAME_WORD.get(word, word) for word in _READ.findall(text.lower()))


@lru_cache(maxsize=2 * MAX_MESSAGES)
def _places(text: str) -> dict[str, tuple[int, ...]]:
    """The positions of each word in a text that was read."""
    found: dict[str, list[int]] = {}
    for place, word in enumerate(address_words(text)):
        found.setdefault(word, []).append(place)
    return {word: tuple(places) for word, places in found.items()}


def _stands_in(spoken: tuple[str, ...], text: dict[str, tuple[int, ...]]) -> bool:
    rest = [(at, frozenset(text.get(word, ()))) for at, word in enumerate(spoken)]
    return bool(rest) and any(
        all(place + at in places for at, places in rest) for place in rest[0][1]
    )


def _list_items_meant(text: str, told: str) -> Iterator[Sentence]:
    """Yield the lines of the list in ``told`` that an answer such as *the second one* refers to."""
    pointed = [_number(found) for found in _POINTS.finditer(text)]
    if not pointed:
        return
    starts = list(_NUMBERED.finditer(told))
    for number in pointed:
        # in nested numbering the outer list counts: the first line with the number
        at = next((i for i, start in enumerate(starts) if int(start[1]) == number), None)
        if at is not None:
            following = (s.start() for s in starts[at + 1 :] if int(s[1]) == number + 1)
            end = next(following, len(told))
            for each in sentences(told[starts[at].end() : end]):
                yield replace(each, quote=" ".join(text.split()))


def _number(found: re.Match[str]) -> int:
    digits, first, second, spelled = found.groups()
    if digits:
        return int(digits)
    if spelled:
        return _SPELLED[spelled.lower()]
    return _ORDINALS.index((first or second).lower()) + 1
