"""The conversation in the form in which one provider is sent it.

An assistant message may carry, under ``provider``, what its provider wanted back unchanged
(:attr:`agent.models.protocol.Finish.provider`). It is sent to that provider alone: others reject
signed thinking, and one vendor's reasoning must not be shown to another.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from agent.models.protocol import Message

TAKES_REASONING_BACK = frozenset({"deepseek", "moonshot", "zai", "minimax", "hosted_vllm"})
"""Providers that want an answer's reasoning back while its calls are being carried out."""

SPEAKS_OPENAI = frozenset({"openai", "openai_like", "custom_openai", "lm_studio", "llamafile"})
"""Providers behind which the user's own server may want the same: a server that shows reasoning in
a separate field (Qwen3-Thinking behind vLLM) also reads it there. OpenAI itself shows none."""

REASONING = "reasoning_content"


def takes_reasoning_back(payload: Mapping[str, Any]) -> bool:
    """Whether reasoning that is kept for a provider goes back to it as plain text."""
    return payload.get("provider") in TAKES_REASONING_BACK | SPEAKS_OPENAI


def keeps_reasoning(provider: str, base: str | None) -> bool:
    """Whether an answer's reasoning is kept, to be sent back to its provider with its calls."""
    own_server = base is not None and provider in SPEAKS_OPENAI
    return own_server or provider in TAKES_REASONING_BACK


_RETURNED = ("thinking_blocks", REASONING)
_SIGNATURE_MARK = "__thought__"
"""litellm hides Gemini's signature behind this mark in a call's id, which makes the id too long for
other providers."""


def messages_for_provider(
    messages: list[Message], provider: str, *, reasoning: bool = True
) -> list[Message]:
    """Copies of the messages, with what belongs to this provider and to no other.

    Without ``reasoning``, none goes back as plain text: some servers show their reasoning but
    reject a request that contains it.

    The copies are deep, because litellm modifies what it is given and a block's messages are reused
    over many turns.
    """
    copies = [deepcopy(_message_for_provider(message, provider)) for message in messages]
    if not reasoning:
        for each in copies:
            each.pop(REASONING, None)
    return copies


def _message_for_provider(message: Message, provider: str) -> Message:
    plain = {name: value for name, value in message.items() if name != "provider"}
    theirs: dict[str, Any] = message.get("provider") or {}
    if theirs.get("provider") == provider:
        plain |= {name: theirs[name] for name in _RETURNED if name in theirs}
    if provider not in ("gemini", "vertex_ai"):
        plain = _without_signatures(plain)
    return plain


def _without_signatures(message: Message) -> Message:
    """The message with plain call ids, the same for a call and its result."""
    plain = dict(message)
    if "tool_call_id" in plain:
        plain["tool_call_id"] = _plain_id(plain["tool_call_id"])
    if plain.get("tool_calls"):
        plain["tool_calls"] = [
            {**call, "id": _plain_id(call["id"])} for call in plain["tool_calls"]
        ]
    return plain


def _plain_id(id: str) -> str:
    return id.partition(_SIGNATURE_MARK)[0]
