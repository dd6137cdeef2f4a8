"""Any model that litellm reaches, behind the one protocol that the loop knows.

litellm is imported late (it takes seconds) and held on a short lead: no network but the call
itself, nothing printed, no retries of its own, no waiting for a hundred minutes, and no answer
called whole that was cut.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from agent.models import faults
from agent.models.faults import Origin
from agent.models.litellm.faults import blames, fault_of
from agent.models.litellm.line import LINE, Line
from agent.models.litellm.messages import messages_for_provider
from agent.models.litellm.setup import import_litellm
from agent.models.litellm.stream import Reading, let_go
from agent.models.protocol import Effort, ModelFault, ModelRequest, Piece
from agent.models.providers import provider_named_in, provider_of
from agent.models.redaction import keep_secret

CLOSING = 1.0
"""Seconds that a connection is given to close before it is left to itself."""

SLACK = 5.0
"""Seconds that litellm's own time limit lies beyond ours, so that ours tells what happened."""

NO_KEY_NEEDED = "none"
"""What a server of one's own is sent where no key is set: the protocol wants one to be there."""


CAPS = ("max_tokens", "max_completion_tokens")
"""The names of the cap on an answer's length; the second is tried where the first is refused."""

THINK_WHEN_ASKED = frozenset({"anthropic", "bedrock", "databricks"})
"""Providers whose models think only where an effort is named at all: then none is the least. While
they think, they take no temperature."""

LONGEST = 16_384
"""Tokens of one answer: far beyond what an agent says or thinks in a turn."""

LONGEST_VARIABLE = "SABER_MAX_TOKENS"
"""The environment variable that sets another cap."""


@dataclass(frozen=True, slots=True)
class _Target:
    """What litellm made of the model's name, and what may be sent to it."""

    origin: Origin
    model: str
    key: str | None
    settings: dict[str, Any]
    """Parameters that can be left out where the server turns out to refuse them."""


class LiteLLMModel:
    """One model by its litellm name; safe to use again and again, one answer at a time."""

    def __init__(
        self,
        name: str,
        *,
        timeout: float = 60,
        deadline: float = 300,
        longest: int | None = None,
        api_base: str | None = None,
        api_key: str | None = None,
    ) -> None:
        """``timeout`` is the longest silence, ``deadline`` the longest answer, both in seconds.

        ``longest`` is what an answer may take in tokens, thinking included; else the environment
        says it, or LONGEST holds.
        """
        self.name = name
        self._timeout = timeout
        self._deadline = deadline
        self._base = api_base
        self._key = api_key
        self._longest = longest or _longest_by_environment()
        self._left_out: set[str] = set()

    def __repr__(self) -> str:
        return f"LiteLLMModel({self.name!r})"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Answer piece by piece, ending with one Finish; raises ModelFault.

        However it is left, by the end, a fault, a cancellation or ``aclose()``, the connection is
        closed at once.
        """
        origin, response, line = self._first_origin(), None, Line()
        clock = _Clock(self._timeout, self._deadline)
        try:
            litellm = await asyncio.to_thread(import_litellm)
            target = self._target(litellm, request.seed)
            origin = target.origin
            reading = Reading(litellm, origin, target.model)
            response = await self._open(litellm, target, request, clock, line)
            chunks = aiter(response)
            while (chunk := await clock.within(anext(chunks, None))) is not None:
                let_go(response)
                for piece in reading.pieces(chunk):
                    line.gave_something()
                    yield piece
            yield await reading.finish(response, request)
        except _Late as late:
            raise _too_late(late, origin, line) from None
        except Exception as error:
            # The original quotes keys and headers, so it does not travel with the fault.
            raise fault_of(error, origin, line) from None
        finally:
            if response is not None:
                await _close(response)

    def _first_origin(self) -> Origin:
        """What is known before litellm is there to ask."""
        provider = provider_named_in(self.name)
        return Origin(self.name, provider.id if provider else self.name, self._base)

    def _target(self, litellm: Any, seed: int | None = None) -> _Target:
        """Whom to ask; raises ModelFault for a missing key, litellm's own for an unknown name."""
        model, named, *_ = litellm.get_llm_provider(self.name, api_base=self._base)
        provider = provider_of(named)
        own = self._base or provider.base() or provider.local
        key = self._key or provider.key()
        origin = Origin(model, named, own, (key,) if key else ())
        keep_secret(key, own)
        if key is None and own is None and provider.keys:
            raise faults.no_key(origin)
        if key is None and own is not None:
            key = NO_KEY_NEEDED
        supported = litellm.get_supported_openai_params(model, custom_llm_provider=named) or []
        most = _most_tokens(litellm, model, named, self._longest)
        wanted: dict[str, Any] = {
            "temperature": 0, "parallel_tool_calls": False, "reasoning_effort": None,
            **dict.fromkeys(CAPS, most),
        }  # fmt: skip
        settings: dict[str, Any] = {name: wanted[name] for name in wanted if name in supported}
        if seed is not None and "seed" in supported:
            settings["seed"] = seed
        # litellm hides the counts that a provider sends unasked unless it is told to include them.
        settings["stream_options"] = {"include_usage": True}
        return _Target(origin, model, key, settings)

    async def _open(
        self, litellm: Any, target: _Target, request: ModelRequest, clock: _Clock, line: Line
    ) -> Any:
        """Send the request, once more for each parameter that the server turns out to refuse."""
        LINE.set(line)
        while True:
            settings = self._settings(target, request)
            try:
                return await clock.within(self._complete(litellm, target, request, settings))
            except (_Late, ModelFault):
                raise
            except Exception as error:
                refused = blames(error, settings)
                if refused is None:
                    raise
                self._left_out.add(refused)

    def _settings(self, target: _Target, request: ModelRequest) -> dict[str, Any]:
        """What is asked for beside the answer: one cap on its length, by the name that is taken."""
        settings = {k: v for k, v in target.settings.items() if k not in self._left_out}
        if not request.tools:
            settings.pop("parallel_tool_calls", None)
        for other in [name for name in CAPS if name in settings][1:]:
            settings.pop(other)
        if request.longest is not None:
            settings |= {
                name: min(settings[name], request.longest) for name in CAPS if name in settings
            }
        return _with_effort(settings, request.effort, target.origin.provider)

    async def _complete(
        self, litellm: Any, target: _Target, request: ModelRequest, settings: dict[str, Any]
    ) -> Any:
        return await litellm.acompletion(
            model=self.name,
            messages=messages_for_provider(request.messages, target.origin.provider),
            tools=request.tools or None,
            stream=True,
            api_base=target.origin.base,
            api_key=target.key,
            timeout=self._timeout + SLACK,
            max_retries=0,
            num_retries=0,
            drop_params=True,
            _skip_mcp_handler=True,
            **settings,
        )


