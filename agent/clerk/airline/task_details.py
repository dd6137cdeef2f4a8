"""What is said, compared with the tasks: which details it gives, and of which task they are.

The requests of a message are corrected by each other and by their wording.
"""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline.bags import bags_mentioned, wants_insurance
from agent.clerk.airline.booked_trips import (
    OF_A_BOOKING,
    moves_day,
    moves_time,
    tells_of_booking,
    with_one_booking,
    with_own_ticket,
    without_known_bookings,
    without_same_flights,
)
from agent.clerk.airline.booking import trip_of
from agent.clerk.airline.cancellation import reason
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import read_flight_slots, way_mentioned
from agent.clerk.airline.implied_intent import intent_of_details
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.payment_mentions import payments
from agent.clerk.airline.people import head_count, names_in, people_in
from agent.clerk.airline.reservation_slots import is_on_route
from agent.clerk.airline.side_questions import ASIDES
from agent.clerk.airline.vocabulary import ACTS, FROM, TO
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import (
    CERTAIN,
    CLEAR,
    WANTED,
    Modality,
    ParsedMessage,
    ParsedRequest,
)
from agent.comparison.sentences import sentences

_OF_PAYMENT = frozenset({"methods", "balance", "policy_question", "outcome"})
"""Questions that are details of a change if they ask nothing: "all on my visa"."""

OF_FLIGHTS = ("_date", "legs", "route", "origin", "destination")
"""How the slots end whose questions are also answered by asking for flights."""

_REBOOKS = frozenset({"cancel_reservation", "book_flight"})
"""The changes that follow for whom another trip is booked instead of their own."""

_DECLINABLE = frozenset({"insurance", "bags"})
"""Slots of questions that a denial answers."""


