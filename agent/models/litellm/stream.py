"""Reads litellm's chunks as pieces of an answer, and decides whether the answer is complete."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from agent.models import faults
from agent.models.faults import Origin
from agent.models.litellm.messages import REASONING, keeps_reasoning
from agent.models.protocol import CallPiece, Finish, ModelRequest, Piece, ReasoningPiece, TextPiece
from sessions.events import Usage

MOST_COUNTS = 20
"""Chunks with token counts that are kept; providers send one or two."""

MOST_TOKENS = 1_000_000_000
"""The most tokens that one answer can count; a higher or negative number is ignored."""

ESTIMATED_AT_ONCE = 1_000
"""Characters whose tokens are counted together: on some texts the tokenizer takes quadratic
time."""


class Reading:
    """One answer whose chunks are still arriving."""

    def __init__(self, litellm: Any, origin: Origin, model: str) -> None:
        self._litellm = litellm
        self._origin = origin
        self._model = model
        self._usage: Any = None
        self._reason: str | None = None
        self._reasoning: list[str] = []
        self._thinking: list[dict[str, Any]] = []
        self._refusal = ""
        self._said: list[str] = []

    def pieces(self, chunk: Any) -> Iterator[Piece]:
        """Yield the pieces that one chunk adds to the answer."""
        self._usage = getattr(chunk, "usage", None) or self._usage
        for choice in (getattr(chunk, "choices", None) or [])[:1]:
            self._reason = choice.finish_reason or self._reason
            yield from self._read(choice.delta)

    async def finish(self, stream: Any, request: ModelRequest) -> Finish:
        """The end of a complete answer; raises ModelFault if it is cut off, refused or empty."""
        reason = _reason_received(stream, self._reason)
        if reason == "content_filter":
            raise faults.refusal(self._origin)
        if self._refusal and not self._said:
            raise faults.refusal(self._origin, faults.quote(self._refusal, self._origin))
        if not self._said:
            raise faults.nothing_said(self._origin, reason)
        if reason is None:
            raise faults.cut(self._origin)
        if self._usage is None:
            self._usage = await asyncio.to_thread(self._estimate_usage, request)
        return Finish(reason, self._usage_of_answer(), self._for_provider())

    def _read(self, delta: Any) -> Iterator[Piece]:
        if reasoning := _text(getattr(delta, "reasoning_content", None)):
            self._reasoning.append(reasoning)
            yield ReasoningPiece(reasoning)
        for block in getattr(delta, "thinking_blocks", None) or []:
            self._think(dict(block))
        if content := _text(getattr(delta, "content", None)):
            self._said.append(content)
            yield TextPiece(content)
        self._refusal += _text(getattr(delta, "refusal", None))
        for call in getattr(delta, "tool_calls", None) or []:
            yield self._call_piece(call)

    def _call_piece(self, call: Any) -> CallPiece:
        """A fragment of a call; a field of the wrong type is treated as missing."""
        function = getattr(call, "function", None)
        index = getattr(call, "index", None)
        arguments = _text(getattr(function, "arguments", None))
        self._said.append(arguments or " ")
        return CallPiece(
            index if isinstance(index, int) else 0,
            _text(getattr(call, "id", None)) or None,
            _text(getattr(function, "name", None)) or None,
            arguments,
        )

    def _think(self, fragment: dict[str, Any]) -> None:
        """Append a fragment of signed thinking.

        A signature ends a block, which is sent back byte for byte.
        """
        latest = self._thinking[-1] if self._thinking else None
        goes_on = (
            latest is not None
            and fragment.get("type") == "thinking" == latest.get("type")
            and not latest.get("signature")
        )
        if latest is None or not goes_on:
            self._thinking.append(fragment)
            return
        for part in ("thinking", "signature"):
            latest[part] = (latest.get(part) or "") + (fragment.get(part) or "")

    def _for_provider(self) -> dict[str, Any]:
        """What this provider, and no other, wants back on the message."""
        kept: dict[str, Any] = {}
        if self._thinking:
            kept["thinking_blocks"] = self._thinking
        if self._reasoning and keeps_reasoning(self._origin.provider, self._origin.base):
            kept[REASONING] = "".join(self._reasoning)
        return {"provider": self._origin.provider, **kept} if kept else {}

    def _usage_of_answer(self) -> Usage:
        """Token counts from the provider, or estimates if it sent none."""
        details = getattr(self._usage, "prompt_tokens_details", None)
        return Usage(
            prompt=_count(self._usage, "prompt_tokens"),
            completion=_count(self._usage, "completion_tokens"),
            cached=_count(details, "cached_tokens"),
            cost=self._cost(),
        )

    def _estimate_usage(self, request: ModelRequest) -> Any:
        """Usage estimated with litellm's tokenizers; slow, so run it in a thread."""
        asked = "\n".join(str(message.get("content") or "") for message in request.messages)
        said = "".join((*self._reasoning, *self._said))
        return self._litellm.Usage(
            prompt_tokens=self._tokens(asked), completion_tokens=self._tokens(said)
        )

    def _tokens(self, text: str) -> int:
        parts = (
            text[start : start + ESTIMATED_AT_ONCE]
            for start in range(0, len(text), ESTIMATED_AT_ONCE)
        )
        return sum(self._litellm.token_counter(model=self._model, text=part) for part in parts)

    def _cost(self) -> float | None:
        """US dollars by litellm's price list; None for the user's own server, which has none."""
        if self._origin.base is not None:
            return None
        try:
            prices = self._litellm.cost_per_token(
                model=self._model,
                custom_llm_provider=self._origin.provider,
                usage_object=self._usage,
            )
        except Exception:  # litellm raises one of several classes if it has no price for the model
            return None
        return min(max(float(sum(prices)), 0.0), float(MOST_TOKENS))


def drop_kept_chunks(stream: Any) -> None:
    """Drop the chunks that litellm keeps in order to read them all again at the end.

    If a stream fails after thousands of chunks, litellm would process them all at once on the event
    loop. Only the token counts, which it needs to add up, are kept.
    """
    chunks = getattr(stream, "chunks", None)
    if isinstance(chunks, list):
        counted = [chunk for chunk in chunks if getattr(chunk, "usage", None) is not None]
        chunks[:] = [*counted[:1], *counted[1:][1 - MOST_COUNTS :]]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(usage: Any, name: str) -> int:
    """A number of tokens; 0 if the value is not a plausible one."""
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and 0 <= value <= MOST_TOKENS else 0


def _reason_received(stream: Any, last: str | None) -> str | None:
    """Why the answer ended, as the provider said; None if litellm invented it after a cut."""
    if not hasattr(stream, "received_finish_reason"):
        return last
    received = stream.received_finish_reason or stream.intermittent_finish_reason
    return None if received is None else str(last or received)
