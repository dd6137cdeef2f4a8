"""The airline's dialogue, whole: what is heard, and how its wishes and trips bear on each other."""

from __future__ import annotations

from dataclasses import dataclass

from agent.clerk.airline.refining import refine_wishes
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_meant
from agent.clerk.airline.wording import trip
from agent.clerk.task import Task
from agent.clerk.understanding.wishes import Message, Wish


@dataclass
class AirlineDialogue(Talk):
    """A conversation with a traveller."""

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
