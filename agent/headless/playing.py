"""One session of a run, from wherever it stands to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from agent.models.protocol import ModelFault
from agent.session.conversation import Conversation
from agent.simulated.customer import Customer, CustomerFault, customer_history
from sessions.cleaning import clean
from sessions.events import EndReason, Noted

TRIES = 3
"""How often a step is taken up again after a fault that may pass; each asks several times."""

LONGEST_WAIT = 300.0
"""Seconds; a provider that asks for more has failed this session."""

HOPELESS = frozenset({"no_key", "bad_key", "unknown_model", "bad_setting"})
"""Faults that every other session would end in as well."""

T = TypeVar("T")


class Hopeless(Exception):
    """No session of this run can be played; the message is the fault's sentence."""


async def play(held: Conversation, customer: Customer) -> None:
    """Let a customer and the agent talk until the session has ended.

    A fault that does not pass ends it: as ``fault`` where it is the line's, and as a failure of
    the agent or of the customer where it is their model's own. Raises Hopeless, with the session
    left to be gone on with, where the fault is none of this session's.
    """
    try:
        if held.status.ended is None and held.status.turn:
            await persistently(held.go_on, held.go_on)
        while held.status.ended is None:
            await _turn(held, customer)
    except ModelFault as fault:
        if fault.kind in HOPELESS:
            raise Hopeless(fault.sentence) from fault
        if held.status.ended is None:
            await _tell(held, fault)
            await held.end(_reason(fault))


def _reason(fault: ModelFault) -> EndReason:
    if not fault.is_models_own:
        return "fault"
    return "customer_failure" if isinstance(fault, CustomerFault) else "agent_failure"


async def _tell(held: Conversation, fault: ModelFault) -> None:
    """Keep what the log does not hold yet: requests to the agent's model are in it already."""
    if isinstance(fault, CustomerFault):
        told = f"The customer's model gave no usable answer. {clean(fault.sentence)}"
        await held.log.append(Noted(text=told))
    elif fault.kind == "stuck":
        await held.log.append(Noted(text=clean(fault.sentence)))


async def _turn(held: Conversation, customer: Customer) -> None:
    words = await _next_words(held, customer)
    if words is None:
        await held.end("customer")
    else:
        await persistently(lambda: held.say(words), held.go_on)


async def _next_words(held: Conversation, customer: Customer) -> str | None:
    async def speak() -> str | None:
        return await customer.speak(customer_history(held.log.events))

    return await persistently(speak, speak)


async def persistently(first: Callable[[], Awaitable[T]], again: Callable[[], Awaitable[T]]) -> T:
    """Take a step, and take it up again after a fault that may pass; raises the last one."""
    step = first
    for tried in range(TRIES):
        try:
            return await step()
        except ModelFault as fault:
            wait = 2.0**tried if fault.retry_after is None else fault.retry_after
            if not fault.retryable or wait > LONGEST_WAIT:
                raise
            await asyncio.sleep(wait)
            step = again
    return await step()
