"""One turn's block, folded from its events; it grows until the customer speaks again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agent.context.block import CONDITION, IDENTIFIED, UNFINISHED, Block
from agent.models.history import (
    CHANGE_WANTED,
    DECLINED,
    NOTE,
    WITHDRAWN,
    AssistantTurn,
    closing_note,
    merge_neighbours,
    note_of_answer,
)
from agent.models.protocol import Message
from agent.reflection.reflection import OPENING
from sessions.events import (
    SPOKEN_PURPOSES,
    AgentNudged,
    AgentSaid,
    AnyEvent,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardAnswered,
    CardShown,
    CustomerSaid,
    DecisionMade,
    ModelAnswered,
    ModelFailed,
    ModelRequested,
    ToolReturned,
    WriteApplied,
)

_CONDITION = re.compile(
    r"\b(?:if|unless|otherwise|provided|as long as|in case|or else|only when)\b", re.IGNORECASE
)

_WORDLESS = {"role": "user", "content": f"{NOTE} the customer sent a message without words."}
"""Stands in for a message without words, since every turn must begin with a message."""

_NO = {
    "reject": (DECLINED, "declined"),
    "change": (CHANGE_WANTED, "sent back for a change"),
    "withdrawn": (WITHDRAWN, "withdrawn"),
}


def _as_the_customers(words: str) -> str:
    """The customer's words, marked as theirs if they begin like a note of the console."""
    begins = words.lstrip().lower()
    posing = any(begins.startswith(each.lower()) for each in (NOTE, OPENING))
    return f"The customer writes: {words}" if posing else words


