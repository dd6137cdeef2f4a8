"""Reading litellm's chunks as pieces of an answer, and telling whether it came to its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent import faults
from agent.chat import CallPiece, Finish, Piece, ReasoningPiece, TextPiece
from agent.faults import Origin
from agent.litellm_messages import TAKES_REASONING_BACK
from sessions.events import Usage


class Reading:
    """One answer while its chunks arrive."""

    def __init__(self, litellm: Any, origin: Origin, model: str) -> None:
        self._litellm = litellm
        self._origin = origin
        self._model = model
        self._usage: Any = None
        self._reason: str | None = None
        self._reasoning: list[str] = []
        self._thinking: list[dict[str, Any]] = []
        self._refusal = ""
        self._said = False

    def pieces(self, chunk: Any) -> Iterator[Piece]:
        """What one chunk adds to the answer."""
        self._usage = getattr(chunk, "usage", None) or self._usage
        for choice in (getattr(chunk, "choices", None) or [])[:1]:
            self._reason = choice.finish_reason or self._reason
            for piece in self._read(choice.delta):
                self._said = self._said or not isinstance(piece, ReasoningPiece)
                yield piece

    def finish(self, stream: Any) -> Finish:
        """The end of a whole answer; raises ModelFault where there is none, or nothing in it."""
        reason = _reason_received(stream, self._reason)
        if reason == "content_filter":
            raise faults.refused(self._origin)
        if self._refusal and not self._said:
            raise faults.refused(self._origin, faults.quote(self._refusal, self._origin))
        if not self._said:
            raise faults.nothing_said(self._origin, reason)
        if reason is None:
            raise faults.cut(self._origin)
        return Finish(reason, self._counted(), self._for_provider())

    def _read(self, delta: Any) -> Iterator[Piece]:
        reasoning = getattr(delta, "reasoning_content", None)
        if isinstance(reasoning, str) and reasoning:
            self._reasoning.append(reasoning)
            yield ReasoningPiece(reasoning)
        for block in getattr(delta, "thinking_blocks", None) or []:
            self._think(dict(block))
        if isinstance(delta.content, str) and delta.content:
            yield TextPiece(delta.content)
        self._refusal += getattr(delta, "refusal", None) or ""
        for call in getattr(delta, "tool_calls", None) or []:
            function = call.function
            yield CallPiece(call.index or 0, call.id, function.name, function.arguments or "")

    def _think(self, fragment: dict[str, Any]) -> None:
        """Put signed thinking together; a signature ends a block, and is sent back to the byte."""
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
        if self._reasoning and self._origin.provider in TAKES_REASONING_BACK:
            kept["reasoning_content"] = "".join(self._reasoning)
        return {"provider": self._origin.provider, **kept} if kept else {}

    def _counted(self) -> Usage:
        """Tokens as the provider counted them, or as litellm estimates where it did not."""
        if self._usage is None:
            return Usage()
        details = getattr(self._usage, "prompt_tokens_details", None)
        return Usage(
            prompt=getattr(self._usage, "prompt_tokens", 0) or 0,
            completion=getattr(self._usage, "completion_tokens", 0) or 0,
            cached=getattr(details, "cached_tokens", 0) or 0,
            cost=self._cost(),
        )

    def _cost(self) -> float | None:
        """US dollars by litellm's list; a server of one's own has no listed price."""
        if self._origin.base is not None:
            return None
        try:
            prices = self._litellm.cost_per_token(
                model=self._model,
                custom_llm_provider=self._origin.provider,
                usage_object=self._usage,
            )
        except Exception:  # litellm has no price for this model, and says so in several classes
            return None
        return float(sum(prices))


def _reason_received(stream: Any, last: str | None) -> str | None:
    """Why the answer ended, as the provider said; None where litellm made it up after a cut."""
    if not hasattr(stream, "received_finish_reason"):
        return last
    received = stream.received_finish_reason or stream.intermittent_finish_reason
    return None if received is None else str(last or received)
