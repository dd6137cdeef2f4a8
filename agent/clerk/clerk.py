"""The clerk: a deterministic service agent that needs no model, no key and no network.

It is asked like any chat model and answers from nothing but the messages and tools it is given.
It is not a language model: it knows the words in its data files. It has learnt two trades, and
knows by the tools that it is offered which one it is in. What both share stands here: ``folding``
rebuilds the conversation (``dialogue``) from the messages (``reading_messages``), ``serving`` goes
through what is open, ``steps`` are what it can do next, ``remembering`` is what it has read,
``english`` what it understands, ``mistakes`` and ``card_questions`` as below. ``trade`` says what
a trade brings of its own: the packages ``retail`` and ``airline``, which have the same parts under
the same names. How a message becomes an answer, by the modules of ``retail``:

1. ``folding`` goes through all messages, every time anew, and rebuilds the conversation: a ``talk``
   with its ``requests``, and the ``memory`` of every record that was read.
2. Each customer message goes to ``hearing``. ``understanding`` reads it without any context: it
   cuts it into clauses (``language``), finds what each asks for and its slots (``mentions`` of
   items, ``places``, ``address``, ``identity``), and hangs details (``filling``) and "if not,
   then …" (``fallbacks``, ``attaching``) on the request they belong to.
3. ``referring`` says what the message is about: the open question, the last answer, "that order".
   ``replying`` parts it into the reply to that and what is new; ``revising`` folds the reply in.
4. Each assistant message and tool result is taken into the ``talk``: what was asked, proposed,
   declined, carried out.
5. ``planning`` takes the open requests in order and finds the next step: first who it is
   (``identifying``), then for each request a ``Call``, an ``Ask`` or a ``Tell`` (``steps``).
   ``actions``, ``swapping`` and ``relocating`` know the changes, ``answers`` and ``catalogue`` the
   questions. They find orders (``locating``, ``reading``) and items (``matching``), the
   wanted variant (``options`` from ``wishes`` and ``values``) and the method (``paying``), and
   raise ``Settled`` with the look-up or question that has to come first.
6. Here the step becomes words or one call. ``mistakes`` spoil it where a demonstration wants that;
   ``card_questions`` answers while a card waits.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import AsyncIterator
from typing import Any

from agent.chat import CallPiece, Finish, Message, ModelRequest, Piece, TextPiece
from agent.clerk.airline.trade import AIRLINE
from agent.clerk.card_questions import answer_about_card
from agent.clerk.folding import fold
from agent.clerk.mistakes import MISTAKES, mistaken
from agent.clerk.reading_messages import calls_of, policy_of, waits
from agent.clerk.retail.skills import RETAIL
from agent.clerk.steps import Answer, Call
from agent.clerk.trade import Trade, Understood

_SORRY = "I'm sorry, I can't do that right now. Is there anything else I can help you with?"


TRADES: tuple[Trade[Any], ...] = (RETAIL, AIRLINE)
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
        """Answer with words or with one call, in pieces, ending with one Finish."""
        step = self._step(request)
        if isinstance(step, Call):
            call_id = f"call_{uuid.uuid4().hex[:24]}"
            yield CallPiece(0, call_id, step.name, json.dumps(step.arguments))
            yield Finish("tool_calls")
            return
        for piece in _pieces(step.text):
            yield TextPiece(piece)
        yield Finish("stop")

    def understood(self, messages: list[Message], tools: list[dict[str, Any]]) -> Understood:
        """What the customer's last message was taken for, and what was offered in doubt."""
        request = ModelRequest(messages, tools)
        return trade_of(request).understood(fold(messages, trade_of(request)))

    def _step(self, request: ModelRequest) -> Call | Answer:
        trade = trade_of(request)
        if any(waits(each) for each in request.messages[-3:]) or not request.tools:
            return Answer(answer_about_card(request.messages, trade))
        talk = fold(request.messages, trade)
        step = trade.next_step(talk, policy_of(request.messages))
        if self._mistake is not None:
            step = mistaken(self._mistake, step, talk, request.messages, trade)
        if isinstance(step, Call) and step.name not in _names(request.tools):
            return Answer(_SORRY)
        return step


def trade_of(request: ModelRequest) -> Trade[Any]:
    """The trade that the tools on offer belong to; without any, the one of the calls made so far.

    A request that knows neither is taken for retail.
    """
    named = _names(request.tools) or {
        call.name for message in request.messages for call in calls_of(message)
    }
    return next((trade for trade in TRADES if trade.tools & named), RETAIL)


def _names(tools: list[dict[str, Any]]) -> set[str]:
    functions = (tool.get("function") for tool in tools if isinstance(tool, dict))
    return {str(each.get("name")) for each in functions if isinstance(each, dict)}


def _pieces(text: str) -> list[str]:
    """The text in pieces of a few words, as a model streams it; joined they are the text."""
    words = re.findall(r"\S+\s*|\s+", text)
    return ["".join(words[start : start + 6]) for start in range(0, len(words), 6)]