class GrowingBlock:
    """One turn's block, which grows until the customer speaks again."""

    def __init__(self, turn: int) -> None:
        self._turn = turn
        self._blocks: dict[str | None, Block | None] = {}
        """The current block, by the model that gets its own provider's fields back in it."""

        self._providers: set[str] = set()
        """The models whose answers in this turn carry such fields."""

        self._entries: list[Message | AssistantTurn] = []
        self._words: list[str] = []
        self._tools: list[str] = []
        self._identified = False
        self._cards: dict[str, tuple[Card, AssistantTurn | None]] = {}
        self._checks: dict[str, str] = {}
        """The call that each attention check was shown before, by the id of the check's card."""

        self._outcome: dict[str, str] = {}
        self._purpose = "act"
        self._unsaid: str | None = None

    def add(self, event: AnyEvent) -> None:
        """Process the next event of this turn."""
        self._blocks.clear()
        match event:
            case CustomerSaid():
                self._begin(event.text)
            case ModelRequested():
                self._purpose = event.purpose
            case ModelAnswered(purpose="act"):
                self._entries.append(AssistantTurn(event))
                self._unsaid = event.text.strip()
                self._providers.update([event.model] if event.provider else [])
            case AgentNudged():
                self._take_back()
            case AgentSaid():
                self._say(event)
            case ToolReturned():
                self._return(event)
            case ModelFailed(fault="cancelled") if (
                event.partial.strip() and self._purpose in SPOKEN_PURPOSES
            ):
                self._break_off(event.partial)
            case _:
                self._add_of_write(event)

    def _add_of_write(self, event: AnyEvent) -> None:
        """Process an event of a write: a check before its card, the card, or the result."""
        match event:
            case AttentionCheckShown() | AttentionCheckDecided():
                self._check(event)
            case CardShown():
                self._show(event.card)
            case DecisionMade() | CardAnswered() if event.card_id in self._cards:
                self._at_card(event, *self._cards[event.card_id])
            case WriteApplied():
                self._settle(event.call_id, event.result)
                self._outcome[event.call_id] = "failed" if event.error else "done"
            case _:
                pass

    def block(self, model: str) -> Block | None:
        """The current block as `model` reads it; None if nothing has been said in it."""
        reader = model if model in self._providers else None
        if reader not in self._blocks:
            self._blocks[reader] = self._render(reader)
        return self._blocks[reader]

    def _render(self, reader: str | None) -> Block | None:
        messages = tuple(merge_neighbours(self._messages(reader)))
        cards = [card for card, _ in self._cards.values()]
        named = {card.call_id: card.tool for card in cards}
        ends = (f"{named[call]}: {end}" for call, end in self._outcome.items() if call in named)
        if not messages:
            return None
        return Block(
            turn=self._turn,
            messages=messages,
            words=tuple(self._words),
            sentences=tuple(dict.fromkeys(card.sentence for card in cards)),
            tools=tuple(dict.fromkeys(self._tools)),
            changes=tuple(ends),
            pins=self._pins(),
        )

    def _messages(self, reader: str | None) -> Iterator[Message]:
        for entry in self._entries:
            if isinstance(entry, AssistantTurn):
                yield from entry.messages(reader)
            else:
                yield entry

    def _begin(self, words: str) -> None:
        self._hear(words, self._entries)
        if not self._entries:
            self._entries.append(_WORDLESS)

    def _hear(self, words: str, where: list[Any]) -> None:
        if words.strip():
            where.append({"role": "user", "content": _as_the_customers(words)})
            self._words.append(words)

    def _take_back(self) -> None:
        """Drop the agent's last words, which were not shown to the customer."""
        if self._entries and isinstance(self._entries[-1], AssistantTurn):
            self._entries.pop()

    def _say(self, event: AgentSaid) -> None:
        """Add the agent's words, unless they repeat the answer that was just given."""
        message = {"role": "assistant", "content": event.text}
        if not event.text.strip():
            return
        if event.about_card in self._cards:
            self._asides(self._cards[event.about_card][1]).append(message)
        elif event.text.strip() != self._unsaid:
            self._entries.append(message)
        else:
            self._unsaid = None

    def _return(self, event: ToolReturned) -> None:
        self._settle(event.call_id, event.text)
        self._tools.append(event.name)
        if event.customer is not None:
            self._identified = True

    def _show(self, card: Card) -> None:
        exchange = self._of_call(card.call_id)
        if exchange is not None:
            exchange.results.pop(card.call_id, None)
        self._cards[card.id] = (card, exchange)
        self._outcome.pop(card.call_id, None)
        self._outcome[card.call_id] = "not decided"

    def _check(self, event: AttentionCheckShown | AttentionCheckDecided) -> None:
        """Hide an attention check from the agent; one that was left counts as a withdrawn card."""
        if isinstance(event, AttentionCheckShown):
            self._checks[event.card.id] = event.card.call_id
        elif event.decision == "withdrawn" and event.card_id in self._checks:
            self._settle(self._checks[event.card_id], WITHDRAWN)

    def _at_card(
        self, event: DecisionMade | CardAnswered, card: Card, exchange: AssistantTurn | None
    ) -> None:
        if isinstance(event, DecisionMade):
            self._decide(event, card, exchange)
        else:
            self._asides(exchange).append(note_of_answer(event.text))

    def _decide(self, event: DecisionMade, card: Card, exchange: AssistantTurn | None) -> None:
        asides = self._asides(exchange)
        talked = exchange is not None and bool(asides)
        if exchange is not None:
            exchange.asked.discard(card.call_id)
        if event.decision == "ask":
            self._hear(event.words, asides)
            if exchange is not None:
                exchange.asked.add(card.call_id)
            return
        if event.decision == "approve":
            self._outcome[card.call_id] = "approved"
        else:
            result, self._outcome[card.call_id] = _NO[event.decision]
            self._settle(card.call_id, result)
        self._hear(event.words, asides)
        if talked and not event.words.strip():
            asides.append(closing_note(self._outcome[card.call_id]))

    def _break_off(self, partial: str) -> None:
        """Add the words that had arrived when the user stopped the agent."""
        message = {"role": "assistant", "content": partial}
        if self._purpose == "answer_about_card" and self._cards:
            self._asides(list(self._cards.values())[-1][1]).append(message)
        else:
            self._entries.append(message)

    def _of_call(self, call_id: str) -> AssistantTurn | None:
        """The newest answer that proposed this call; a dropped call's id may be used again."""
        for entry in reversed(self._entries):
            if isinstance(entry, AssistantTurn) and entry.proposes(call_id):
                return entry
        return None

    def _asides(self, exchange: AssistantTurn | None) -> list[Any]:
        return self._entries if exchange is None else exchange.asides

    def _settle(self, call_id: str, result: str) -> None:
        exchange = self._of_call(call_id)
        if exchange is not None:
            exchange.results[call_id] = result

    def _pins(self) -> frozenset[str]:
        last = next(reversed(self._outcome.values()), "done")
        pins = {
            IDENTIFIED: self._identified,
            UNFINISHED: last != "done",
            CONDITION: any(_CONDITION.search(words) for words in self._words),
        }
        return frozenset(reason for reason, holds in pins.items() if holds)
