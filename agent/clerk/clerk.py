"""The clerk: a deterministic service agent that needs no model, no key and no network.

It is asked like any chat model and answers from nothing but the messages and tools it is given.
It is not a language model. How it works stands in the package's own description; how a domain
says what it can do:

- ``examples.json``: its intents, each with a few dozen sentences; ``python -m
  agent.clerk.understanding.embed_examples DOMAIN`` computes ``examples.npz`` from it.
- ``manner.json``: which intents change something, which are mere manners, which are one skill
  (``families``), the words that point to each (``cues``) and those that leave no doubt (``verbs``).
- ``talk``: a ``Dialogue`` that knows what the trade knows better; ``skills``: its ``Trade``.

A domain without skills is served by ``by_schema``: it offers the tools and asks for arguments.
"""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator
from typing import Any

from agent.clerk.airline.skills import AIRLINE
from agent.clerk.by_schema import answer as answer_by_schema
from agent.clerk.card_questions import answer_about_card
from agent.clerk.deciding.serving import next_step
from agent.clerk.folding import fold
from agent.clerk.mistakes import MISTAKES, make_mistake
from agent.clerk.retail.skills import RETAIL
from agent.clerk.state.messages import calls_of, policy_of, waits
from agent.clerk.state.steps import Answer, Call
from agent.clerk.trade import Trade
from agent.models.protocol import CallPiece, Finish, ModelRequest, Piece, TextPiece
from sessions.events.memory import RETRIEVE

_SORRY = "I'm sorry, I can't do that right now. Is there anything else I can help you with?"


TRADES: tuple[Trade, ...] = (RETAIL, AIRLINE)
"""What the clerk has learnt; it knows which it is in by the tools that it is offered."""


class Clerk:
    """The built-in agent; with ``mistake`` it makes one of ``MISTAKES`` on purpose."""

    def __init__(self, mistake: str | None = None) -> None:
        """Raises ValueError for a mistake that there is not."""
        if mistake is not None and mistake not in MISTAKES:
            raise ValueError(f"no such mistake: {mistake}; there are {', '.join(MISTAKES)}")
        self._mistake = mistake

    @property
    def name(self) -> str:
        """``clerk``, or ``clerk+wrong-item`` where it errs on purpose."""
        return f"clerk+{self._mistake}" if self._mistake else "clerk"

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        """Answer with words or with one call, in pieces, ending with one Finish.

        It thinks in a thread: the first sentence loads the encoder, and nobody waits for that.
        """
        step = await asyncio.to_thread(self._step, request)
        if isinstance(step, Call):
            call_id = f"call_{uuid.uuid4().hex[:24]}"
            yield CallPiece(0, call_id, step.name, json.dumps(step.arguments))
            yield Finish("tool_calls")
            return
        for piece in _pieces(step.text):
            yield TextPiece(piece)
        yield Finish("stop")

    def _step(self, request: ModelRequest) -> Call | Answer:
        trade = trade_of(request)
        if any(waits(each) for each in request.messages[-3:]) or not request.tools:
            return Answer(answer_about_card(request.messages, trade))
        if not trade.tools & _names(request.tools):
            return answer_by_schema(request.messages, request.tools)
        talk = _conversation(request)
        step = next_step(talk, policy_of(request.messages), trade)
        if self._mistake is not None:
            step = make_mistake(self._mistake, step, talk, request.messages, trade)
        if isinstance(step, Call) and step.name not in _names(request.tools):
            return Answer(_SORRY)
        return step


def trade_of(request: ModelRequest) -> Trade:
    """The trade that the tools on offer belong to; without any, the one of the calls made so far.

    A request that knows neither is taken for retail.
    """
    named = _names(request.tools) or {
        call.name for message in request.messages for call in calls_of(message)
    }
    return next((trade for trade in TRADES if trade.tools & named), RETAIL)


def _conversation(request: ModelRequest) -> Any:
    """The conversation as it stands; with a memory where a tool to read it is on offer."""
    remembers = RETRIEVE in _names(request.tools)
    return fold(request.messages, trade_of(request), remembers=remembers)


def _names(tools: list[dict[str, Any]]) -> set[str]:
    functions = (tool.get("function") for tool in tools if isinstance(tool, dict))
    return {str(each.get("name")) for each in functions if isinstance(each, dict)}


def _pieces(text: str) -> list[str]:
    """The text in pieces of a few words, as a model streams it; joined they are the text."""
    words = re.findall(r"\S+\s*|\s+", text)
    return ["".join(words[start : start + 6]) for start in range(0, len(words), 6)]
