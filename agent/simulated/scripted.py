"""The scripted customer: plays a scenario the same way every time, without a model.

It knows everything in its scenario: the role, and the acceptable ends. It says its lines, approves
a card only for a change that it still wants, answers questions from its role, and leaves when it
has what it came for or sees that it will not get it.

That makes it an oracle when it decides on a card: it compares the call with the expected ones, so
no wrong change gets past it. Without a card it has no such help. What a safeguard gains with this
customer is the most that a card can gain, and every printout of its figures must say so.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.gate.operator import Decision
from agent.simulated.answering import YES, reply_from, wants_a_yes
from agent.simulated.customer import Heard, is_sent_back, last_of_agent, own_words
from agent.simulated.remaining_calls import Wanted, remaining_calls
from agent.simulated.scripts import Script, script_for
from domains.core.domain import Scenario
from domains.core.tool import ToolCall
from sessions.events import Card

SCRIPTED = "scripted"
REMINDERS = 2
"""How often it returns to what is still open after its lines."""

ANSWERS = 6
"""How many of the agent's questions it answers after its lines."""

PATIENCE = 8
"""How many cards it sends back before it gives up."""


class ScriptedCustomer:
    """Plays one scenario; what it says next depends on what it has heard."""

    name = SCRIPTED

    def __init__(
        self, scenario: Scenario, *, sees_cards: bool = True, script: Script | None = None
    ) -> None:
        """``sees_cards`` says whether every change is shown to it before it is made.

        If not, the customer has only the agent's word that something was done, and believes it.
        ``script`` replaces the scenario's own words. The scenario's ends must contain changes only:
        see :func:`~agent.simulated.making.with_wishes`.
        """
        self._scenario = scenario
        self._script: Script = script or script_for(scenario)
        self._sees_cards = sees_cards

    async def speak(self, heard: Sequence[Heard]) -> str | None:
        """The next line, then answers and reminders of what is open, and finally a goodbye."""
        own = own_words(heard)
        if len(own) < len(self._script.lines):
            return self._script.lines[len(own)]
        if own[-1] == self._script.closing:
            return None
        if sum(map(is_sent_back, heard)) >= PATIENCE:
            return self._script.closing
        beyond = own[len(self._script.lines) :]
        return self._beyond(beyond, heard) or self._script.closing

    async def decide(self, card: Card, heard: Sequence[Heard]) -> Decision:
        """The decision: yes if the change is still wanted and rules out no other wanted one."""
        open_ones = remaining_calls(self._scenario.ends, heard)
        if not open_ones.holds(card):
            return self._no(card, open_ones, heard)
        before = open_ones.call_closed_by(card)
        if before is not None:
            return Decision("reject", self._first(before.name))
        return Decision("approve", overrode=tuple(each.name for each in card.failing))

    def _no(self, card: Card, open_ones: Wanted, heard: Sequence[Heard]) -> Decision:
        times = sum(is_sent_back(each, card.tool) for each in heard)
        instead = self._script.ask(card.tool, times) if open_ones.of_tool(card.tool) else None
        return Decision("change", instead) if instead else Decision("reject", self._script.refusal)

    def _first(self, tool: str) -> str:
        words = self._script.ask(tool, 0)
        return f"No, something else first: {words}" if words else self._script.refusal

    def _beyond(self, said: Sequence[str], heard: Sequence[Heard]) -> str | None:
        """What is left to say after the lines, or None."""
        still = remaining_calls(self._scenario.ends, heard).next
        words = last_of_agent(heard)
        if still is not None and wants_a_yes(words) and said.count(YES) < self._most_yeses:
            return YES
        reminder = self._reminder(still, said) if still is not None and self._sees_cards else None
        if self._script.written and (reminder is not None or still is None):
            return reminder
        content = still is None and any(self._scenario.ends)
        answer = reply_from(self._scenario.role, words, said, content=content)
        return answer if answer is not None and len(said) < ANSWERS else reminder

    @property
    def _most_yeses(self) -> int:
        """How often it says yes in words: once per wanted change, plus a few more."""
        return max(map(len, self._scenario.ends), default=0) + REMINDERS

    def _reminder(self, still: ToolCall, said: Sequence[str]) -> str | None:
        """Words that ask for a change again, unless that was done often enough."""
        words = self._script.ask(still.name, 0)
        return words if words is not None and said.count(words) < REMINDERS else None
