"""The conversation of the airline's clerk: what it knows better than any dialogue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from agent.clerk.airline.answering import answer_to
from agent.clerk.airline.bags import bags_told, insurance_wish
from agent.clerk.airline.flight_wish import Leg, wish
from agent.clerk.airline.line import Line, line
from agent.clerk.airline.manner import ACTS, HERE, NOW, OFFERS, TOOLS
from agent.clerk.airline.memory import Memory
from agent.clerk.airline.paying import join_methods
from agent.clerk.airline.people import people_in
from agent.clerk.airline.reasons import intent_of_details
from agent.clerk.airline.talk_of_money import payments
from agent.clerk.airline.words import phrases
from agent.clerk.dialogue import Dialogue
from agent.clerk.identity import identity, put_identity_right
from agent.clerk.remembering import Asked
from agent.clerk.steps import Ask, Choice
from agent.clerk.task import Task
from agent.clerk.understanding.manners import reader_of
from agent.clerk.understanding.reading import Reader
from agent.clerk.understanding.wishes import CLEAR, Message, Wish

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_NOTHING_MORE = "."
"""What is left of a message that only told which city airports serve."""

_SERVES = re.compile(r"\bserves?\b", re.IGNORECASE)
_USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d{3,5}\b", re.IGNORECASE)
_OF_A_BOOKING = frozenset(
    {"change_flights", "change_cabin", "change_passengers", "add_bags", "insurance"}
)
"""What reads like a change of a reservation may be a detail of the booking at hand."""

_OF_A_CHANGE = frozenset({"change_flights", "change_cabin"})
_REPEATED = frozenset({"flight_status", "reservation_info", "paid", "search_flights", "allowance"})
"""Questions that naming another trip asks once more."""

_A_RESERVATION = ("trip", "reservation", "booking", "ticket", "my flight")
_INSISTS = phrases("talk", "insists")


@dataclass
class Talk(Dialogue):
    """All that the airline's clerk makes of the messages."""

    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    subject: ClassVar[str] = "reservation_id"
    offers: ClassVar[Mapping[str, str]] = OFFERS
    transfers_after_refusal: ClassVar[bool] = False

    memory: Memory = field(default_factory=Memory)
    now: str = NOW
    """The time it is, as in the records."""

    @property
    def reader(self) -> Reader:
        """Reads what the customer types."""
        return reader_of(HERE)

    @property
    def today(self) -> str:
        """The day it is, as in the records."""
        return self.now[:10]

    def line(self, text: str) -> Line:
        """A sentence, read on the day it is."""
        return line(self.memory.write_ids(text), date.fromisoformat(self.today))

    def lines(self, task: Task) -> list[Line]:
        """All that was said of a task, the oldest first."""
        first = sorted([*task.beside, task.text], key=lambda each: task.message.find(each[:20]))
        said = [*first, *task.notes]
        return [self.line(each) for each in said]

    def lines_of(self, texts: Iterable[str]) -> list[Line]:
        """Sentences, read on the day it is."""
        return [self.line(each) for each in texts]

    def prepare(self, text: str) -> str:
        """A message without user ids, which would be read as words."""
        text = self.memory.write_ids(text)
        text = re.sub(rf"{_USER_ID.pattern}[\s,.:;-]*", " . ", text).strip(" .") or text
        rest = [each for each in _SENTENCE_END.split(text) if not self._tells_of_airports(each)]
        return " ".join(rest) or _NOTHING_MORE

    def _tells_of_airports(self, sentence: str) -> bool:
        """Whether it only says which city airports serve, which asks for no flight."""
        return _SERVES.search(sentence) is not None and len(self.line(sentence).places) > 1

    def introduce(self, text: str, told: Message) -> None:
        """Who speaks; another's user id, once somebody is known, is a wish about another person."""
        found = identity(text)
        known = self.memory.user_id if self.memory.user is not None else None
        if known is None:
            found = put_identity_right(self.identity, text) or found
            manners = {"about_clerk", "smalltalk"}
            polite = [each for each in told.wishes if each.intent in manners]
            told.asides += (each.intent for each in polite)
            told.wishes = [each for each in told.wishes if each not in polite]
            self.introduced = found.user_id
            self.identity.add(found)
        elif any(each != known for each in found.user_ids):
            told.wishes = [Wish("other_person", text, 1.0, (), has_cue=True)]

    def names(self, text: str) -> bool:
        """Whether a text names any particular of a trip."""
        said = self.line(text)
        named = said.places or said.days or said.ids or said.cabins or said.births
        told = bags_told(said) or payments(said) or people_in(said, self)
        return bool(named or told or wish(said) != Leg())

    def fills(self, about: Task, text: str) -> str:
        """The sentence that a text stands for as an answer to what was asked; or nothing."""
        wishes = self.last.wishes if self.last is not None else []
        if wishes and all(each.mode == "what_if" for each in wishes) and not about.what_if:
            return ""
        slot = self.ask.slot if self.ask is not None and not self.declined else "revise"
        denied = any(each.mode == "denied" and not self.denies(each, about) for each in wishes)
        if slot == "revise" and (denied or text.rstrip().endswith("?")):
            return ""
        return answer_to(slot, about, self.line(text), self)

    def pick(self, about: Task, ask: Ask, choice: Choice) -> str:
        """The sentence that a pick stands for."""
        if ask.slot == "reservation":
            about.chosen["focus"] = choice.value
            return f"reservation {choice.value}"
        if ask.slot.endswith("_flight"):
            side = "back" if ask.slot.startswith("back") else "outbound"
            return f"{side} {choice.value} on {choice.options['date']}"
        if ask.slot.startswith("payment"):
            return join_methods([choice.value], ask)
        if ask.slot in {"way", "transfer", "passenger"}:
            about.chosen[ask.slot] = choice.value
            return ""
        return choice.value

    def belongs(self, wish: Wish, about: Task, *, filled: bool) -> bool:
        """Whether a wish only tells more of the task at hand."""
        said = self.line(wish.text)
        if said.ids and not set(said.ids) & set(self.line(about.all_words).ids or said.ids):
            return False
        if wish.mode == "what_if" and not about.what_if:
            return False
        asks = "?" in wish.text or said.has("how much", "what", "which", "how many", "who")
        if wish.intent == about.intent and about.what_if == (wish.mode == "what_if"):
            return True
        if about.intent == "book_flight" and wish.intent in _OF_A_BOOKING:
            return not said.has(*_A_RESERVATION)
        if self.declined and {wish.intent, str(about.intent)} <= _OF_A_CHANGE:
            return True
        if wish.intent in {"human", "other"}:
            return False
        if wish.intent in ACTS:
            return not wish.has_verb and (filled or wish.likely < CLEAR)
        if asks:
            return False
        return filled or wish.likely < CLEAR

    def names_another(self, about: Task, wish: Wish) -> bool:
        """Whether a wish names a trip, by its id, its places or its days, and not the task's."""
        named = zip(self._named(wish.text), self._named(about.all_words), strict=True)
        return any(mine and theirs and mine.isdisjoint(theirs) for mine, theirs in named)

    def _named(self, text: str) -> tuple[set[str], ...]:
        """The ids, airports and days that words name."""
        said = self.line(text)
        places = {code for each in said.places for code in each.value}
        return {*said.ids}, places, {each.value for each in said.days}

    def replaces(self, about: Task, wish: Wish) -> bool:
        """Whether a wish takes the place of the task at hand."""
        if wish.intent == "book_flight":
            lost = self.ask is not None and self.ask.slot == "reservation"
            return about.intent == "change_passengers" or lost
        said = self.line(wish.text)
        cancels = wish.intent == "cancel_reservation" and about.intent != "book_flight"
        return cancels and not (said.ids or said.places)

    def hand_on(self, about: Task, wish: Wish) -> None:
        """What was said of the task is handed on to the one that takes its place."""
        self.handed = [*about.context, *about.words]

    def reopen(self, told: Message) -> bool:
        """A remark on a refusal ("but I'm a gold member!") takes the task up again."""
        last = self.requests[-1] if self.requests else None
        if last is None or self.open or (self.ask is not None and self.about is not None):
            return False
        if last.outcome == "answered" and last.intent in _REPEATED and _is_bare(told):
            return self._was_asked_again(last, told)
        if last.outcome != "refused" or last.intent not in ACTS:
            return False
        sure = [
            e for e in told.wishes if e.intent in {*ACTS, "human", "other"} or e.mode == "denied"
        ]
        said = self.line(told.text)
        insists = said.has(*_INSISTS) and len(said.words) < 25
        if sure or ({"farewell", "no"} & set(told.asides) and not insists):
            return False
        if not (insists or self._of(last, said)):
            return False
        last.closed, last.wait = False, ""
        last.note(told.text)
        told.wishes = []
        return True

    def _was_asked_again(self, last: Task, told: Message) -> bool:
        """A trip that is named after an answer is what the question was about."""
        said = self.line(told.text)
        if not (said.places or said.days) or "?" in said.words:
            return False
        last.closed = False
        last.note(told.text)
        told.wishes = []
        return True

    def may_pick(self, ask: Ask, text: str) -> bool:
        """Not where words say which flight it is by its time: "the last one"."""
        return not (ask.slot.endswith("_flight") and wish(self.line(text)) != Leg())

    def tasks_before(self, last: Task) -> list[Task]:
        """An upgrade that was supposed before a cancellation comes before it."""
        upgraded = any(line.cabins or line.has("upgrade") for line in self.lines(last))
        if last.intent != "cancel_reservation" or not upgraded:
            return []
        words = "upgrade it to business"
        return [Task("change_cabin", words, chosen=dict(last.chosen), context=last.words)]

    def was_done(self, told: Message) -> bool:
        """Whether a message only names the reservation that was dealt with just now."""
        done = any(each.outcome == "done" for each in self.requests[-2:])
        said = self.line(told.text)
        if not done or not (said.places or said.days):
            return False
        flights = (e for record in self.memory.reservations.values() for e in record["flights"])
        known = {code for e in flights for code in (e["origin"], e["destination"], e["date"])}
        told_of = [{*each.value} for each in said.places] + [{each.value} for each in said.days]
        return all(each & known for each in told_of)

    def unspoken(self, told: Message, about: Task | None = None) -> Wish | None:
        """The wish that details have without a verb: two cities and a day are a booking."""
        said = self.line(f"{about.text} . {told.text}" if about is not None else told.text)
        last = self.requests[-1] if self.requests else None
        found = last is not None and last.intent == "search_flights" and last.outcome == "answered"
        of_booking = bags_told(said) or insurance_wish([said]) is not None or people_in(said, self)
        if found and of_booking and "?" not in said.words:
            return Wish("book_flight", told.text, 1.0, (), has_cue=True)
        if said.births and said.has("born", "birthday", "birth", "dob") and not self.open:
            return Wish("change_passengers", told.text, 1.0, (), has_cue=True)
        intent = intent_of_details(said, changes=about is not None)
        return Wish(intent, said.text, 1.0, (), has_cue=True) if intent else None

    def _of(self, last: Task, said: Line) -> bool:
        """Whether a remark tells more of what was refused."""
        if "?" in said.text:
            return False
        told = bool(answer_to("reason", last, said, self)) and last.intent == "cancel_reservation"
        return told or (self.names(said.text) and last.intent != "cancel_reservation")

    def details_of(self, intent: str) -> frozenset[str]:
        """The intents that only tell a detail of a task of this intent."""
        return _OF_A_BOOKING if intent == "book_flight" else frozenset({intent})

    def same(self, task: Task, intent: str, wish: Wish) -> bool:
        """Whether no other reservation is named than in the task."""
        ids, known = self.line(wish.text).ids, self.line(task.all_words).ids
        apart = ids and known and ids != known
        also = self.line(wish.text).has("also", "another", "as well", "too")
        return not (apart or (also and intent != "book_flight"))

    def point_back(self, task: Task) -> None:
        """By "cancel it" the reservation that was spoken of last is meant."""
        if self.focus:
            task.chosen["focus"] = self.focus
        if task.intent == "cancel_reservation":
            earlier = [e for e in self.requests if e.intent == "cancel_reservation"]
            before = [words for each in earlier for words in each.words]
            task.context = [*before, *task.context]
        last = self.requests[-1] if self.requests else None
        follows = last is not None and (not self.focus or task.intent == "book_flight")
        if last is not None and follows and not task.context and last.intent is not None:
            task.context = [*last.context, *last.words]

    def record_written(self, asked: Asked) -> str:
        """The id of the reservation that a write has changed or made."""
        booked = self.memory.booked[-1:] if asked.name == "book_reservation" else []
        subject = self.subject_of(asked) or next(iter(booked), "")
        self.focus = subject or self.focus
        return subject or str(asked.arguments.get("user_id"))


def _is_bare(told: Message) -> bool:
    """Whether a message only names something: "to New York on Monday"."""
    asks = any(each.has_cue or each.has_verb for each in told.wishes)
    return not told.wishes or (told.words[0] in {"to", "from", "on", "the", "for"} and not asks)
