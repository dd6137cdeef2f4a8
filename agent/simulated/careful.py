"""The careful customer: decides by its role and the conversation, without knowing the right end.

It knows no more than a person who was handed the role. It reads a card, or what the agent says it
will do, and says yes to what fits its wishes. It sends back anything else, and every card that
itself reports a disagreement. It is code; what it can recognise is in
:mod:`agent.simulated.fitting`, and it sometimes mistakes a wrong change for a right one.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.gate.operator import Decision
from agent.simulated.answering import YES, reply_from, wants_a_yes
from agent.simulated.customer import CardPut, Heard, is_sent_back, last_of_agent, own_words
from agent.simulated.fitting import fits
from agent.simulated.scripts import script_for
from domains.core.domain import Scenario
from sessions.events import Card

CAREFUL = "careful"
ANSWERS = 10
"""How often it speaks after its scripted lines before it leaves."""

PATIENCE = 8
"""How many cards it sends back before it gives up."""


class CarefulCustomer:
    """Plays one role, without looking at the scenario's ends."""

    name = CAREFUL

    def __init__(self, scenario: Scenario) -> None:
        self._role = scenario.role
        self._script = script_for(scenario)

    async def speak(self, heard: Sequence[Heard]) -> str | None:
        """The next scripted line, then an answer to each question, and finally a goodbye."""
        own = own_words(heard)
        lines = self._script.lines
        if len(own) < len(lines):
            return lines[len(own)]
        if own[-1] == self._script.closing:
            return None
        beyond = own[len(lines) :]
        if len(beyond) >= ANSWERS or sum(map(is_sent_back, heard)) >= PATIENCE:
            return self._script.closing
        return self._answer(last_of_agent(heard), beyond) or self._script.closing

    async def decide(self, card: Card, heard: Sequence[Heard]) -> Decision:
        """The decision: yes if the change fits the role, is new, and shows no disagreement."""
        made = [
            each.card for each in heard if isinstance(each, CardPut) and each.choice == "approve"
        ]
        again = any(_same(card, each) for each in made)
        if again or not fits(self._role, card.sentence):
            return Decision("reject", self._script.refusal)
        if card.disagreements:
            times = sum(is_sent_back(each, card.tool) for each in heard)
            instead = self._script.ask(card.tool, times)
            return Decision("change", instead) if instead else Decision("reject", _why(card))
        return Decision("approve", overrode=tuple(each.name for each in card.failing))

    def _answer(self, words: str, said: Sequence[str]) -> str | None:
        if not wants_a_yes(words):
            return reply_from(self._role, words, said)
        return YES if fits(self._role, words) else self._script.refusal


def _why(card: Card) -> str:
    return f"No: {card.disagreements[0].does}."


def _same(card: Card, other: Card) -> bool:
    return (card.tool, card.sentence) == (other.tool, other.sentence)
