"""The interface of a simulated customer: what it hears, and what it is asked.

It hears what a real customer would: the words of both sides, and the cards that were shown to it.
It cannot see tools, records, or changes that it was not asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from agent.gate.operator import Decision
from agent.models.protocol import ModelFault
from sessions.events import (
    AgentSaid,
    AttentionCheckAsked,
    Card,
    CardAnswered,
    CardShown,
    Choice,
    CustomerSaid,
    DecisionMade,
    Logged,
)

SIMULATED = "simulated"
"""What the log records as the decider when a simulated customer decides on a card."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message from one side to the other."""

    by: Literal["agent", "customer", "trial"]
    text: str
    about_card: str | None = None
    """The waiting card that it is about, if any."""


@dataclass(frozen=True, slots=True)
class CardPut:
    """A card shown to the customer, and their answer to it; None while it is waiting."""

    card: Card
    choice: Choice | None = None
    words: str = ""


Heard = Said | CardPut


class CustomerFault(ModelFault):
    """The model that plays the customer, not the agent's model, gave no usable answer."""


class Customer(Protocol):
    """The player of one session's customer, who knows only what the customer has heard."""

    @property
    def name(self) -> str:
        """The name it was chosen by: ``scripted``, or a model's name."""
        ...

    async def speak(self, heard: Sequence[Heard]) -> str | None:
        """What the customer says next; None when they are done. May raise CustomerFault."""
        ...

    async def decide(self, card: Card, heard: Sequence[Heard]) -> Decision:
        """Their decision on a card, from their role and the card; may raise CustomerFault."""
        ...


class AtTheGate:
    """Adapts a simulated customer to the gate's operator interface."""

    by = SIMULATED

    def __init__(self, customer: Customer) -> None:
        self._customer = customer
        self._events: Sequence[Logged] = ()

    def listen(self, events: Sequence[Logged]) -> None:
        """Follow a session through its events, a sequence that grows with the session."""
        self._events = events

    async def decide(self, card: Card) -> Decision:
        """The customer's decision on a card; may raise CustomerFault."""
        return await self._customer.decide(card, customer_history(self._events))


def customer_history(events: Iterable[Logged]) -> list[Heard]:
    """Everything that a session's customer has heard and said so far, in order."""
    found: list[Heard] = []
    for logged in events:
        match logged.event:
            case AgentSaid() as event:
                found.append(Said("agent", event.text, event.about_card))
            case CardAnswered() as event:
                found.append(Said("trial", event.text, event.card_id))
            case AttentionCheckAsked() as event:
                found.append(Said("customer", event.words, event.card_id))
                found.append(Said("trial", event.answer, event.card_id))
            case CustomerSaid() as event:
                found.append(Said("customer", event.text))
            case CardShown() as event:
                if event.replaces is not None:
                    _settle(found, event.replaces, "withdrawn", "")
                found.append(CardPut(event.card))
            case DecisionMade() as event:
                _take_decision(found, event)
            case _:
                pass
    return found


def own_words(heard: Iterable[Heard]) -> list[str]:
    """What the customer has said so far, except questions about a card."""
    said = (each for each in heard if isinstance(each, Said))
    return [each.text for each in said if each.by == "customer" and each.about_card is None]


def last_of_agent(heard: Sequence[Heard]) -> str:
    """The agent's last words; empty if there are none."""
    said = (each for each in reversed(heard) if isinstance(each, Said))
    return next((each.text for each in said if each.by == "agent"), "")


def is_sent_back(each: Heard, tool: str | None = None) -> bool:
    """Whether this is a card that was sent back, for that tool or for any."""
    if not isinstance(each, CardPut) or each.choice not in ("reject", "change"):
        return False
    return tool in (None, each.card.tool)


def _take_decision(found: list[Heard], event: DecisionMade) -> None:
    if event.decision == "ask":
        found.append(Said("customer", event.words, event.card_id))
    elif event.by in ("auto", "rule"):
        found[:] = [each for each in found if not _is(each, event.card_id)]
    else:
        _settle(found, event.card_id, event.decision, event.words)


def _settle(found: list[Heard], card_id: str, choice: Choice, words: str) -> None:
    for place, each in enumerate(found):
        if isinstance(each, CardPut) and _is(each, card_id):
            found[place] = replace(each, choice=choice, words=words)


def _is(each: Heard, card_id: str) -> bool:
    return isinstance(each, CardPut) and each.card.id == card_id
