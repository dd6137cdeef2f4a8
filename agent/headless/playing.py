"""Plays one session of a run from wherever it stands to its end."""

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
"""How often a step is repeated after a fault that may pass; each attempt has retries of its own."""

LONGEST_WAIT = 300.0
"""Seconds. If a provider asks for a longer wait, the session has failed."""

HOPELESS = frozenset({"no_key", "bad_key", "unknown_model", "bad_setting"})
"""Faults that every other session would run into as well."""

T = TypeVar("T")


class Hopeless(Exception):
    """No session of this run can be played; the message is the fault's sentence."""


async def play(held: Conversation, customer: Customer) -> None:
    """Let a customer and the agent talk until the session has ended.

    A fault that does not pass ends the session: as ``fault`` if it is the line's, or as a failure
    of the agent or the customer if it is their model's own. Raises Hopeless, and leaves the session
    open to be continued, if the fault would affect every session.
    """
    try:
        if held.status.ended is None and held.status.turn:
            await with_retries(held.go_on, held.go_on)
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
    """Log a fault that is not in the log yet.

    Faults of requests to the agent's model already are.
    """
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
        await with_retries(lambda: held.say(words), held.go_on)


async def _next_words(held: Conversation, customer: Customer) -> str | None:
    async def speak() -> str | None:
        return await customer.speak(customer_history(held.log.events))

    return await with_retries(speak, speak)


async def with_retries(first: Callable[[], Awaitable[T]], again: Callable[[], Awaitable[T]]) -> T:
    """Take a step, and try `again` after a fault that may pass; raises the last fault."""
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
