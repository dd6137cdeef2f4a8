"""The airline's dialogue, whole: what is heard, and how its wishes and trips bear on each other."""

from __future__ import annotations

from dataclasses import dataclass

from agent.clerk.airline.calling_off import doubt_cancellation
from agent.clerk.airline.costing import COST, asks_of_cost
from agent.clerk.airline.denying import changes, without_booking
from agent.clerk.airline.manner import ACTS
from agent.clerk.airline.refining import refine_wishes
from agent.clerk.airline.spoken_of import is_not_self
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_meant
from agent.clerk.airline.wording import trip
from agent.clerk.remembering import Asked
from agent.clerk.task import Task
from agent.clerk.understanding.wishes import Message, Wish


@dataclass
class AirlineDialogue(Talk):
    """A conversation with a traveller."""

    def prepare(self, text: str) -> str:
        """A message without what only says that the booking at hand is not wanted."""
        rest = without_booking(text) if self._bookings() else None
        return super().prepare(text if rest is None else rest or ".")

    def introduce(self, text: str, told: Message) -> None:
        """Who speaks; a booking that is denied is let go of before the rest is taken up."""
        super().introduce(text, told)
        told.wishes = [doubt_cancellation(e, self.line(e.text), told) for e in told.wishes]
        if asks_of_cost(self.line(text), self):
            told.wishes, told.loose = [Wish(COST, text, 1.0, (), has_cue=True, has_verb=True)], []
        rest = without_booking(text)
        if rest is None or not self._bookings():
            return
        for each in self._bookings():
            self.drop(each)
        self.unwanted.clear()
        told.text = rest or "."
        sure = [each for each in told.wishes if each.mode == "meant" and not each.unsure]
        if changes(rest) and not any(each.intent in ACTS for each in sure):
            told.wishes = [Wish("change_flights", rest, 1.0, (), has_verb=True)]

    def fills(self, about: Task, text: str) -> str:
        """The sentence that a text stands for as an answer; what it costs is none."""
        said = self.line(text)
        if asks_of_cost(said, self):
            return ""
        revised = self.declined or (self.ask is not None and self.ask.slot == "revise")
        corrects = about.intent == "change_passengers" and revised and is_not_self(said)
        return text if corrects else super().fills(about, text)

    def belongs(self, wish: Wish, about: Task, *, filled: bool) -> bool:
        """Whether a wish only tells more of the task at hand; what that costs is asked of it."""
        return wish.intent != COST and super().belongs(wish, about, filled=filled)

    def record_written(self, asked: Asked) -> str:
        """What a write has changed; a booking that was declined before it is not asked for."""
        for each in self._bookings():
            if each.wait == "revise" and asked.name != "book_reservation":
                each.closed, each.outcome = True, "dropped"
        return super().record_written(asked)

    def _bookings(self) -> list[Task]:
        return [each for each in self.open if each.intent == "book_flight"]

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
