"""The airline dialogue state, with the rules for matching utterances to tasks and slots."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.clerk.airline.bags import bags_mentioned
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import Leg, read_flight_slots, way_mentioned
from agent.clerk.airline.implied_requests import implied_request
from agent.clerk.airline.intent_data import ACTS
from agent.clerk.airline.payment_mentions import payments
from agent.clerk.airline.payment_slots import join_methods
from agent.clerk.airline.people import head_count, people_in
from agent.clerk.airline.reopening import names_finished, reopen_last, upgrade_before
from agent.clerk.airline.request_refinement import (
    changes,
    refine_wishes,
    without_booking,
    without_questions,
)
from agent.clerk.airline.reservation_slots import (
    find_candidates,
    is_on_route,
    named_reservation,
    upcoming,
)
from agent.clerk.airline.side_questions import SENTENCE_END, side_question_in, split_asides
from agent.clerk.airline.slot_answers import sentence_for_answer
from agent.clerk.airline.task_details import OF_A_BOOKING, OF_FLIGHTS, adds_detail, keeps_as_booked
from agent.clerk.airline.wording import trip
from agent.clerk.state.identity import correct_identity, identity
from agent.clerk.state.records import RecordedCall
from agent.clerk.state.steps import Choice, Question
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest

_NOTHING_MORE = "."
"""The text to parse if nothing is left of a message."""

_SERVES = re.compile(r"\bserves?\b", re.IGNORECASE)
_USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d{3,5}\b[\s,.:;-]*")


_DECLINABLE = frozenset({"insurance", "bags"})
"""Slots of questions that a denial answers."""


@dataclass
class AirlineDialogue(AirlineState):
    """The state of a dialogue with a traveller."""

    def preprocess(self, text: str) -> str:
        """The message to parse, without the parts that would be misread as requests.

        These are denials of the current booking, user ids, and sentences about which airports serve
        a city.
        """
        rest = without_booking(text) if self._bookings() else None
        text = self.records.normalize_ids(text if rest is None else rest or _NOTHING_MORE)
        text = _USER_ID.sub(" . ", text).strip(" .") or text
        sentences = SENTENCE_END.split(text)
        maps = [e for e in sentences if _SERVES.search(e) and len(self.parse(e).places) > 1]
        return " ".join(each for each in sentences if each not in maps) or _NOTHING_MORE

    def identify_customer(self, text: str, message: ParsedMessage) -> None:
        """Take in the customer's identity and side questions, and drop a booking that they deny."""
        self._identify(text, message)
        self._take_asides(_USER_ID.sub(" . ", text).strip(" ."), message)
        known = [*self.records.reservations.values()]
        named = named_reservation(self.parse(text), upcoming(known, self))
        self.focus = named["reservation_id"] if named else self.focus
        rest = without_booking(text)
        if rest is None or not self._bookings():
            return
        for each in self._bookings():
            self.drop(each)
        self.declined_calls.clear()
        message.text = rest or _NOTHING_MORE
        sure = [
            each for each in message.requests if each.modality == "meant" and not each.is_uncertain
        ]
        if changes(rest) and not any(each.intent in ACTS for each in sure):
            message.requests = [ParsedRequest("change_flights", rest, 1.0, ())]

    def _take_asides(self, text: str, message: ParsedMessage) -> None:
        """Turn side questions into requests, and parse the rest of the message without them."""
        asked, rest = split_asides(text, self)
        if asked and rest:
            again = self.reader.read(self.preprocess(rest), self.asked)
            message.text, message.requests = rest, again.requests
            message.detail_sentences = again.detail_sentences
        elif asked:
            message.requests, message.detail_sentences = [], []
        message.requests += asked

    def _identify(self, text: str, message: ParsedMessage) -> None:
        """Take in the customer's identity; small talk before it is known becomes an aside.

        Another user id, once the customer is known, replaces all requests with one about another
        person.
        """
        found = identity(text)
        if self.records.user is None or self.records.user_id is None:
            right = correct_identity(self.identity, text)
            found = right or found
            manners = {"about_clerk", "smalltalk"}
            message.aside_intents += (
                each.intent for each in message.requests if each.intent in manners
            )
            message.requests = [
                each for each in message.requests if right is None and each.intent not in manners
            ]
            self.gave_identity = found.user_id
            self.identity.add(found)
        elif any(each != self.records.user_id for each in found.user_ids):
            message.requests = [ParsedRequest("other_person", text, 1.0, ())]

    def kept_things(self, text: str) -> list[str]:
        """The reservations that a text names by their ids."""
        named = self.records.normalize_ids(text)
        return [f"reservation {each}" for each in self.records.reservation_ids if each in named]

    def names_something(self, text: str) -> bool:
        """Whether a text mentions any detail of a trip."""
        said = self.parse(text)
        named = said.places or said.days or said.ids or said.cabins or said.births
        people = people_in(said, self)
        told = bags_mentioned(said) or payments(said) or people or head_count(said, people)
        one_way = bool(way_mentioned(said)) and said.has_phrase_of("one way only")
        kind = one_way or said.has_phrase_of("one way", "round trip")
        return bool(named or told or kind or read_flight_slots(said) != Leg())

    def answer_sentence(self, task: Task, text: str) -> str:
        """The sentence that a text stands for as an answer or a revision; empty if it is neither.

        Side questions and questions about a hypothetical change fill nothing.
        """
        wishes = self.last.requests if self.last is not None else []
        slot = self.question.slot if self.question is not None and not self.declined else "revise"
        text = text if slot.endswith(OF_FLIGHTS) else without_questions(text, self.last)
        for each in wishes:
            stays = keeps_as_booked(self, task, each.text, of_all=True)
            if each.modality == "denied" and stays:
                text = text.replace(each.text, " ")
        said = self.parse(text)
        if side_question_in(said, self):
            return ""
        if (
            task.intent == "change_passengers"
            and slot == "revise"
            and said.has_phrase_of("not self")
        ):
            return text
        if wishes and all(each.modality == "what_if" for each in wishes) and not task.what_if:
            return ""
        denied = any(each.modality == "denied" and not self.denies(each, task) for each in wishes)
        if slot == "revise" and (denied or text.rstrip().endswith("?")):
            return ""
        part = task.intent == "cancel_reservation" and said.has_phrase_of("one way only")
        if part and way_mentioned(said):
            return text
        beside = wishes and not any(each.intent in {*ACTS, "search_flights"} for each in wishes)
        kept = (
            self.last.detail_sentences if beside and self.last and task in self._bookings() else []
        )
        told = " . ".join(filter(self.names_something, kept))
        return sentence_for_answer(slot, task, said, self) or told

    def tells_of(self, task: Task, text: str) -> bool:
        """Whether a text gives a detail of a task, apart from what it asks."""
        text = without_questions(text, self.last)
        return self.names_something(text) and not keeps_as_booked(self, task, text)

    def pick(self, task: Task, question: Question, choice: Choice) -> str:
        """The sentence that a pick stands for, or empty if it is stored as a choice of the task."""
        if question.slot == "reservation":
            task.chosen["focus"] = choice.value
            return f"reservation {choice.value}"
        if question.slot.endswith("_flight"):
            side = "back" if question.slot.startswith("back") else "outbound"
            return f"{side} {choice.value} on {choice.options['date']}"
        if question.slot.startswith("payment"):
            return join_methods([choice.value], question)
        if question.slot in {"way", "transfer", "passenger"}:
            task.chosen[question.slot] = choice.value
            return ""
        return choice.value

    def adds_detail_to(self, request: ParsedRequest, task: Task, *, filled: bool) -> bool:
        """Whether a request only adds details to the current task."""
        return adds_detail(self, request, task, filled=filled)

    def names_another(self, task: Task, request: ParsedRequest) -> bool:
        """Whether a request mentions ids, places or days, and none of those of the task."""
        if keeps_as_booked(self, task, request.text):
            return False
        named = zip(self._named(request.text), self._named(task.all_words), strict=True)
        return any(mine and theirs and mine.isdisjoint(theirs) for mine, theirs in named)

    def _named(self, text: str) -> tuple[set[str], ...]:
        """The reservation ids, airports and days that a text mentions."""
        said = self.parse(text)
        places = {code for each in said.places for code in each.value}
        return {*said.ids}, places, {each.value for each in said.days}

    def reopen(self, message: ParsedMessage) -> bool:
        """Reopen the last task on an objection to a refusal, or on another trip after an answer."""
        return reopen_last(self, message)

    def lets_go_of(self, task: Task, text: str) -> bool:
        """Whether a denial is of a whole task: it names no trip, way or day but those booked."""
        said = self.parse(text)
        if self.question is not None and self.question.slot in _DECLINABLE:
            return False  # "skip that" is said of the insurance, not of the booking
        return not (said.ids or said.places or said.days) or keeps_as_booked(self, task, text)

    def tasks_before(self, last: Task) -> list[Task]:
        """The upgrade to make before a cancellation, if the customer asked about both together."""
        return upgrade_before(self, last)

    def names_finished(self, message: ParsedMessage) -> bool:
        """Whether a message after a change only mentions places and days of known reservations."""
        return names_finished(self, message)

    def implied_request(
        self, message: ParsedMessage, task: Task | None = None
    ) -> ParsedRequest | None:
        """The request that details without a verb imply: two cities and a day are a booking."""
        return implied_request(self, message, task)

    def continues_task(self, task: Task, intent: str, request: ParsedRequest) -> bool:
        """Whether a request is about no other reservation than the task."""
        said, known = self.parse(request.text), self.parse(task.all_words).ids
        also = said.has_phrase("also", "another", "as well", "too") and intent != "book_flight"
        return not (also or (said.ids and known and said.ids != known))

    def refine_requests(
        self, wishes: list[ParsedRequest], message: ParsedMessage
    ) -> list[ParsedRequest]:
        """The requests, each interpreted in view of the others in the message."""
        return refine_wishes(wishes, message, self)

    def offer_lead(self, task: Task) -> str:
        """A sentence on the reservation that an unclear utterance mentions; empty if none is."""
        if not self.names_things(task.text):
            return ""
        found = find_candidates(task, self)
        if len(found) == 1:
            task.chosen["focus"] = found[0]["reservation_id"]
            return f"You wrote about reservation {trip(found[0])}."
        return "" if found else "I can't find a reservation like that."

    def inherit_context(self, task: Task) -> None:
        """Give a new task the context that its words refer back to.

        In "cancel it", *it* is the reservation mentioned last.
        """
        if self.focus:
            task.chosen["focus"] = self.focus
        if task.intent == "cancel_reservation":
            earlier = [e for e in self.tasks if e.intent == "cancel_reservation"]
            before = [words for each in earlier for words in each.words]
            task.context = [*before, *task.context]
        last = self.tasks[-1] if self.tasks else None
        follows = last is not None and (not self.focus or task.intent == "book_flight")
        if last is not None and follows and not task.context and last.intent is not None:
            task.context = [*last.context, *last.words]

    def record_written(self, asked: RecordedCall) -> str:
        """The id of the record that a write changed or created.

        The write also drops a declined booking, unless it is a booking itself, and sets the focus.
        """
        for each in self._bookings():
            if each.wait == "revise" and asked.name != "book_reservation":
                each.closed, each.outcome = True, "dropped"
        if asked.name == "cancel_reservation":
            self._drop_changes_of(self.record_id_of(asked))
        booked = self.records.booked[-1:] if asked.name == "book_reservation" else []
        subject = self.record_id_of(asked) or next(iter(booked), "")
        self.focus = subject or self.focus
        return subject or str(asked.arguments.get("user_id"))

    def _drop_changes_of(self, gone: str) -> None:
        """Drop what was to change about a reservation that is cancelled now."""
        record = self.records.reservations.get(gone)
        for each in self.open_tasks:
            lines, focus = self.sentences_of(each), each.chosen.get("focus", gone)
            here = record is not None and all(is_on_route(line, record) for line in lines)
            other = any({*line.ids} - {gone} or line.has_phrase("other") for line in lines)
            begun = each.intent not in OF_A_BOOKING or each.written
            if here and focus == gone and not (begun or other):
                each.closed, each.outcome = True, "dropped"

    def _bookings(self) -> list[Task]:
        return [each for each in self.open_tasks if each.intent == "book_flight"]
