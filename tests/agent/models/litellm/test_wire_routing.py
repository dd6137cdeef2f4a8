from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.models.litellm.model import LiteLLMModel
from sessions.events import AgentSaid, Route, RouteDecided, Safeguards
from tests.agent.held import conversation, events, types
from tests.agent.models.litellm.wire_protocol import Call, Reply, to_the_last
from tests.agent.models.litellm.wire_server import WireServer
from tests.agent.scripted import ScriptedOperator
from tests.toy import toy_domain

LOOK = Call("look", {"jar": "red"})
TAKE = Call("take", {"jar": "red", "coins": 3})
TURN = (Reply("", (LOOK,)), Reply("", (TAKE,)), Reply("Done."))


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as running:
        yield running


async def bodies(folder: Path, server: WireServer, safeguards: Safeguards) -> list[dict[str, Any]]:
    """What one routine session of two turns sends, in order."""
    model = LiteLLMModel("openai/scripted", api_base=server.base, api_key="k")
    operator = ScriptedOperator("approve", "approve")
    async with conversation(folder, model, operator, safeguards=safeguards) as held:
        await held.say("three coins from the red jar, please")
        await held.say("and three more")
        assert not any(isinstance(each, RouteDecided) and each.latched for each in events(held))
    return [each.body for each in server.requests]


def without_ids(body: object) -> object:
    """A request without the ids of its calls, which the server counts up."""
    if isinstance(body, dict):
        kept = {key: each for key, each in body.items() if key not in ("id", "tool_call_id")}
        return {key: without_ids(each) for key, each in kept.items()}
    return [without_ids(each) for each in body] if isinstance(body, list) else body


async def test_a_routine_session_costs_one_short_request_a_turn_and_nothing_else(
    server: WireServer, tmp_path: Path
) -> None:
    plain = Safeguards(reflection=False, context=False)
    server.script(*TURN, *TURN)
    unrouted = await bodies(tmp_path / "plain", server, plain)
    server.requests.clear()
    simple = Reply("SIMPLE")
    server.script(simple, *TURN, simple, *TURN)
    routed = await bodies(
        tmp_path / "routed", server, plain.model_copy(update={"control": "routed"})
    )
    routing = [routed[0], routed[len(TURN) + 1]]
    rest = [each for each in routed if each not in routing]
    assert [without_ids(each) for each in rest] == [without_ids(each) for each in unrouted]
    assert len(routed) == len(unrouted) + 2
    for each in routing:
        assert "tools" not in each
        cap = each.get("max_tokens") or each["max_completion_tokens"]
        usual = unrouted[0].get("max_tokens") or unrouted[0]["max_completion_tokens"]
        assert cap < usual
        assert len(each["messages"]) == 2
    assert all("reasoning_effort" not in each for each in unrouted)


async def test_rules_send_nothing_at_all(server: WireServer, tmp_path: Path) -> None:
    server.script(*TURN, *TURN)
    by_rules = Safeguards(reflection=False, context=False, control="routed", router="rules")
    assert len(await bodies(tmp_path, server, by_rules)) == 2 * len(TURN)


async def test_a_line_that_is_down_for_the_router_holds_the_turn_to_the_default(
    server: WireServer, tmp_path: Path
) -> None:
    server.script(Reply(status=400, error="no"), Reply("Hello."))
    model = LiteLLMModel("openai/scripted", api_base=server.base, api_key="k")
    routed = Safeguards(reflection=False, context=False, control="routed")
    async with conversation(tmp_path, model, ScriptedOperator(), safeguards=routed) as held:
        await held.say("hi")
        decided = next(each for each in events(held) if isinstance(each, RouteDecided))
        assert (decided.label, decided.malformed, decided.latched) == ("complex", True, True)
        assert events(held)[-1].type == "agent_said"


MALFORMED = {
    "nothing": Reply(""),
    "white space": Reply(" \n\t"),
    "prose": Reply("That looks COMPLEX to me: two things are asked for."),
    "both labels": Reply("SIMPLE or COMPLEX"),
    "one label twice": Reply("COMPLEX COMPLEX"),
    "without end": Reply("SIMPLE " * 40_000, piece=100_000),
    "thoughts alone": Reply(reasoning="Two things are asked for, hence COMPLEX."),
    "a call instead": Reply(calls=(TAKE,)),
}
"""What a router may answer that is neither of its words."""


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("default", ["simple", "complex"])
@pytest.mark.parametrize("name", MALFORMED)
async def test_an_answer_that_is_no_label_is_the_domains_default_and_the_turn_goes_on(
    server: WireServer, tmp_path: Path, name: str, default: Route
) -> None:
    toy = toy_domain()
    domain = replace(toy, routing=replace(toy.routing, default=default))
    server.script(*to_the_last(MALFORMED[name]), Reply("Hello."))
    model = LiteLLMModel("openai/scripted", api_base=server.base, api_key="k")
    routed = Safeguards(reflection=False, context=False, control="routed")
    async with conversation(
        tmp_path, model, ScriptedOperator(), domain=domain, safeguards=routed
    ) as held:
        await held.say("hi")
        (decided,) = (each for each in events(held) if isinstance(each, RouteDecided))
        assert (decided.label, decided.malformed) == (default, True)
        assert decided.latched == (default == "complex")
        assert held.latch.since == (1 if decided.latched else None)
        said = [each.text for each in events(held) if isinstance(each, AgentSaid)]
        assert said[1:] == ["Hello."]
        assert "tool_called" not in types(held)
        assert "write_applied" not in types(held)
        sent = str(server.requests[-1].body["messages"])
        assert not any(word in sent for word in ("SIMPLE", "COMP", "'role': 'tool'"))


async def test_a_label_beside_a_call_is_a_label_and_the_call_is_not_run(
    server: WireServer, tmp_path: Path
) -> None:
    server.script(Reply("complex", (TAKE,)), Reply("Hello."))
    model = LiteLLMModel("openai/scripted", api_base=server.base, api_key="k")
    routed = Safeguards(reflection=False, context=False, control="routed")
    async with conversation(tmp_path, model, ScriptedOperator(), safeguards=routed) as held:
        await held.say("hi")
        (decided,) = (each for each in events(held) if isinstance(each, RouteDecided))
        assert (decided.label, decided.malformed) == ("complex", False)
        assert "card_shown" not in types(held)
