"""Programs beside others, which have the session file open, too."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path

from agent.clerk.clerk import Clerk
from agent.headless.plan import choose_scenarios
from agent.session.conversation import Conversation
from agent.simulated.customer import AtTheGate, customer_history
from agent.simulated.scripted import ScriptedCustomer
from domains import load
from sessions.events import Logged
from sessions.store.store import Store
from tests.agent.victims import Tell
from tests.sessions.toy import started


def add_session(tell: Tell, path: Path) -> None:
    """Record the beginning of a session."""
    with Store.open(path) as store:
        store.start(started())


def converse(tell: Tell, path: Path, sessions: int) -> None:
    """Hold conversations as the app does, one after the other.

    Tells each event that was acknowledged, as session and seq, and last what went wrong.
    """

    def told(logged: Logged) -> None:
        tell(f"{logged.session} {logged.seq}")

    with redirect_stderr(io.StringIO()) as errors:
        asyncio.run(_converse(told, path, sessions))
    tell(f"errors: {errors.getvalue()}")


async def _converse(told: Callable[[Logged], None], path: Path, sessions: int) -> None:
    domain = load("retail")
    with Store.open(path) as store:
        for scenario in list(choose_scenarios(domain))[:sessions]:
            customer = ScriptedCustomer(scenario)
            gate = AtTheGate(customer)
            held = await Conversation.start(store, domain, Clerk(), gate, scenario=scenario)
            gate.listen(held.log.events)
            held.subscribe(told)
            while held.status.ended is None:
                words = await customer.speak(customer_history(held.log.events))
                if words is None:
                    break
                await held.say(words)
