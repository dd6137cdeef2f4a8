"""Stand-ins that implement the real protocols: a model and a person who follow a script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

from agent.gate.operator import Decision
from agent.models.protocol import CallPiece, Finish, ModelFault, ModelRequest, Piece, TextPiece
from sessions.events import Card, Usage

Answer = str | list[tuple[str, Any]] | ModelFault | tuple[str, list[tuple[str, Any]]]
"""Words; calls as (name, arguments or raw text); a fault; or words together with calls."""


def call(name: str, **arguments: Any) -> list[tuple[str, Any]]:
    """An answer that is one call."""
    return [(name, arguments)]


class ScriptedModel:
    """A model that gives prepared answers in order, then says the same closing words for ever."""

    def __init__(self, *answers: Answer, name: str = "scripted", sure: bool = False) -> None:
        """One that is ``sure`` makes its calls again where it is asked to think them over."""
        self.name = name
        self.answers = list(answers)
        self.requests: list[ModelRequest] = []
        self._calls = 0
        self._sure = sure
        self._last: Answer = ""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        self.requests.append(request)
        await asyncio.sleep(0)
        again = self._sure and is_second_thought(request)
        answer = self._last if again else self.answers.pop(0) if self.answers else "Anything else?"
        self._last = answer
        if isinstance(answer, ModelFault):
            raise answer
        words, calls = _parts(answer)
        if words:
            yield TextPiece(words)
        for index, (name, arguments) in enumerate(calls):
            self._calls += 1
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            yield CallPiece(index, f"call-{self._calls}", name, text)
        yield Finish("tool_calls" if calls else "stop", Usage(prompt=10, completion=5))


def is_second_thought(request: ModelRequest) -> bool:
    """Whether the model is asked to hold its own change against all that was said."""
    return request.effort == "high"


def _parts(
    answer: str | list[tuple[str, Any]] | tuple[str, list[tuple[str, Any]]],
) -> tuple[str, list[tuple[str, Any]]]:
    if isinstance(answer, str):
        return answer, []
    return ("", answer) if isinstance(answer, list) else answer


class ScriptedOperator:
    """A person who gives prepared decisions in order, and says no once they have run out."""

    by = "person"

    def __init__(
        self,
        *decisions: Decision | str,
        meanwhile: Callable[[Card], Awaitable[None]] | None = None,
    ) -> None:
        self.decisions: list[Decision | str] = list(decisions)
        self.cards: list[Card] = []
        self.meanwhile = meanwhile

    async def decide(self, card: Card) -> Decision:
        self.cards.append(card)
        if self.meanwhile is not None:
            await self.meanwhile(card)
        decision = self.decisions.pop(0) if self.decisions else "reject"
        return decision if isinstance(decision, Decision) else decision_of(decision)


def decision_of(text: str) -> Decision:
    """``approve`` or ``reject: because`` as a decision."""
    choice, _, words = text.partition(":")
    return Decision(choice.strip(), words.strip(), milliseconds=700)  # type: ignore[arg-type]


def said(texts: Iterable[str]) -> list[Answer]:
    """Answers that are words only."""
    return list(texts)
