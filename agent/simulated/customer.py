"""Somebody who plays the customer: what they hear, and what they are asked.

They hear what a customer would: the words of both sides, and the cards that were put to them.
Tools, records, and changes that nobody asked them about are not theirs to see.
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
"""How the log names whoever decided on a card while playing the customer."""


@dataclass(frozen=True, slots=True)
class Said:
    """Words of one side to the other."""

    by: Literal["agent", "customer", "trial"]
    text: str
    about_card: str | None = None
    """The card that was asked about, while it waited."""


@dataclass(frozen=True, slots=True)
class Put:
    """A card that was put to the customer, and what they said to it; None while it waits."""

    card: Card
    choice: Choice | None = None
    words: str = ""


Heard = Said | Put


class CustomerFault(ModelFault):
    """The model that plays the customer gave no usable answer, and not the agent's."""


class Customer(Protocol):
    """Whoever plays the customer of one session; all they know of it is what they heard."""

    @property
    def name(self) -> str:
        """How it was chosen: ``scripted``, or a model's name."""
        ...

    async def speak(self, heard: Sequence[Heard]) -> str | None:
        """What the customer says next, None when they are done; may raise CustomerFault."""
        ...

    async def decide(self, card: Card, heard: Sequence[Heard]) -> Decision:
        """Their decision on a card, from their role and the card; may raise CustomerFault."""
        ...


class AtTheGate:
    """A simulated customer as the gate knows whoever must say yes."""

    by = SIMULATED

    def __init__(self, customer: Customer) -> None:
        self._customer = customer
        self._events: Sequence[Logged] = ()

    def listen(self, events: Sequence[Logged]) -> None:
        """Follow a session by its events, a sequence that grows as the session goes on."""
        self._events = events

    async def decide(self, card: Card) -> Decision:
        """The customer's decision on a card; may raise CustomerFault."""
        return await self._customer.decide(card, customer_history(self._events))


def customer_history(events: Iterable[Logged]) -> list[Heard]:
    """What the customer of a session has heard and said so far, in order."""
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
                found.append(Put(event.card))
            case DecisionMade() as event:
                _take_decision(found, event)
            case _:
                pass
    return found


def own_words(heard: Iterable[Heard]) -> list[str]:
    """What the customer has said so far, questions about a card left out."""
    said = (each for each in heard if isinstance(each, Said))
    return [each.text for each in said if each.by == "customer" and each.about_card is None]


def last_of_agent(heard: Sequence[Heard]) -> str:
    """The agent's last words; empty where there are none."""
    said = (each for each in reversed(heard) if isinstance(each, Said))
    return next((each.text for each in said if each.by == "agent"), "")


def is_sent_back(each: Heard, tool: str | None = None) -> bool:
    """Whether this is a card that was sent back, of that tool or of any."""
    if not isinstance(each, Put) or each.choice not in ("reject", "change"):
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
        if isinstance(each, Put) and _is(each, card_id):
            found[place] = replace(each, choice=choice, words=words)


def _is(each: Heard, card_id: str) -> bool:
    return isinstance(each, Put) and each.card.id == card_id
