"""The parameters sent beside the conversation: what the session sets, else the defaults."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from typing import Any

from agent.models.litellm.setup import import_litellm
from agent.models.protocol import ModelRequest

CAPS = ("max_tokens", "max_completion_tokens")
"""Names of the parameter that caps an answer's length; the second is tried if the first is
rejected."""

THINK_WHEN_ASKED = frozenset({"anthropic", "bedrock", "databricks"})
"""Providers whose models think only if an effort is named, so the least effort is to name none.
While they think, they accept no temperature."""

LONGEST = 16_384
"""Tokens of one answer, far more than an agent says or thinks in a turn."""

LONGEST_VARIABLE = "SABER_MAX_TOKENS"
"""The environment variable that sets another cap."""


class Parameters:
    """A request's parameters for one model, without those that its server rejects."""

    def __init__(
        self, litellm: Any, model: str, provider: str, request: ModelRequest, longest: int
    ) -> None:
        """``longest`` is the cap in tokens if the request sets none."""
        self._request = request
        self._provider = provider
        known = litellm.get_supported_openai_params(model, custom_llm_provider=provider) or ()
        self._caps = [name for name in CAPS if name in known]
        self._most = _most_tokens(litellm, model, provider, longest)
        usual = dict(self._usual())
        # Without this, litellm hides the token counts that a provider sends unasked.
        self._taken = {
            **{name: value for name, value in usual.items() if name in known},
            "stream_options": {"include_usage": True},
        }

    @property
    def is_strict(self) -> bool:
        """Whether the session sets a parameter, so that litellm must not drop any by itself."""
        return bool(self._from_settings()) or self._request.settings.max_tokens is not None

    def to_send(self, refused: Collection[str]) -> dict[str, Any]:
        """All parameters, except the defaults that are in ``refused``."""
        usual = {name: each for name, each in self._taken.items() if name not in refused}
        return {**usual, **self._from_settings(), **self._cap(refused)}

    def may_be_left_out(self, name: str, refused: Collection[str]) -> bool:
        """Whether the request can be made without it; a cap also if it has another name to try."""
        if name in CAPS:
            others = {*self._caps} - {name, *refused}
            return bool(others) or self._request.settings.max_tokens is None
        return name not in self._from_settings()

    def _from_settings(self) -> dict[str, Any]:
        """The parameters that the session's settings name, except for the cap."""
        settings = self._request.settings
        asked: dict[str, Any] = {}
        if settings.temperature is not None:
            asked["temperature"] = settings.temperature
        if settings.reasoning_effort is not None and self._request.effort is None:
            asked["reasoning_effort"] = settings.reasoning_effort
        return asked

    def _usual(self) -> Iterator[tuple[str, Any]]:
        effort, by_asking = self._request.effort, self._provider in THINK_WHEN_ASKED
        if effort != "high" or not by_asking:
            yield "temperature", 0
        if self._request.seed is not None:
            yield "seed", self._request.seed
        if effort == "high" or (effort == "low" and not by_asking):
            yield "reasoning_effort", effort
        if self._request.tools and self._request.settings.ask_as == "tau2":
            yield "tool_choice", "auto"
        elif self._request.tools:
            yield "parallel_tool_calls", False

    def _cap(self, refused: Collection[str]) -> dict[str, int]:
        """One cap on the answer's length, under the name that is accepted; τ²-bench sets none."""
        settings = self._request.settings
        usual = None if settings.ask_as == "tau2" else self._most
        caps = [each for each in (settings.max_tokens or usual, self._request.longest) if each]
        name = next((each for each in self._caps if each not in refused), None)
        return {name: min(caps)} if name and caps else {}


def longest_by_environment() -> int:
    """The cap from the environment, or the default if there is none or it is not a valid number."""
    given = os.environ.get(LONGEST_VARIABLE, "").strip()
    return int(given) if re.fullmatch(r"[1-9]\d{0,8}", given) else LONGEST


def can_prefill(name: str) -> bool:
    """Whether the model continues an answer that was begun for it, by litellm's list."""
    litellm = import_litellm()
    try:
        return bool(litellm.get_model_info(name).get("supports_assistant_prefill"))
    except Exception:  # litellm raises one of several classes for a model that is not on its list
        return False


def _most_tokens(litellm: Any, model: str, provider: str, wanted: int) -> int:
    """The cap that may be requested: some models reject one beyond their own."""
    try:
        own = litellm.get_model_info(model, custom_llm_provider=provider)["max_output_tokens"]
    except Exception:  # litellm raises one of several classes for a model not on its list
        return wanted
    return min(wanted, own) if isinstance(own, int) and own > 0 else wanted
