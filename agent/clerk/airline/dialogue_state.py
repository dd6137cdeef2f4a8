"""The dialogue state that the airline's skills use: the records, and sentences as parsed lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from agent.clerk.airline.known_records import AirlineRecords
from agent.clerk.airline.parsed_sentence import ParsedSentence, parse_sentence
from agent.clerk.airline.vocabulary import HERE, OFFERS, TOOLS
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.task import Task
from agent.clerk.understanding.intent_catalogs import reader_of
from agent.clerk.understanding.parsed_message import ParsedRequest
from agent.clerk.understanding.reading import Reader
from domains.airline.schema import NOW

_EVENT = re.compile(
    r"\b((?:the|my|our|his|her|their) (?!flight|trip|way|return|outbound|outward|one|first|second"
    r"|other|plane|reservation|booking|ticket|journey)[a-z]+ (?:is|was|starts|begins))"
    r" (?:only |already )?on (?:the )?\w+",
    re.IGNORECASE,
)
"""What happens on a day, and that day."""

ASKED = frozenset(
    {"search_flights", "price", "reservation_info", "flight_status", "paid", "allowance"}
)
"""Questions whose words are no details of a change that is waiting for an answer."""


@dataclass
class AirlineState(Dialogue):
    """The dialogue state without the matching of utterances, which is in ``dialogue``."""

    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    record_argument: ClassVar[str] = "reservation_id"
    offers: ClassVar[Mapping[str, str]] = OFFERS
    transfers_after_refusal: ClassVar[bool] = False

    records: AirlineRecords = field(default_factory=AirlineRecords)
    now: str = NOW
    """The current time, in the records' format."""

    @property
    def reader(self) -> Reader:
        """The reader that parses customer messages."""
        return reader_of(HERE)

    @property
    def asked_beside(self) -> list[ParsedRequest]:
        """The requests of the last message that only ask about flights, prices or reservations."""
        return [each for each in self.last.requests if each.intent in ASKED] if self.last else []

    @property
    def today(self) -> str:
        """The current date, in the records' format."""
        return self.now[:10]

    def parse(self, text: str) -> ParsedSentence:
        """A sentence, parsed relative to the current date; the day of an event is none of a trip's.

        "The wedding is on Saturday" tells of no flight on that day.
        """
        told = _EVENT.sub(r"\1", self.records.normalize_ids(text))
        return parse_sentence(told, date.fromisoformat(self.today))

    def names_things(self, text: str) -> bool:
        """Whether a text names a trip, by its code, places or days."""
        return self.parse(text).names_trip

    def parse_all(self, texts: Iterable[str]) -> list[ParsedSentence]:
        """Sentences, parsed relative to the current date."""
        return [self.parse(each) for each in texts]

    def sentences_of(self, task: Task) -> list[ParsedSentence]:
        """The parsed sentences of a task, oldest first."""
        first = sorted(
            [*task.same_message, task.text], key=lambda each: task.message.find(each[:20])
        )
        return self.parse_all([*first, *task.notes])

    def task_says(self, task: Task, *names: str) -> bool:
        """Whether a sentence of a task has a phrase from one of these lists in ``words.json``."""
        return any(each.has_phrase_of(*names) for each in self.sentences_of(task))
