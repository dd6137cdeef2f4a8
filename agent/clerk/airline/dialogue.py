"""How the airline's clerk hears messages: what it knows better than any dialogue."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.clerk.airline.answering import answer_to
from agent.clerk.airline.asides import ASIDES, SENTENCE_END, aside_in, split_asides
from agent.clerk.airline.bags import bags_told, insurance_wish
from agent.clerk.airline.flight_wish import Leg, side_of, wish
from agent.clerk.airline.manner import ACTS
from agent.clerk.airline.paying import join_methods
from agent.clerk.airline.people import head_count, people_in
from agent.clerk.airline.reasons import intent_of_details
from agent.clerk.airline.refining import changes, doubt_cancellation, refine_wishes, without_booking
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.talk_of_money import payments
from agent.clerk.airline.trips import find_meant
from agent.clerk.airline.wording import trip
from agent.clerk.state.identity import identity, put_identity_right
from agent.clerk.state.records import Asked
from agent.clerk.state.steps import Ask, Choice
from agent.clerk.state.task import Task
from agent.clerk.understanding.wishes import CLEAR, Message, Wish

_NOTHING_MORE = "."
"""What is left of a message that told nothing more."""

_SERVES = re.compile(r"\bserves?\b", re.IGNORECASE)
_USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d{3,5}\b[\s,.:;-]*")
_OF_A_BOOKING = frozenset(
    {"change_flights", "change_cabin", "change_passengers", "add_bags", "insurance"}
)
"""What reads like a change of a reservation may be a detail of the booking at hand."""

_OF_A_CHANGE = frozenset({"change_flights", "change_cabin"})
_REPEATED = frozenset({"flight_status", "reservation_info", "paid", "search_flights", "allowance"})
"""Questions that naming another trip asks once more."""


@dataclass
class AirlineDialogue(Talk):
    """A conversation with a traveller."""

    def prepare(self, text: str) -> str:
        """A message without what only denies the booking at hand, or names a user.

        Which city airports serve is told by a sentence that asks for no flight.
        """
        rest = without_booking(text) if self._bookings() else None
        text = self.memory.write_ids(text if rest is None else rest or _NOTHING_MORE)
        text = _USER_ID.sub(" . ", text).strip(" .") or text
        sentences = SENTENCE_END.split(text)
        maps = [e for e in sentences if _SERVES.search(e) and len(self.line(e).places) > 1]
        return " ".join(each for each in sentences if each not in maps) or _NOTHING_MORE

    def introduce(self, text: str, told: Message) -> None:
        """Who speaks; a booking that is denied is let go of before the rest is taken up."""
        self._identify(text, told)
        told.wishes = [doubt_cancellation(e, self.line(e.text), told) for e in told.wishes]
        self._take_asides(_USER_ID.sub(" . ", text).strip(" ."), told)
        rest = without_booking(text)
        if rest is None or not self._bookings():
            return
        for each in self._bookings():
            self.drop(each)
        self.unwanted.clear()
        told.text = rest or _NOTHING_MORE
        sure = [each for each in told.wishes if each.mode == "meant" and not each.unsure]
        if changes(rest) and not any(each.intent in ACTS for each in sure):
            told.wishes = [Wish("change_flights", rest, 1.0, (), has_verb=True)]

    def _take_asides(self, text: str, told: Message) -> None:
        """Questions that are asked instead of an answer become wishes; the rest is read without."""
        asked, rest = split_asides(text, self)
        if asked and rest:
            again = self.reader.read(self.prepare(rest))
            told.text, told.wishes, told.loose = rest, again.wishes, again.loose
        elif asked:
            told.wishes, told.loose = [], []
        told.wishes += asked

    def _identify(self, text: str, told: Message) -> None:
        """Who speaks; another's user id, once somebody is known, is a wish about another person."""
        found = identity(text)
        if self.memory.user is None or self.memory.user_id is None:
            found = put_identity_right(self.identity, text) or found
            manners = {"about_clerk", "smalltalk"}
            told.asides += (each.intent for each in told.wishes if each.intent in manners)
            told.wishes = [each for each in told.wishes if each.intent not in manners]
            self.introduced = found.user_id
            self.identity.add(found)
        elif any(each != self.memory.user_id for each in found.user_ids):
            told.wishes = [Wish("other_person", text, 1.0, (), has_cue=True)]

    def names(self, text: str) -> bool:
        """Whether a text names any particular of a trip."""
        said = self.line(text)
        named = said.places or said.days or said.ids or said.cabins or said.births
        people = people_in(said, self)
        told = bags_told(said) or payments(said) or people or head_count(said, people)
        one_way = side_of(said) and said.tells("one way only")
        return bool(named or told or one_way or wish(said) != Leg())

    def fills(self, about: Task, text: str) -> str:
        """The sentence that a text stands for as an answer; what it costs is none."""
        said, wishes = self.line(text), self.last.wishes if self.last is not None else []
        slot = self.ask.slot if self.ask is not None and not self.declined else "revise"
        if aside_in(said, self):
            return ""
        if about.intent == "change_passengers" and slot == "revise" and said.tells("not self"):
            return text
        if wishes and all(each.mode == "what_if" for each in wishes) and not about.what_if:
            return ""
        denied = any(each.mode == "denied" and not self.denies(each, about) for each in wishes)
        if slot == "revise" and (denied or text.rstrip().endswith("?")):
            return ""
        part = about.intent == "cancel_reservation" and said.tells("one way only")
        return answer_to(slot, about, said, self) or (text if part and side_of(said) else "")

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
        other = said.ids and not set(said.ids) & set(self.line(about.all_words).ids or said.ids)
        if wish.intent in ASIDES or other or (wish.mode == "what_if" and not about.what_if):
            return False
        if wish.intent == about.intent and about.what_if == (wish.mode == "what_if"):
            return True
        if about.intent == "book_flight" and wish.intent in _OF_A_BOOKING:
            return not said.tells("a reservation")
        if self.declined and {wish.intent, str(about.intent)} <= _OF_A_CHANGE:
            return True
        if wish.intent in {"human", "other"}:
            return False
        asks = "?" in wish.text or said.has("how much", "what", "which", "how many", "who")
        if wish.has_verb if wish.intent in ACTS else asks:
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
        """A remark on a refusal, or another trip named after an answer, takes the task up again."""
        last = self.requests[-1] if self.requests else None
        if last is None or self.open or (self.ask is not None and self.about is not None):
            return False
        if last.outcome == "answered" and last.intent in _REPEATED and _is_bare(told):
            said = self.line(told.text)
            again = bool(said.places or said.days) and "?" not in said.words
        else:
            refused = last.outcome == "refused" and last.intent in ACTS
            again = refused and self._objects(last, told)
        if again:
            last.closed, last.wait = False, ""
            last.note(told.text)
            told.wishes = []
        return again

    def _objects(self, last: Task, told: Message) -> bool:
        """Whether a remark insists on what was refused, or tells more of it."""
        sure = {*ACTS, "human", "other"}
        said = self.line(told.text)
        insists = said.tells("insists") and len(said.words) < 25
        if any(each.intent in sure or each.mode == "denied" for each in told.wishes):
            return False
        if insists or {"farewell", "no"} & set(told.asides) or "?" in said.text:
            return insists
        why = bool(answer_to("reason", last, said, self))
        return why if last.intent == "cancel_reservation" else self.names(said.text)

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

    def details_of(self, intent: str) -> frozenset[str]:
        """The intents that only tell a detail of a task of this intent."""
        return _OF_A_BOOKING if intent == "book_flight" else frozenset({intent})

    def same(self, task: Task, intent: str, wish: Wish) -> bool:
        """Whether no other reservation is named than in the task."""
        said, known = self.line(wish.text), self.line(task.all_words).ids
        also = said.has("also", "another", "as well", "too") and intent != "book_flight"
        return not (also or (said.ids and known and said.ids != known))

    def refine(self, wishes: list[Wish], told: Message) -> list[Wish]:
        """The wishes, each as the others of the message have it."""
        return refine_wishes(wishes, told, self)

    def lead_of(self, task: Task) -> str:
        """Which reservation words speak of that ask for nothing clear."""
        said = self.line(task.text)
        if not (said.places or said.days or said.ids):
            return ""
        found = find_meant(task, self)
        if len(found) == 1:
            return f"You wrote about reservation {trip(found[0])}."
        return "" if found else "I don't find a reservation like that."

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
        """What a write has changed or made; a booking declined before it is not asked for."""
        for each in self._bookings():
            if each.wait == "revise" and asked.name != "book_reservation":
                each.closed, each.outcome = True, "dropped"
        booked = self.memory.booked[-1:] if asked.name == "book_reservation" else []
        subject = self.subject_of(asked) or next(iter(booked), "")
        self.focus = subject or self.focus
        return subject or str(asked.arguments.get("user_id"))

    def _bookings(self) -> list[Task]:
        return [each for each in self.open if each.intent == "book_flight"]


def _is_bare(told: Message) -> bool:
    """Whether a message only names something: "to New York on Monday"."""
    asks = any(each.has_cue or each.has_verb for each in told.wishes)
    return not told.wishes or (told.words[0] in {"to", "from", "on", "the", "for"} and not asks)
