from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import domains
from agent.headless.plan import Arm, Plan, choose_scenarios
from agent.headless.run import Run
from agent.headless.summary import read_ended_sessions
from agent.models.choosing import make_model
from agent.models.litellm.model import LiteLLMModel
from agent.models.protocol import ChatModel, ModelFault
from agent.simulated.customer import Heard, Said
from agent.simulated.modelled import GOODBYE, ModelCustomer
from domains.core.domain import Role
from sessions.events import DecisionMade, Safeguards
from sessions.store.store import Store
from tests.agent.asked import Asked
from tests.agent.models.litellm.wire_protocol import Reply
from tests.agent.models.litellm.wire_server import WireServer
from tests.agent.scripted import ScriptedModel
from tests.agent.simulated.cards import card, put, scenario

PLAYED = "openai/scripted"


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as running:
        yield running


async def test_a_model_plays_the_customer_over_the_wire(server: WireServer, tmp_path: Path) -> None:
    server.script(
        Reply("Hi, I'm Nora Lindqvist, zip 55408. Please cancel the order with my trail shoes."),
        Reply("I no longer need them."),
        Reply('```json\n{"decision": "approve", "words": "yes"}\n```'),
        Reply(GOODBYE),
    )
    server.script(Reply(GOODBYE))

    def model_of(name: str) -> ChatModel:
        if name == PLAYED:
            return LiteLLMModel(name, api_base=server.base, api_key="none")
        return make_model(name)

    domain = domains.load("retail")
    tasks = tuple(choose_scenarios(domain, "shoes-not-needed"))
    plan = Plan(domain, tasks, "clerk", PLAYED, (Arm(Safeguards()),))
    with Store.open(tmp_path / "sessions.sqlite") as store:
        progress = await Run(store, plan, model_of=model_of).play()
        (one,) = read_ended_sessions(store, plan)
        log = store.read(one.facts.session)
    assert progress.lost == []
    assert (one.facts.ended, one.facts.reward, one.facts.writes_without_yes) == ("customer", 1.0, 0)
    decisions = [each.event for each in log if isinstance(each.event, DecisionMade)]
    assert [(each.by, each.decision, each.words) for each in decisions] == [
        ("simulated", "approve", "yes")
    ]
    bodies = [request.body for request in server.requests]
    assert all(not body.get("tools") for body in bodies)
    assert all("Nora Lindqvist" in body["messages"][0]["content"] for body in bodies)
    everything = json.dumps(bodies)
    assert "payment_history" not in everything
    assert "get_order_details" not in everything
    on_card = next(body for body in bodies if "JSON object" in body["messages"][0]["content"])
    assert len(on_card["messages"]) == 2


@pytest.mark.parametrize(
    ("answer", "choice", "words"),
    [
        ('{"decision": "approve", "words": "fine"}', "approve", "fine"),
        ('I think {"decision": "change", "words": "in blue"} is it', "change", "in blue"),
        ('{"decision": "ask", "words": "how much?"}', "ask", "how much?"),
        ('{"decision": "reject"}', "reject", ""),
        ('{"decision": "change", "words": ""}', "reject", ""),
        ('{"decision": "APPROVE!"}', "reject", ""),
        ('{"decision": ["approve"]}', "reject", ""),
        ("yes", "reject", ""),
        ("[]", "reject", ""),
        ("{" * 5000 + "}", "reject", ""),
    ],
)
async def test_a_decision_is_read_strictly_and_is_no_where_it_cannot_be(
    answer: str, choice: str, words: str
) -> None:
    customer = ModelCustomer(ScriptedModel(answer), scenario(()), Asked())
    decision = await customer.decide(card("cancel", order_id="#W1"), [])
    assert (decision.choice, decision.words) == (choice, words)


async def test_the_model_is_shown_the_role_the_card_and_no_conversation() -> None:
    model = ScriptedModel('{"decision": "reject", "words": "no"}')
    role = Role("You are Ann.", wants=("Nothing but advice.",))
    so_far: list[Heard] = [Said("agent", "A secret between us.")]
    await ModelCustomer(model, scenario((), role=role), Asked()).decide(card("cancel"), so_far)
    (request,) = model.requests
    assert request.tools == []
    text = json.dumps(request.messages)
    assert "Nothing but advice." in text
    assert "Do cancel." in text
    assert "secret" not in text


async def test_questions_about_a_card_have_an_end() -> None:
    asking = '{"decision": "ask", "words": "really?"}'
    customer = ModelCustomer(ScriptedModel(asking, asking, asking), scenario(()), Asked())
    shown, so_far = card("cancel"), list[Heard]()
    choices = []
    for _ in range(3):
        decision = await customer.decide(shown, so_far)
        choices.append(decision.choice)
        so_far += [Said("customer", decision.words, shown.id), Said("agent", "Yes.", shown.id)]
    assert choices == ["ask", "ask", "reject"]


async def test_roles_take_turns_and_the_agent_begins() -> None:
    model = ScriptedModel("I see.")
    shown = card("cancel")
    so_far: list[Heard] = [
        Said("customer", "Hello?"),
        put(shown, "reject", "not that"),
        Said("customer", "why?", shown.id),
        Said("agent", "Sorry."),
        Said("customer", "Well?"),
    ]
    await ModelCustomer(model, scenario(()), Asked()).speak(so_far)
    roles = [each["role"] for each in model.requests[0].messages]
    assert roles[:2] == ["system", "user"]
    assert roles[-1] == "user"
    assert all(one != other for one, other in itertools.pairwise(roles))


async def test_goodbye_ends_it_and_nothing_at_all_is_a_fault() -> None:
    goodbye = ModelCustomer(ScriptedModel(f"Thanks! {GOODBYE}"), scenario(()), Asked())
    assert await goodbye.speak([]) is None
    silent = ModelCustomer(ScriptedModel(" ", " ", " ", " "), scenario(()), Asked())
    with pytest.raises(ModelFault):
        await silent.speak([])
