"""A server that plays recorded conversations: the agent under one name, the customer under another.

Which of the conversations a request belongs to is told by its seed, which is the session's own;
how far that has come, by how often each side was asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agent.simulated.modelled import GOODBYE
from sessions.importing.runs import STOP
from tests.agent.models.litellm.wire_behaviours import Behaviour
from tests.agent.models.litellm.wire_protocol import Call, Exchange, Reply, play

AGENT, CUSTOMER = "recorded-agent", "recorded-customer"

HAND_OVER = "transfer_to_human_agents"
FAREWELL = Reply("Please hold on.")
"""What an agent says after it has handed the customer over; τ-bench did not ask it any more."""


class Recording:
    """One recorded run, as the answers of both sides in their order."""

    def __init__(self, run: Mapping[str, Any]) -> None:
        said = [each for each in run["traj"] if each["role"] in ("user", "assistant")]
        self.agent = [_agents(each) for each in said if each["role"] == "assistant"]
        if any(call.name == HAND_OVER for call in self.agent[-1].calls):
            self.agent.append(FAREWELL)
        self.customer = [_customers(each["content"]) for each in said if each["role"] == "user"]


def behaviours(recordings: Mapping[int, Recording]) -> dict[str, Behaviour]:
    """Both sides of the recordings, by the seeds of the sessions that play them."""
    left: dict[tuple[str, int], Iterator[Reply]] = {
        (side, seed): iter(answers)
        for seed, each in recordings.items()
        for side, answers in ((AGENT, each.agent), (CUSTOMER, each.customer))
    }

    def of(side: str) -> Behaviour:
        async def answer(exchange: Exchange) -> None:
            seed = exchange.request.body["seed"]
            reply = next(left[side, seed], None)
            if reply is None:
                await exchange.error(400, "The recording is over.")
            else:
                await play(exchange, reply)

        return answer

    return {side: of(side) for side in (AGENT, CUSTOMER)}


def _agents(message: Mapping[str, Any]) -> Reply:
    calls = [
        Call(each["function"]["name"], each["function"]["arguments"], each["id"])
        for each in message.get("tool_calls") or ()
    ]
    return Reply(message["content"] or "", calls, piece=10_000)


def _customers(words: str) -> Reply:
    """The customer's words; what ended a conversation there ends it here."""
    return Reply(GOODBYE if STOP in words else words, piece=10_000)
