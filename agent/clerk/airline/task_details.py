"""What a text says of a task: which details it gives, and whether it is about that task at all."""

from __future__ import annotations

from agent.clerk.airline.bags import bags_mentioned, wants_insurance
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import Leg, read_flight_slots, way_mentioned
from agent.clerk.airline.payment_mentions import payments
from agent.clerk.airline.people import head_count, people_in
from agent.clerk.airline.request_refinement import (
    asked_beside,
    intent_of_details,
    without_questions,
)
from agent.clerk.airline.reservation_slots import is_on_route
from agent.clerk.airline.side_questions import ASIDES
from agent.clerk.airline.vocabulary import ACTS
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import CERTAIN, CLEAR, ParsedMessage, ParsedRequest

OF_A_BOOKING = frozenset(
    {"change_flights", "change_cabin", "change_passengers", "add_bags", "insurance"}
)
"""Intents of changes that may be details of the current booking instead."""

OF_FLIGHTS = ("_date", "legs", "route", "origin", "destination")
"""How the slots end whose questions are also answered by asking for flights."""

_DECLINABLE = frozenset({"insurance", "bags"})
"""Slots of questions that a denial answers."""


class TaskDetails(AirlineState):
    """The dialogue state with the comparison of what is said with the tasks."""

    def names_something(self, text: str) -> bool:
        """Whether a text mentions any detail of a trip."""
        said = self.parse(text)
        named = said.places or said.days or said.ids or said.cabins or said.births
        people = people_in(said, self)
        told = bags_mentioned(said) or payments(said) or people or head_count(said, people)
        kind = said.has_phrase_of("one way", "round trip") or (
            said.has_phrase_of("one way only") and way_mentioned(said)
        )
        return bool(named or told or kind or read_flight_slots(said) != Leg())

    def tells_of(self, task: Task, text: str) -> bool:
        """Whether a text gives a detail of a task, apart from what it asks."""
        return self.names_something(without_questions(text, self.last))

    def lets_go_of(self, task: Task, text: str) -> bool:
        """Whether a denial is of a whole task: it names no trip, and answers no yes-or-no."""
        declines = self.question is not None and self.question.slot in _DECLINABLE
        return not declines and not self.names_things(text)

    def names_another(self, task: Task, request: ParsedRequest) -> bool:
        """Whether a request mentions ids, places or days, and none of those of the task."""
        named = zip(self._named(request.text), self._named(task.all_words), strict=True)
        return any(mine and theirs and mine.isdisjoint(theirs) for mine, theirs in named)

    def _named(self, text: str) -> tuple[set[str], ...]:
        """The reservation ids, airports and days that a text mentions."""
        said = self.parse(text)
        places = {code for each in said.places for code in each.value}
        return {*said.ids}, places, {each.value for each in said.days}

    def continues_task(self, task: Task, intent: str, request: ParsedRequest) -> bool:
        """Whether a request is about no other reservation than the task."""
        said, known = self.parse(request.text), self.parse(task.all_words).ids
        also = said.has_phrase("also", "another", "as well", "too") and intent != "book_flight"
        return not (also or (said.ids and known and said.ids != known))

    def adds_detail_to(self, request: ParsedRequest, task: Task, *, filled: bool) -> bool:
        """Whether a request only adds details to the current task.

        What is only supposed adds nothing to what is wanted, nor the other way round.
        """
        said, intent, supposed = self.parse(request.text), request.intent, request.modality
        sure = supposed == "meant" and not request.is_uncertain
        slot = self.question.slot if self.question and not self.declined else "revise"
        asks = not slot.endswith(OF_FLIGHTS) and request in asked_beside(self.last)
        if asks or intent in ASIDES or intent in {"human", "other"}:
            return False
        if (sure and intent != task.intent) if task.what_if else supposed == "what_if":
            return False
        if intent == task.intent:
            return True
        if task.intent == "book_flight" and intent in OF_A_BOOKING:
            return not (said.ids or said.has_phrase_of("a reservation"))
        if intent == "book_flight" and task.intent == "change_flights":
            record = self.records.reservations.get(str(self.focus))
            same = is_on_route(said, record) if record else len(said.places) < 2
            return same and not said.has_phrase("another", "new", "also", "too")
        asks = "?" in request.text or said.has_phrase("how much", "what", "which", "how many")
        if sure and request.probability >= CERTAIN if intent in ACTS else asks:
            return False
        return filled or request.probability < CLEAR

    def implied_request(
        self, message: ParsedMessage, task: Task | None = None
    ) -> ParsedRequest | None:
        """The request that details without a verb imply: two cities and a day are a booking."""
        alone = self.parse(message.text)
        said = self.parse(f"{task.text} . {message.text}") if task is not None else alone
        last = self.tasks[-1] if self.tasks else None
        extras = bags_mentioned(said) or wants_insurance([said]) is not None
        looked = last is not None and (last.intent, last.outcome) == ("search_flights", "answered")
        if looked and (extras or people_in(said, self)) and "?" not in said.words:
            return ParsedRequest("book_flight", message.text, 1.0, ())
        if said.births and not self.open_tasks:
            return ParsedRequest("change_passengers", message.text, 1.0, ())
        told = [(intent_of_details(e, changes=task is not None), e.text) for e in (alone, said)]
        return next((ParsedRequest(name, text, 1.0, ()) for name, text in told if name), None)
