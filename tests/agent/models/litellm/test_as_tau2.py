"""What the agent's model is asked is what τ²-bench would ask it: both are heard by one server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import domains
from agent.gate.operator import AutoApprover
from agent.headless.pacing import Pace, PacedModel
from agent.models.litellm.model import LiteLLMModel
from agent.session.conversation import Conversation
from domains.core.domain import DomainError
from domains.tau2.data import installed_folder
from sessions.events import RequestSettings, Safeguards
from sessions.store.store import Store
from tests.agent.models.litellm.wire_protocol import Call, Reply
from tests.agent.models.litellm.wire_server import WireServer
from tests.tau2_process import Tau2Process, with_tau2

try:
    DATA = installed_folder() / "tau2" / "domains"
except DomainError:
    pytest.skip("τ²-bench is not installed here", allow_module_level=True)

pytestmark = with_tau2

PEER = Path(__file__).with_name("tau2_agent.py")
UNGUARDED = Safeguards(gate=False, reflection=False, context=False)
SEED = 4711

SETTINGS = {
    "retail": RequestSettings(ask_as="tau2"),
    "airline": RequestSettings(
        ask_as="tau2", temperature=0.7, reasoning_effort="medium", max_tokens=900
    ),
}
"""As it is set there, and as it was asked for."""

STREAMED = ("stream", "stream_options")
"""Here answers are heard as they come, there as a whole: how, not what, is answered."""

SAID = {
    "retail": ["Hi, I'm Yusuf Rossi, 19122.", "What does “#W2378156” hold?\n\nAnd when…?", "Bye"],
    "airline": ["I am mia_li_3668", "Is HAT136 on time on 2024-05-20?", "Bye"],
}
REPLIES = {
    "retail": (
        Reply(calls=(Call("find_user_id_by_name_zip",
                          {"first_name": "Yusuf", "last_name": "Rossi", "zip": "19122"}, "c1"),)),
        Reply("Hello Yusuf."),
        Reply(calls=(Call("get_order_details", {"order_id": "#W2378156"}, "c2"),)),
        Reply("A keyboard, 144 €."),
        Reply("Bye!"),
    ),
    "airline": (
        Reply("One moment.", calls=(Call("get_user_details", {"user_id": "mia_li_3668"}, "c1"),)),
        Reply("Hello Mia."),
        Reply(calls=(Call("get_flight_status",
                          {"flight_number": "HAT136", "date": "2024-02-31"}, "c2"),)),
        Reply("It is."),
        Reply("Bye!"),
    ),
}  # fmt: skip


async def asked_here(server: WireServer, db: Path, name: str, settings: RequestSettings) -> None:
    model = LiteLLMModel("openai/scripted", api_base=server.base, api_key="none")
    with Store.open(db) as store:
        held = await Conversation.start(
            store, domains.load(name, DATA), PacedModel(model, Pace(1), SEED), AutoApprover(),
            safeguards=UNGUARDED, requests=settings,
        )  # fmt: skip
        for words in SAID[name]:
            await held.say(words)


async def asked_there(server: WireServer) -> None:
    """All conversations in one process."""
    told = [
        {"domain": name, "parameters": {"temperature": 0.0, **given(settings)},
         "seed": SEED, "says": SAID[name]}
        for name, settings in SETTINGS.items()
    ]  # fmt: skip
    peer = await asyncio.to_thread(Tau2Process, PEER, server.base, json.dumps(told))
    assert (await asyncio.to_thread(peer.finish)).endswith("done\n")


def given(settings: RequestSettings) -> dict[str, Any]:
    """What was set of the model's own parameters."""
    return settings.model_dump(exclude_none=True, exclude={"ask_as", "think_tool"})


def plain(message: dict[str, Any]) -> dict[str, Any]:
    """A message without what the protocol does not know, and with arguments as they are read."""
    kept = {name: value for name, value in message.items() if value is not None}
    if "tool_calls" in kept:
        kept["tool_calls"] = [
            (call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]))
            for call in kept["tool_calls"]
        ]
    return kept


async def test_every_request_is_the_one_that_tau2_would_make(tmp_path: Path) -> None:
    scripted = [reply for name in SETTINGS for reply in REPLIES[name]]
    async with WireServer() as server:
        server.script(*scripted)
        for name, settings in SETTINGS.items():
            await asked_here(server, tmp_path / f"{name}.sqlite", name, settings)
        server.script(*scripted)
        await asked_there(server)
        bodies = [each.body for each in server.requests]
    ours, theirs = bodies[: len(scripted)], bodies[len(scripted) :]
    assert len(ours) == len(theirs) == len(scripted) == 10
    for here, there in zip(ours, theirs, strict=True):
        assert [*map(plain, here.pop("messages"))] == [*map(plain, there.pop("messages"))]
        assert {name: each for name, each in here.items() if name not in STREAMED} == there
