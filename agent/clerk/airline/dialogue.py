"""The airline dialogue state, with the rules for matching utterances to tasks and slots."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.clerk.airline.booked_trips import OF_A_BOOKING
from agent.clerk.airline.compensation import complaint
from agent.clerk.airline.dialogue_state import ASKED
from agent.clerk.airline.flight_slots import read_flight_slots, way_mentioned
from agent.clerk.airline.message_parts import drop_balances, join_same_for, take_asides
from agent.clerk.airline.payment_slots import join_methods
from agent.clerk.airline.reservation_slots import (
    find_candidates,
    is_on_route,
    named_reservation,
    upcoming,
)
from agent.clerk.airline.side_questions import side_question_in
from agent.clerk.airline.slot_answers import is_no, sentence_for_answer
from agent.clerk.airline.task_details import OF_FLIGHTS, TaskDetails
from agent.clerk.airline.vocabulary import ACTS
from agent.clerk.airline.wording import trip
from agent.clerk.state.identity import correct_identity, identity
from agent.clerk.state.records import RecordedCall
from agent.clerk.state.steps import Choice, Question
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.comparison.sentences import sentences

_USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d{3,5}\b[\s,.:;-]*")
_OF_NEW_TRIPS = frozenset({"book_flight", "search_flights"})
_REPEATED = frozenset({"flight_status", "reservation_info", "paid", "search_flights", "allowance"})
"""Questions that are answered again if the customer then names another trip."""


@dataclass
class AirlineDialogue(TaskDetails):
    """The state of a dialogue with a traveller."""

    def preprocess(self, text: str) -> str:
        """The message to parse, without user ids."""
        return _USER_ID.sub(" . ", self.records.normalize_ids(text)).strip(" .") or text

    def identify_customer(self, text: str, message: ParsedMessage) -> None:
        """Take in the customer's identity and side questions, and drop a booking that they deny.

        Another user id, once the customer is known, replaces all requests with one about another
        person.
        """
        found = identity(text)
        if self.records.user is None:
            right = correct_identity(self.identity, text)
            message.requests = [] if right else message.requests
            found = right or found
            self.gave_identity = found.user_id
            self.identity.add(found)
        elif any(each != self.records.user_id for each in found.user_ids):
            message.requests = [ParsedRequest("other_person", text, 1.0, ())]
        join_same_for(self, message)
        take_asides(self, _USER_ID.sub(" . ", text).strip(" ."), message)
        drop_balances(self, text, message)
        known = upcoming([*self.records.reservations.values()], self)
        named = named_reservation(self.parse(text), known)
        self.focus = named["reservation_id"] if named else self.focus
        said = self.parse(text)
        denied = said.has_phrase_of("wants no booking")
        if self._bookings() and (denied or said.has_phrase_of("has a booking")):
            moves = said.has_phrase_of("changes")
            denies = denied or moves or is_no(said) or not self.names_something(text)
            for each in self._bookings() if denies else ():
                self.drop(each)
                own = [e for e in message.requests if e.intent in OF_A_BOOKING]
                other = [e for e in message.requests if e.intent not in _OF_NEW_TRIPS]
                own = [*own, *(e for e in other if e not in own)]
                told = (e for e in message.requests if e not in own and e.modality == "meant")
                message.detail_sentences += (each.text for each in told)
                message.requests = message.requests if moves else own
                message.kept = []
                self.declined_calls.clear()

    def kept_things(self, text: str) -> list[str]:
        """The reservations that a text names, if they were read before."""
        named = self.records.normalize_ids(text)
        by_id = [f"reservation {each}" for each in self.records.reservation_ids if each in named]
        known = named_reservation(self.parse(text), [*self.records.reservations.values()])
        return by_id or ([f"reservation {trip(known)}"] if known else [])

    def answer_sentence(self, task: Task, text: str) -> str:
        """The sentence that a text stands for as an answer or a revision; empty if it is neither.

        Side questions and questions about a hypothetical change fill nothing.
        """
        wishes = self.last.requests if self.last is not None else []
        slot = self.question.slot if self.question is not None and not self.declined else "revise"
        text = text if slot.endswith(OF_FLIGHTS) else self.without_questions(text)
        denied = [each for each in wishes if each.modality == "denied"]
        if slot == "reservation":  # "today's. please don't touch the one on the 24th"
            said_of = [each.text for each in sentences(text)]
            rest = " ".join(e for e in said_of if not any(e in f"{no.text}." for no in denied))
            text = rest if self.names_something(rest) else text
        said = self.parse(text)
        supposed = wishes and all(each.modality == "what_if" for each in wishes)
        if side_question_in(said, self) or (supposed and not task.what_if):
            return ""
        if task.intent == "change_passengers" and said.has_phrase_of("not self"):
            return text  # "not mine" says whose name is changed
        others = any(not self.denies(each, task) for each in denied)
        if slot == "revise" and (others or text.rstrip().endswith("?")):
            return ""
        if task.intent == "cancel_reservation" and said.has_phrase_of("one way only"):
            return text if way_mentioned(said) else ""
        kept = self.last.detail_sentences if self.last and task in self._bookings() else []
        beside = not any(each.intent in {*ACTS, "search_flights"} for each in wishes)
        told = filter(self.names_something, kept if wishes and beside else [])
        return sentence_for_answer(slot, task, said, self) or " . ".join(told)

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
        if question.slot in {"way", "transfer", "passenger", "refund"}:
            task.chosen[question.slot] = choice.value
            return ""
        return choice.value

    def reopen(self, message: ParsedMessage) -> bool:
        """Reopen the last task on an objection to a refusal, or on another trip after an answer.

        Returns whether it did.
        """
        last = self.tasks[-1] if self.tasks else None
        denied = any(each.modality == "denied" for each in message.requests)
        denied = denied and not self.parse(message.text).has_phrase_of("still wants")
        lately = (e for e in reversed(self.tasks[-3:]) if e.outcome == "refused")
        refused_last = next((each for each in lately if each.intent in ACTS), None)
        if refused_last is not None and not self.open_tasks and not denied:
            other = self._another_reservation(refused_last, message)
            if other:
                return self._take_up(refused_last, f"reservation {other}", message)
        if last is None or self.open_tasks or denied:
            return False
        refused = last.outcome == "refused" and last.intent in ACTS
        answered = last.outcome == "answered" and last.intent in _REPEATED
        wanted = any(each.intent == last.intent == "book_flight" for each in message.requests)
        again = refused and (self._objects(last, message) or wanted)
        if not again and not (answered and self._names_another_trip(last, message)):
            return False
        return self._take_up(last, message.text, message)

    def _take_up(self, task: Task, sentence: str, message: ParsedMessage) -> bool:
        """Reopen a task with one more sentence about it."""
        task.closed, task.wait, task.limit = False, "", message.limit
        task.note(sentence)
        message.requests = []
        return True

    def _another_reservation(self, last: Task, message: ParsedMessage) -> str:
        """The id of the reservation that a message names after a refusal about another one."""
        if any(e.intent != last.intent and not e.is_uncertain for e in message.requests):
            return ""
        known = upcoming([*self.records.reservations.values()], self)
        named = (named_reservation(self.parse(e.text), known) for e in sentences(message.text))
        ids = [str(each["reservation_id"]) for each in named if each is not None][-1:]
        return "" if ids == [self.focus] else "".join(ids)

    def _names_another_trip(self, last: Task, message: ParsedMessage) -> bool:
        """Whether a message names another trip, or for a search another time: "in the evening"."""
        others = any(each.intent != last.intent for each in message.requests)
        if others or "farewell" in message.aside_intents:
            return False
        said = self.parse(message.text)
        timed = last.intent == "search_flights" and not read_flight_slots(said).is_empty
        return bool(timed or said.places or said.days)

    def _objects(self, last: Task, message: ParsedMessage) -> bool:
        """Whether a remark insists on what was refused, or adds details to it."""
        said = self.parse(message.text)
        wants = {each.intent for each in message.requests if not each.is_uncertain}
        claims = last.intent == "compensation" or said.has_phrase_of("claims")
        wants -= set() if claims or complaint([said]) else {"compensation"}
        if wants & {*ACTS, *ASKED, "human", "other"}:
            return False
        if said.has_phrase_of("insists"):
            return True
        if {"farewell", "no"} & {*message.aside_intents} or "?" in said.text:
            return False
        if last.intent == "cancel_reservation":
            return bool(sentence_for_answer("reason", last, said, self))
        return self.names_something(said.text)

    def tasks_before(self, last: Task) -> list[Task]:
        """The upgrade to make before a cancellation, if the customer asked about both together."""
        lines = self.sentences_of(last)
        upgraded = any(line.cabins or line.has_phrase("upgrade") for line in lines)
        if last.intent != "cancel_reservation" or not upgraded:
            return []
        words = "upgrade it to business"
        return [Task("change_cabin", words, chosen=dict(last.chosen), context=last.words)]

    def names_finished(self, message: ParsedMessage) -> bool:
        """Whether a message after a change only mentions places and days of known reservations."""
        said = self.parse(message.text)
        done = any(each.outcome == "done" for each in self.tasks[-2:])
        trips = self.records.reservations.values()
        flights = [each for record in trips for each in record["flights"]]
        known = {each[key] for each in flights for key in ("origin", "destination", "date")}
        told = [{*each.value} for each in said.places] + [{each.value} for each in said.days]
        return done and bool(told) and all(each & known for each in told)

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
        searches = self._searches_followed(task)
        if searches:
            told = (words for each in searches for words in (*each.context, *each.words))
            own = [task.text, *task.same_message]
            task.same_message[:0] = [each for each in dict.fromkeys(told) if each not in own]
            return
        if task.intent == "cancel_reservation":
            earlier = [e for e in self.tasks if e.intent == "cancel_reservation"]
            task.context = [*(words for e in earlier for words in e.words), *task.context]
        last = self.tasks[-1] if self.tasks else None
        if task.intent == "search_flights" and self.last is not None:
            acts = any(each.intent in ACTS for each in self.last.requests)
            task.same_message = [] if acts else [*self.last.detail_sentences]
        if last is not None and last.intent and not (self.focus or task.context):
            task.context = [*last.context, *last.words]

    def _searches_followed(self, task: Task) -> list[Task]:
        """The searches of flights that a booking follows: it takes over all that they were told."""
        searches: list[Task] = []
        for each in self.tasks:
            searches = [] if each.written else searches
            tells = not searches or self.names_something(each.text)
            searches += [each] if each.intent == "search_flights" and tells else []
        route = {code for each in searches for code in self._named(each.all_words)[1]}
        places = self._named(f"{task.text} . {task.message}")[1]
        follows = task.intent == "book_flight" and len(route) > 1 and places <= route
        return searches if follows else []

    def record_written(self, asked: RecordedCall) -> str:
        """The id of the record that a write changed or created.

        The write also drops a declined booking, unless it is a booking itself; it sets the focus.
        """
        booked = self.records.booked[-1:] if asked.name == "book_reservation" else []
        for each in self._bookings():
            if each.wait == "revise" and not booked:
                each.closed, each.outcome = True, "dropped"
        subject = self.record_id_of(asked) or "".join(booked)
        if asked.name == "cancel_reservation":
            self._drop_changes_of(subject)
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

    @property
    def makes_new_record(self) -> bool:
        """Whether a trip is being booked just now."""
        current = self.current_task
        return current is not None and current.intent == "book_flight" and not current.closed

    def _bookings(self) -> list[Task]:
        return [each for each in self.open_tasks if each.intent == "book_flight"]