class TaskDetails(AirlineState):
    """The dialogue state with the comparison of what is said with the tasks."""

    def without_questions(self, text: str) -> str:
        """A text without the questions that the last message asks about flights or prices."""
        for each in self.asked_beside:
            said = self.parse(each.text)
            asks = [n for n, part in enumerate(said.parts()) if part.is_question]
            begun = said.parts()[: asks[0] if asks else 0]  # "economy, what is there at noon?"
            if asks or not each.is_uncertain:
                text = text.replace(each.text, " , ".join(part.text for part in begun) or " ")
        return text.strip(" ,;")

    def names_something(self, text: str) -> bool:
        """Whether a text mentions any detail of a trip."""
        said = self.parse(text)
        named = said.names_trip or said.cabins or said.births
        people = people_in(said, self)
        told = bags_mentioned(said) or payments(said) or people or head_count(said, people)
        one = said.has_phrase_of("one way only") and way_mentioned(said)
        kind = one or said.has_phrase_of("one way", "round trip")
        return bool(named or told or kind or not read_flight_slots(said).is_empty)

    def tells_of(self, task: Task, text: str) -> bool:
        """Whether a text gives a detail of a task, apart from what it asks."""
        return self.names_something(self.without_questions(text))

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
        also |= said.has_phrase_of("same for another")
        return not (also or (said.ids and known and said.ids != known))

    def adds_detail_to(self, request: ParsedRequest, task: Task, *, filled: bool) -> bool:
        """Whether a request only adds details to the current task.

        What is only supposed adds nothing to what is wanted, nor the other way round.
        """
        said, intent, supposed = self.parse(request.text), request.intent, request.modality
        sure = supposed == "meant" and not request.is_uncertain
        slot = self.question.slot if self.question and not self.declined else "revise"
        asks = not slot.endswith(OF_FLIGHTS) and request in self.asked_beside
        if intent == "other" and payments(said) and not said.is_question:
            return True  # "please put it back on my gift card instead"
        if asks or intent in ASIDES or intent in {"human", "other"}:
            return False
        if task.chosen.get("rebook") and intent in _REBOOKS and supposed == "meant":
            return not self.names_another(task, request)  # "fine, cancel it and book the other one"
        if sure if task.what_if else supposed == "what_if":
            return False
        if intent == task.intent:
            return not said.has_phrase_of("same for another")
        if task.intent == "book_flight" and intent in OF_A_BOOKING:
            elsewhere = said.has_phrase_of("a reservation") and not said.has_phrase_of("at hand")
            return not (said.ids or self.names_another(task, request) or elsewhere)
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
        told = [(intent_of_details(each), each.text) for each in (alone, said)]
        return next((ParsedRequest(name, text, 1.0, ()) for name, text in told if name), None)

    def refine_requests(
        self, wishes: list[ParsedRequest], message: ParsedMessage
    ) -> list[ParsedRequest]:
        """The independent requests; one that only adds details to another is merged into it."""
        wishes = [each for each in wishes if each.intent != "about_clerk"] or wishes
        wishes = without_known_bookings(wishes, self.parse)
        details = self.parse_all(message.detail_sentences)
        booked = any(each.cabins and tells_of_booking(each) for each in details)
        booking = "book_flight" in {e.intent for e in self.open_tasks} | {e.intent for e in wishes}
        searched = any(e.intent in {"book_flight", "search_flights"} for e in self.tasks)
        wishes = without_same_flights(wishes, message, self.parse)
        wishes = with_own_ticket(wishes, self.parse(message.text))
        wishes = with_one_booking(wishes, message, self.parse)
        for wish in wishes:
            self._settle_reading(wish, booked=booked, booking=booking, searched=searched)
            self._take_rest_of_question(wish, message)
        return self._refined([e for e in wishes if not self._asks_in_booking(e, message)])

    def _settle_reading(
        self, wish: ParsedRequest, *, booked: bool, booking: bool, searched: bool
    ) -> None:
        """Correct what a request was read as, in view of the days and cabins that it names.

        ``booked`` is whether a booked trip's cabin is told beside it, ``booking`` whether a trip is
        being booked, and ``searched`` whether one was ever looked for.
        """
        said, travels = self.parse(wish.text), wish.intent in {"book_flight", "change_flights"}
        if wish.modality == "what_if" and said.has_phrase_of("thought better"):
            wish.modality = "denied"
        does = booked and wish.modality == "denied" and said.has_phrase_of("will do")
        if said.cabins and does:
            wish.become("change_cabin")  # "I booked business. Economy will do after all"
        trips = self.records.user is None or self.records.reservation_ids
        booked_trip = bool(trips) and not searched
        if booked_trip and travels and moves_day(said):
            wish.become("change_flights", wish.modality)
        if booked_trip and not booking and wish.intent == "search_flights" and moves_time(said):
            wish.become("change_flights")
        wanted = wish.modality == "meant" and wish.modality_probability >= WANTED
        likely = wish.is_uncertain and "change_cabin" in {e.name for e in wish.guesses[:3]}
        other = booking or wish.intent in OF_A_BOOKING
        if wanted and likely and said.cabins and not other:
            wish.become("change_cabin", "what_if" if said.is_question else "meant")

    def _asks_in_booking(self, wish: ParsedRequest, message: ParsedMessage) -> bool:
        """Whether a question for flights is one about the open booking, which then answers it.

        That is so if it names a time on the way that is being booked, and the cabin is known. What
        is said beside the question is of the booking anyway.
        """
        booking = [each for each in self.open_tasks if each.intent == "book_flight"]
        if not booking or wish not in self.asked_beside or self.told_detail:
            return False
        task, told = booking[0], self.without_questions(message.text)
        said = self.parse(wish.text)
        slots = read_flight_slots(said)
        with_it = replace(task, notes=[*task.notes, told])
        timed = (slots.around or slots.limits) and not said.places and not said.days
        if timed and trip_of(with_it, self).cabin:
            task.note(wish.text.replace("?", " "))
            self.told_detail = True
            return True
        if self.names_something(told):
            task.note(told)
        return False

    def _refined(self, wishes: list[ParsedRequest]) -> list[ParsedRequest]:
        """The requests that are no details of others."""
        upgrades = [e for e in wishes if e.intent == "change_cabin" and e.modality == "what_if"]
        meant = [each for each in wishes if each.modality != "denied"]
        cancelled = [each for each in meant if each.intent == "cancel_reservation"]
        if upgrades and cancelled:  # whether an upgrade lets one cancel is one question
            cancelled[0].text = f"{upgrades[0].text} . {cancelled[0].text}"
            cancelled[0].modality = "what_if"
            wishes = [each for each in wishes if each not in upgrades]
        kept: list[ParsedRequest] = []
        books = "book_flight" in {each.intent for each in wishes}
        for wish in wishes:
            said = self.parse(wish.text)
            if wish.intent == "price" and books and not self.names_something(wish.text):
                continue  # the flights have it
            if wish.intent == "price" and wish.modality != "denied":
                wish.become(*self._what_is_priced(said))
            elif wish.intent == "change_passengers" and names_in(said, self):
                wish.become(wish.intent, wish.modality)  # a name makes it certain
            other = self._request_detailed(wish, wishes)
            if other is None:
                kept.append(wish)
            else:
                other.text = f"{other.text} . {wish.text}"
        return kept

    def _take_rest_of_question(self, wish: ParsedRequest, message: ParsedMessage) -> None:
        """Add to what is asked the other half of its sentence: "if I …, what's a seat?"."""
        if wish.intent in ACTS and wish.modality != "what_if":
            return
        whole = next((e.text for e in sentences(message.text) if wish.text[:20] in e.text), "")
        for each in [*message.detail_sentences]:
            if each.endswith("?") and each[:20] in whole:
                wish.text = f"{wish.text} {each}"
                message.detail_sentences.remove(each)

    def _what_is_priced(self, said: ParsedSentence) -> tuple[str, Modality]:
        """The intent and the mood of a question about a price, by what it names.

        The price of a change is that of the change at hand, or one that is only asked about.
        """
        about, last = self.current_task, self.tasks[-1] if self.tasks else None
        named = said.cabins or said.names_trip or not read_flight_slots(said).is_empty
        booking = any(each.intent == "book_flight" for each in self.open_tasks)
        if not named and about is not None and about.intent in ACTS:
            return "cost_of_change", "meant"
        if said.has_phrase("bag", "bags", "luggage", "suitcase"):
            return "allowance", "meant"
        if said.has_phrase("insurance"):
            return "policy_question", "meant"
        searched = last is not None and last.intent == "search_flights"
        flights = {FROM, TO} <= {each.role for each in said.places} or booking or searched
        if said.cabins and not flights:
            return "change_cabin", "what_if"
        at_hand = about is not None and about.intent == "change_flights"
        if said.days and not flights and (said.has_phrase_of("changes") or not at_hand):
            return "change_flights", "what_if"
        if named or flights:
            return "search_flights", "meant"
        return (
            ("change_cabin", "what_if") if said.has_phrase_of("fares") else ("price_told", "meant")
        )

    def _request_detailed(
        self, request: ParsedRequest, wishes: list[ParsedRequest]
    ) -> ParsedRequest | None:
        """The other request that this one only adds details to, or None."""
        others = [each for each in wishes if each is not request and each.modality == "meant"]
        of = {each.intent: each for each in reversed(others)}
        said, intent = self.parse(request.text), request.intent
        if intent in OF_A_BOOKING and not (said.ids or said.has_phrase_of("a reservation")):
            return of.get("book_flight")
        if intent == "complaint" or (intent == "other" and reason([said])):
            return of.get("cancel_reservation") or of.get("compensation")
        if request.is_uncertain and self.names_something(request.text) and not said.is_question:
            # "looking for a seat …, one way, just me", "we were due to fly to Denver today, and …"
            return of.get("search_flights") or of.get("complaint")
        searched = any(each.intent == "search_flights" for each in self.tasks)
        if intent == "search_flights" and not (said.places or searched):  # "what's the cheapest?"
            return of.get("book_flight") or of.get("change_flights")
        paid = [each for each in others if each.intent in {*OF_A_BOOKING, "book_flight"}]
        return paid[-1] if paid and intent in _OF_PAYMENT and not said.is_question else None
