"""A program beside others: it holds conversations as the app does, one after the other.

It prints each event that was acknowledged, as session and seq.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from agent.clerk.clerk import Clerk
from agent.headless.plan import choose_scenarios
from agent.session.conversation import Conversation
from agent.simulated.customer import AtTheGate, customer_history
from agent.simulated.scripted import ScriptedCustomer
from domains import load
from sessions.events import Logged
from sessions.store.store import Store


def tell(logged: Logged) -> None:
    print(logged.session, logged.seq, flush=True)


async def converse(path: Path, sessions: int) -> None:
    domain = load("retail")
    with Store.open(path) as store:
        for scenario in list(choose_scenarios(domain))[:sessions]:
            customer = ScriptedCustomer(scenario)
            gate = AtTheGate(customer)
            held = await Conversation.start(store, domain, Clerk(), gate, scenario=scenario)
            gate.listen(held.log.events)
            held.subscribe(tell)
            while held.status.ended is None:
                words = await customer.speak(customer_history(held.log.events))
                if words is None:
                    break
                await held.say(words)


if __name__ == "__main__":
    sys.stdin.readline()
    asyncio.run(converse(Path(sys.argv[1]), int(sys.argv[2])))
