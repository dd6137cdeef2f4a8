from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]


QUIET = """
import asyncio, socket, sys

def deny(*arguments, **named):
    raise AssertionError(f"looked up {arguments}")

allowed = {name: getattr(socket, name) for name in
           ("getaddrinfo", "create_connection", "gethostbyname")}
connect = socket.socket.connect
socket.getaddrinfo = socket.create_connection = socket.socket.connect = deny
socket.gethostbyname = deny
import agent.models.choosing
agent.models.choosing.available_models()
assert "pydantic" not in sys.modules, "the list of models is part of the first frame"
import agent.models.litellm.model, agent.models.retries
from agent.models.litellm.setup import warm
from agent.models.protocol import ModelFault, ModelRequest
assert not {"litellm", "openai", "tenacity", "aiohttp"} & sys.modules.keys(), "imported too early"
warm().join()
import litellm
litellm.token_counter(model="groq/llama-3.3-70b-versatile", text="hello")
print(litellm.model_cost["gpt-4o"]["mode"])

async def ask(name):
    try:
        async for piece in agent.models.choosing.make_model(name).stream(ModelRequest([], [])):
            pass
    except ModelFault as fault:
        print(fault.kind)

asyncio.run(ask("no-such-model"))
asyncio.run(ask("gpt-4o"))
"""

LEAVING = """
for name, function in allowed.items():
    setattr(socket, name, function)
socket.socket.connect = connect
from agent.models.litellm.model import LiteLLMModel
from tests.agent.models.litellm.wire_server import WireServer

ASKED = ModelRequest([{"role": "user", "content": "x"}], [])

async def main():
    async with WireServer() as server:
        for name in ("plain", "cut", "bad_key", "stall", "broken", "garbage"):
            model = LiteLLMModel(f"openai/{name}", api_base=server.base, api_key="k", timeout=0.2)
            try:
                async for piece in model.stream(ASKED):
                    pass
            except ModelFault:
                continue

asyncio.run(main())
"""


@pytest.mark.heavy
def test_importing_litellm_calls_nobody_and_calls_that_fail_print_nothing_nor_does_the_end(
    tmp_path: Path,
) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_KEY=taken-from-a-file\n", encoding="utf-8")
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    ran = subprocess.run(
        [sys.executable, "-c", QUIET + LEAVING],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=110,  # a minute for each of the two
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.split() == ["chat", "unknown_model", "no_key"]
