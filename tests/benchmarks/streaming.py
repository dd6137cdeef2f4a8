"""What the keystroke measurement is held against: a long conversation, and a model that streams.

The conversation is talked through with the real engine, so its log is what such a session leaves.
The model is reached as any other is: by litellm, over HTTP, from a process of its own.

    python -m tests.benchmarks.streaming        serves until its input ends; prints its address
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager
from itertools import cycle, islice
from pathlib import Path

from agent.gate.operator import AutoApprover
from agent.loop import take_turn
from agent.models.protocol import CallPiece, Finish, ModelRequest, Piece, TextPiece
from agent.session.conversation import Conversation
from domains import load
from sessions.events import Safeguards, SessionStarted
from sessions.log import Log
from sessions.store.store import Store
from tests.agent.hostile import floods
from tests.agent.hostile.zoo import DONE, STOP, chunk, event
from tests.agent.models.litellm.wire_behaviours import Behaviour, silent
from tests.agent.models.litellm.wire_process import process_of, serve
from tests.agent.models.litellm.wire_protocol import Exchange

MODEL = "openai/a_hundred_a_second"
RATE = 100
"""Pieces a second."""

SECONDS = 15
"""How long one answer takes: 6,000 letters, several times what an agent says at once."""

FIRST_WORDS = "Thank you for"
"""What an answer begins with."""

_PROSE = (
    f"{FIRST_WORDS} waiting. I have looked at the order, and this is what I can tell you. ",
    "The **mechanical keyboard** has linear switches and costs `$164.28`; the same one with ",
    "clicky switches is in stock.\n\n",
    "- It would be sent to the address of the order.\n",
    "- The difference goes back to *PayPal*.\n",
    "- After the exchange the order cannot be changed again.\n\n",
    "Take your time to compare the two. A clicky switch gives a sound and a bump when it is ",
    "pressed, a linear one gives neither, and a tactile one gives the bump alone.\n\n",
)
_CUSTOMER = "And what about order {order}? Is it on its way, and where does it go?"
_ANSWER = (
    "Order **{order}** is on its way. It goes to the address you gave, and holds:\n\n"
    "- a mechanical keyboard, linear, full size\n- a smart thermostat\n\n"
    "Is there anything else that I can do for you?"
)
LAST_WORDS = "anything else"
"""What the end of the conversation shows once it is on the screen."""


def words() -> Iterator[str]:
    """An answer without end, in pieces of up to four letters, as models send them."""
    for text in cycle(_PROSE):
        yield from (text[start : start + 4] for start in range(0, len(text), 4))


async def a_hundred_a_second(exchange: Exchange) -> None:
    """Answer at an even pace by the clock, however long each piece takes to send."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    await exchange.chunk({"role": "assistant", "content": ""})
    for number, piece in enumerate(islice(words(), RATE * SECONDS), start=1):
        await exchange.chunk({"content": piece})
        await asyncio.sleep(max(0.0, start + number / RATE - loop.time()))
    await exchange.finish()


FLOODS = {
    "no choices": (floods.EMPTY, 100_000),
    "empty content": (event(chunk({"content": ""})), 0),
    "empty deltas": (event(chunk({})), 30_000),
    "letters of reasoning": (floods.LETTER, 30_000),
}
"""Answers that keep a careless reader busy: one event and how often it comes at once; 0 is ever."""

BOMB = "gzip bomb"
NOTHING = "nothing at all"
FLOODED = (NOTHING, *FLOODS, BOMB)
"""What Esc is pressed under; first, for comparison, a server that sends nothing."""


def flood_model(name: str) -> str:
    """The model that answers with one of them."""
    return f"openai/{name.replace(' ', '_')}"


def _floods() -> dict[str, Behaviour]:
    found: dict[str, Behaviour] = {}
    for name, (one, count) in FLOODS.items():
        answer = floods.flood(one, count, STOP, DONE) if count else floods.endless(one)
        found[flood_model(name).removeprefix("openai/")] = answer
    packed = floods.packed(floods.events_bomb, "gzip")
    quiet = flood_model(NOTHING).removeprefix("openai/")
    return found | {flood_model(BOMB).removeprefix("openai/"): packed, quiet: silent}


def serving() -> AbstractContextManager[str]:
    """The model's server in a process of its own; gives its address."""
    return process_of("tests.benchmarks.streaming")


class _LooksUp:
    """An agent that looks one order up in every turn and then tells of it."""

    name = MODEL

    def __init__(self, orders: list[str]) -> None:
        self._orders = orders
        self._turn = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        order = self._orders[self._turn % len(self._orders)]
        if request.messages[-1]["role"] == "user":
            yield CallPiece(
                0, f"look-{self._turn}", "get_order_details", f'{{"order_id":"{order}"}}'
            )
            yield Finish("tool_calls")
        else:
            self._turn += 1
            yield TextPiece(_ANSWER.format(order=order))
            yield Finish("stop")


def long_session(path: Path, messages: int, model: str = MODEL) -> str:
    """Record a conversation of that many messages (four a turn); the session's id."""
    return asyncio.run(_long_session(path, messages, model))


async def _long_session(path: Path, messages: int, model: str) -> str:
    domain = load("retail")
    orders = list(domain.base.collections["orders"])
    safeguards = Safeguards()
    with Store.open(path) as store:
        log = await Log.start(
            store,
            SessionStarted(
                domain=domain.name,
                source=domain.base.source,
                model=model,
                safeguards=safeguards,
                max_turns=messages,
                program="benchmark",
                policy_digest=domain.policy_digest,
                tools_digest=domain.tools_digest,
                records_digest=domain.records().digest,
            ),
        )
        talk = Conversation(
            domain, log, domain.records(), _LooksUp(orders), AutoApprover(), safeguards, messages
        )
        for order in islice(cycle(orders), messages // 4):
            await take_turn(talk, _CUSTOMER.format(order=order))
        return log.session


if __name__ == "__main__":
    serve({"a_hundred_a_second": a_hundred_a_second, **_floods()})