def _with_effort(settings: dict[str, Any], effort: Effort | None, provider: str) -> dict[str, Any]:
    """The settings with as much thinking as is wanted, where the model lets that be set."""
    if "reasoning_effort" not in settings:
        return settings
    del settings["reasoning_effort"]
    by_asking = provider in THINK_WHEN_ASKED
    if effort is None or (effort == "low" and by_asking):
        return settings
    if by_asking:
        settings.pop("temperature", None)
    return {**settings, "reasoning_effort": effort}


def _longest_by_environment() -> int:
    """The cap that the environment sets, or the usual one where it sets none that is one."""
    given = os.environ.get(LONGEST_VARIABLE, "").strip()
    return int(given) if re.fullmatch(r"[1-9]\d{0,8}", given) else LONGEST


def _most_tokens(litellm: Any, model: str, provider: str, wanted: int) -> int:
    """The cap that may be asked for: some models refuse one beyond their own."""
    try:
        own = litellm.get_model_info(model, custom_llm_provider=provider)["max_output_tokens"]
    except Exception:  # a model that is not on litellm's list; it says so in several classes
        return wanted
    return min(wanted, own) if isinstance(own, int) and own > 0 else wanted


class _Late(Exception):
    """A wait took too long: for the next piece, or for the whole answer."""

    def __init__(self, seconds: float, whole: bool) -> None:
        super().__init__(seconds)
        self.seconds = seconds
        self.whole = whole


def _too_late(late: _Late, origin: Origin, line: Line) -> ModelFault:
    if late.whole:
        return faults.too_slow(origin, late.seconds)
    return faults.silent(origin, late.seconds, empty=line.is_empty)


class _Clock:
    """The two limits of an answer: the longest silence, and the end of all patience."""

    def __init__(self, silence: float, deadline: float) -> None:
        self._silence = silence
        self._deadline = deadline
        self._ends = time.monotonic() + deadline

    async def within(self, step: Any) -> Any:
        """What the step gives; raises _Late where that would take too long."""
        left = max(0.0, self._ends - time.monotonic())
        whole = left < self._silence
        try:
            async with asyncio.timeout(left if whole else self._silence) as limit:
                return await step
        except TimeoutError:
            if not limit.expired():
                raise
            raise _Late(self._deadline if whole else self._silence, whole) from None


async def _close(response: Any) -> None:
    """Close the connection; what goes wrong in that is of no consequence to the answer."""
    close = getattr(response, "aclose", None)
    if close is None:
        return
    with contextlib.suppress(Exception):
        async with asyncio.timeout(CLOSING):
            await close()
