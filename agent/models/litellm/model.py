"""Any model that litellm reaches, behind the loop's own protocol.

litellm is imported late (it takes seconds) and restricted: no network access except for the call
itself, nothing printed, no retries of its own, no timeout of a hundred minutes, and no answer that
was cut off passed off as complete.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from agent.models import faults
from agent.models.faults import Origin
from agent.models.litellm.fault_recognition import blamed_parameter, fault_of
from agent.models.litellm.line import LINE, Line
from agent.models.litellm.messages import REASONING, messages_for_provider
from agent.models.litellm.outgoing import tools_without_keys, without_keys
from agent.models.litellm.parameters import Parameters, can_prefill, longest_by_environment
from agent.models.litellm.setup import import_litellm
from agent.models.litellm.stream import Reading, drop_kept_chunks
from agent.models.protocol import ModelFault, ModelRequest, Piece
from agent.models.providers import provider_named_in, provider_of
from agent.models.redaction import register_secret
from agent.reflection.reflection import OPENING
from sessions.events import ReminderWay

CLOSING = 1.0
"""Seconds that a connection is given to close before it is abandoned."""

SLACK = 5.0
"""Seconds by which litellm's own timeout exceeds ours, so that ours fires and says what
happened."""

NO_KEY_NEEDED = "none"
"""The key sent to the user's own server if none is set, because the protocol requires one."""


@dataclass(frozen=True, slots=True)
class _Target:
    """What litellm made of the model's name, and the parameters that may be sent to it."""

    origin: Origin
    model: str
    key: str | None
    parameters: Parameters


class LiteLLMModel:
    """One model by its litellm name; reusable, for one answer at a time."""

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

        ``longest`` is the cap on an answer's tokens, thinking included; the default is the
        environment variable's value, or else LONGEST.
        """
        self.name = name
        self._timeout = timeout
        self._deadline = deadline
        self._base = api_base
        self._key = api_key
        self._longest = longest or longest_by_environment()
        self._left_out: set[str] = set()

    def __repr__(self) -> str:
        return f"LiteLLMModel({self.name!r})"

    @property
    def ways_to_remind(self) -> frozenset[ReminderWay]:
        """A message; also its reasoning or the beginning of its answer, if it accepts them.

        Reasoning is assumed to be accepted until the server rejects it.
        """
        ways: set[ReminderWay] = {"message"}
        if REASONING not in self._left_out:
            ways.add("reasoning")
        if can_prefill(self.name):
            ways.add("prefill")
        return frozenset(ways)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Answer piece by piece, ending with one Finish; raises ModelFault.

        The connection is closed at once however the stream is left: at its end, by a fault, by a
        cancellation or by ``aclose()``.
        """
        origin, response, line = self._first_origin(), None, Line()
        clock = self._clock(request)
        try:
            litellm = await asyncio.to_thread(import_litellm)
            target = self._target(litellm, request)
            origin = target.origin
            reading = Reading(litellm, origin, target.model)
            response = await self._open(litellm, target, request, clock, line)
            chunks = aiter(response)
            while (chunk := await clock.within(anext(chunks, None))) is not None:
                drop_kept_chunks(response)
                for piece in reading.pieces(chunk):
                    line.note_progress()
                    yield piece
            yield await reading.finish(response, request)
        except _TimedOut as late:
            raise _too_late(late, origin, line) from None
        except Exception as error:
            # The original exception quotes keys and headers, so it is not chained to the fault.
            raise fault_of(error, origin, line) from None
        finally:
            if response is not None:
                await _close(response)

    def _first_origin(self) -> Origin:
        """The origin as far as it is known before litellm is imported."""
        provider = provider_named_in(self.name)
        return Origin(self.name, provider.id if provider else self.name, self._base)

    def _target(self, litellm: Any, request: ModelRequest) -> _Target:
        """The model to ask.

        Raises ModelFault for a missing key, and litellm's own error for an unknown name.
        """
        model, named, *_ = litellm.get_llm_provider(self.name, api_base=self._base)
        provider = provider_of(named)
        own = self._base or provider.base() or provider.local
        key = self._key or provider.key()
        origin = Origin(model, named, own, (key,) if key else ())
        register_secret(key, own)
        if key is None and own is None and provider.keys:
            raise faults.no_key(origin)
        if key is None and own is not None:
            key = NO_KEY_NEEDED
        parameters = Parameters(litellm, model, named, request, self._longest)
        return _Target(origin, model, key, parameters)

    def _clock(self, request: ModelRequest) -> _Clock:
        """The time limits: the request's own, or the model's."""
        silence = request.settings.timeout
        if silence is None:
            return _Clock(self._timeout, self._deadline)
        return _Clock(silence, silence * self._deadline / self._timeout)

    async def _open(
        self, litellm: Any, target: _Target, request: ModelRequest, clock: _Clock, line: Line
    ) -> Any:
        """Send the request, again without each parameter that the server turns out to reject."""
        LINE.set(line)
        while True:
            sent = target.parameters.to_send(self._left_out)
            asking = self._complete(litellm, target, request, sent, clock.silence + SLACK)
            try:
                return await clock.within(asking)
            except (_TimedOut, ModelFault):
                raise
            except Exception as error:
                refused = blamed_parameter(error, {**sent, REASONING: None})
                if refused is None or refused in self._left_out:
                    raise
                if refused == REASONING and _reminds_in_reasoning(request):
                    self._left_out.add(refused)
                    raise faults.no_reasoning(target.origin) from None
                if not target.parameters.may_be_left_out(refused, self._left_out):
                    raise faults.bad_setting(target.origin, refused) from None
                self._left_out.add(refused)

    async def _complete(
        self,
        litellm: Any,
        target: _Target,
        request: ModelRequest,
        sent: dict[str, Any],
        patience: float,
    ) -> Any:
        return await litellm.acompletion(
            model=self.name,
            messages=without_keys(
                messages_for_provider(
                    request.messages,
                    target.origin.provider,
                    reasoning=REASONING not in self._left_out,
                ),
                request.tools,
            ),
            tools=tools_without_keys(request.tools) or None,
            stream=True,
            api_base=target.origin.base,
            api_key=target.key,
            timeout=patience,
            max_retries=0,
            num_retries=0,
            drop_params=not target.parameters.is_strict,
            _skip_mcp_handler=True,
            **sent,
        )


