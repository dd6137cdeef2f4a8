"""What is sent beside the conversation, as a server hears it."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.assembly import assemble
from agent.models.litellm.model import LiteLLMModel
from agent.models.litellm.parameters import CAPS, LONGEST, Parameters
from agent.models.litellm.setup import import_litellm
from agent.models.protocol import Effort, ModelFault, ModelRequest
from sessions.events import RequestSettings
from tests.agent.models.litellm.test_wire import TOOLS, drain, model, request
from tests.agent.models.litellm.wire_server import WireServer

ASKED = RequestSettings(temperature=0.7, reasoning_effort="medium", max_tokens=900)


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as running:
        yield running


def settings(**asked: Any) -> ModelRequest:
    return replace(request(), settings=RequestSettings(**asked))


async def test_what_was_asked_for_is_sent(server: WireServer) -> None:
    await drain(model(server, "plain"), replace(request(), settings=ASKED))
    body = server.requests[0].body
    assert (body["temperature"], body["reasoning_effort"], body["max_tokens"]) == (
        0.7, "medium", 900,
    )  # fmt: skip


async def test_what_was_not_asked_for_is_as_usual(server: WireServer) -> None:
    await drain(model(server, "plain"))
    body = server.requests[0].body
    assert (body["temperature"], body.get("reasoning_effort"), body["max_tokens"]) == (
        0, None, LONGEST,
    )  # fmt: skip


async def test_what_was_asked_for_is_never_left_out_behind_ones_back(server: WireServer) -> None:
    asked = model(server, "no_temperature")
    with pytest.raises(ModelFault, match="does not accept the requested temperature") as raised:
        await drain(asked, settings(temperature=0.7))
    assert raised.value.kind == "bad_setting"
    assert "--temperature" in raised.value.sentence
    assert server.hits("no_temperature") == 1
    assert assemble(await drain(asked, settings(max_tokens=5))).text  # the usual one still is


async def test_what_litellm_would_drop_silently_is_refused_as_well(server: WireServer) -> None:
    asked = LiteLLMModel("openai/gpt-5", api_base=server.base, api_key="none")
    with pytest.raises(ModelFault, match="--temperature"):
        await drain(asked, settings(temperature=0.7))
    assert server.requests == []


async def test_a_silence_is_borne_for_as_long_as_was_asked(server: WireServer) -> None:
    with pytest.raises(ModelFault, match=r"nothing for 0\.2 seconds"):
        await drain(model(server, "silent"), settings(timeout=0.2))


@given(
    asked=st.builds(
        RequestSettings,
        temperature=st.none() | st.floats(0, 2),
        reasoning_effort=st.sampled_from([None, "low", "high"]),
        max_tokens=st.none() | st.integers(1, 50_000),
        ask_as=st.sampled_from(["saber", "tau2"]),
    ),
    longest=st.none() | st.integers(1, 500),
    effort=st.sampled_from([None, "low", "high"]),
    refused=st.sets(st.sampled_from([*CAPS, "temperature", "reasoning_effort", "seed"])),
    provider=st.sampled_from(["openai", "anthropic", "groq"]),
)
def test_whatever_is_refused_what_was_asked_for_stays_and_nothing_is_capped_twice(
    asked: RequestSettings,
    longest: int | None,
    effort: Effort | None,
    refused: set[str],
    provider: str,
) -> None:
    what = ModelRequest([], TOOLS, seed=7, longest=longest, effort=effort, settings=asked)
    parameters = Parameters(import_litellm(), "some-model", provider, what, LONGEST)
    sent = parameters.to_send(refused)
    for name in ("temperature", "reasoning_effort"):
        wanted = getattr(asked, name)
        if wanted is not None and not (name == "reasoning_effort" and effort):
            assert sent[name] == wanted
            assert not parameters.may_be_left_out(name, refused)
        else:
            assert name not in sent or name not in refused
    capped = [name for name in CAPS if name in sent]
    assert len(capped) <= 1
    assert not {*capped} & refused
    caps = [each for each in (asked.max_tokens, longest) if each is not None]
    if capped and caps:
        assert sent[capped[0]] <= min(caps)
    if asked.max_tokens is not None:
        assert capped or {*CAPS} <= refused


def test_a_cap_that_was_asked_for_is_tried_by_both_names() -> None:
    what = settings(max_tokens=900)
    parameters = Parameters(import_litellm(), "some-model", "openai", what, LONGEST)
    left = [
        parameters.may_be_left_out(CAPS[0], set()),
        parameters.may_be_left_out(CAPS[1], {CAPS[0]}),
    ]
    assert left == [True, False]
    assert [parameters.to_send(set(CAPS[:n])).get(CAPS[n]) for n in range(2)] == [900, 900]
    assert all(name not in parameters.to_send({*CAPS}) for name in itertools.chain(CAPS))
