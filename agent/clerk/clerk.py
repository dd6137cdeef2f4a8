"""The clerk: a deterministic service agent that needs no model, no key and no network.

It is called like any chat model and answers only from the messages and tools in the request. It is
not a language model. The package's docstring explains how it works. A domain describes what it can
do in these files:

- ``intent_settings.json``: which intents change something, which are no requests at all, which
  count as one (``families``), what can be offered, and what looks like a code (``forms``). The
  sentences that the intents were learned from are in ``tests/generators/clerk_reader``.
- ``usual_words.json``: the words that customers use in general, by kind of change.
- ``dialogue``: a ``Dialogue`` with the knowledge of the domain.
- ``skills``: its ``DomainSkills``.

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
from agent.clerk.deciding.next_step import next_step
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.mistakes import MISTAKES, make_mistake
from agent.clerk.questions.at_card import answer_about_card
from agent.clerk.rebuilding import rebuild_dialogue
from agent.clerk.retail.skills import RETAIL
from agent.clerk.state.messages import announces_card, calls_of, policy_of
from agent.clerk.state.steps import Answer, Call
from agent.models.protocol import CallPiece, Finish, ModelRequest, Piece, TextPiece
from sessions.events.memory import RETRIEVE

_SORRY = "I'm sorry, I can't do that right now. Is there anything else I can help you with?"


SKILLED_DOMAINS: tuple[DomainSkills, ...] = (RETAIL, AIRLINE)
"""The domains that the clerk has skills for; it recognises a domain by the tools on offer."""


class Clerk:
    """The built-in agent; with ``mistake`` it makes one of ``MISTAKES`` on purpose."""

    def __init__(self, mistake: str | None = None) -> None:
        """Create the clerk; raises ValueError for an unknown mistake."""
        if mistake is not None and mistake not in MISTAKES:
            raise ValueError(f"no such mistake: {mistake}; choose one of {', '.join(MISTAKES)}")
        self._mistake = mistake

    @property
    def name(self) -> str:
        """``clerk``, or for example ``clerk+wrong-item`` if it makes a mistake on purpose."""
        return f"clerk+{self._mistake}" if self._mistake else "clerk"

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        """Yield the answer, words, one tool call, or both, in pieces that end with one ``Finish``.

        The answer is computed in a thread, because the first sentence loads the encoder and the
        event loop must not wait for that.
        """
        step = await asyncio.to_thread(self._step, request)
        for piece in _pieces(step.text):
            yield TextPiece(piece)
        if isinstance(step, Call):
            call_id = f"call_{uuid.uuid4().hex[:24]}"
            yield CallPiece(0, call_id, step.name, json.dumps(step.arguments))
        yield Finish("tool_calls" if isinstance(step, Call) else "stop")

    def _step(self, request: ModelRequest) -> Call | Answer:
        trade = domain_of(request)
        if any(announces_card(each) for each in request.messages[-3:]) or not request.tools:
            return Answer(answer_about_card(request.messages, trade))
        if not trade.tools & _names(request.tools):
            return answer_by_schema(request.messages, request.tools)
        dialogue = _conversation(request)
        step = next_step(dialogue, policy_of(request.messages), trade)
        if self._mistake is not None:
            step = make_mistake(self._mistake, step, dialogue, request.messages, trade)
        if isinstance(step, Call) and step.name not in _names(request.tools):
            return Answer(_SORRY)
        return step


def domain_of(request: ModelRequest) -> DomainSkills:
    """The domain of the offered tools or, if none are offered, of the calls made so far.

    Defaults to retail if neither identifies a domain.
    """
    named = _names(request.tools) or {
        call.name for message in request.messages for call in calls_of(message)
    }
    return next((trade for trade in SKILLED_DOMAINS if trade.tools & named), RETAIL)


def _conversation(request: ModelRequest) -> Any:
    """The dialogue after the last message; it has a memory if a tool to read one is on offer."""
    remembers = RETRIEVE in _names(request.tools)
    return rebuild_dialogue(request.messages, domain_of(request), remembers=remembers)


def _names(tools: list[dict[str, Any]]) -> set[str]:
    functions = (tool.get("function") for tool in tools if isinstance(tool, dict))
    return {str(each.get("name")) for each in functions if isinstance(each, dict)}


def _pieces(text: str) -> list[str]:
    """The text in chunks of up to six words, as a model streams it; joined, they are the text."""
    words = re.findall(r"\S+\s*|\s+", text)
    return ["".join(words[start : start + 6]) for start in range(0, len(words), 6)]