def _reminds_in_reasoning(request: ModelRequest) -> bool:
    """Whether a reminder would be lost if no reasoning were sent."""
    sent = (str((each.get("provider") or {}).get(REASONING, "")) for each in request.messages)
    return any(OPENING in each for each in sent)


class _TimedOut(Exception):
    """A wait took too long, for the next piece or for the whole answer."""

    def __init__(self, seconds: float, whole: bool) -> None:
        super().__init__(seconds)
        self.seconds = seconds
        self.whole = whole


def _too_late(late: _TimedOut, origin: Origin, line: Line) -> ModelFault:
    if late.whole:
        return faults.too_slow(origin, late.seconds)
    return faults.silent(origin, late.seconds, empty=line.is_empty)


class _Clock:
    """The two time limits of an answer: the longest silence, and the deadline for all of it."""

    def __init__(self, silence: float, deadline: float) -> None:
        self.silence = silence
        self._deadline = deadline
        self._ends = time.monotonic() + deadline

    async def within(self, step: Any) -> Any:
        """The result of awaiting the step; raises _TimedOut if that takes too long."""
        left = max(0.0, self._ends - time.monotonic())
        whole = left < self.silence
        try:
            async with asyncio.timeout(left if whole else self.silence) as limit:
                return await step
        except TimeoutError:
            if not limit.expired():
                raise
            raise _TimedOut(self._deadline if whole else self.silence, whole) from None


async def _close(response: Any) -> None:
    """Close the connection; errors are ignored, since they do not affect the answer."""
    close = getattr(response, "aclose", None)
    if close is None:
        return
    with contextlib.suppress(Exception):
        async with asyncio.timeout(CLOSING):
            await close()
