from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import domains
from agent.clerk.clerk import Clerk
from agent.clerk.mistakes import MISTAKES
from domains.core.consent import Consent, call_digest
from domains.core.domain import Domain
from domains.core.tool import ToolCall
from tests.agent.clerk.driver import Driver
from tests.effort import one_in
from tests.shared_data import TAU2

HERE = Path(__file__)


def kept(name: str) -> Any:
    return json.loads(HERE.with_name(f"{name}.json").read_text("utf-8"))


TASKS: dict[str, dict[str, Any]] = {
    "retail": kept("tau2_tasks"),
    "airline": kept("airline_tau2_tasks"),
}
EVERY_TASK = [(name, task_id) for name, tasks in TASKS.items() for task_id in tasks]
SCRIPTS: dict[str, dict[str, Any]] = {
    "retail": kept("scenarios"),
    "airline": kept("airline_scenarios"),
}
VOICES: dict[str, dict[str, Any]] = {"retail": kept("voices"), "airline": kept("airline_voices")}
DIALOGUES: dict[str, list[Any]] = {
    "retail": kept("dialogues"),
    "airline": kept("airline_dialogues"),
}
EVERY_SCENARIO = [(name, each) for name, scripts in SCRIPTS.items() for each in scripts]
EVERY_VOICE = [
    (name, each, voice)
    for name, scenarios in VOICES.items()
    for each, voices in scenarios.items()
    for voice in voices
]
NOT_YET = {
    "what can be done about a cancelled flight",
    "a supposed upgrade is a question even where nothing was asked for yet",
    "a stranger: nothing before ten, two bags in a half sentence, and no insurance after its price",
    "a kind of trip is picked by its number, and how many fly is noted",
    "who asks if their address is right is told it and changes it then",
    "a rejection that says what stays corrects what goes back",
    "keep that is said of what was named just before",
    "what pays instead if the card spoken of is too small is used, and why is said",
    "a stranger: the other way to pay where a gift card falls short",
    "a stranger: only for that order, the account's address stays",
    "a stranger: two orders named before a request for one of them",
    "one off is no bag to add",
    "what the refund for a trip is, is told and cancels nothing",
}
"""Dialogues that do not go as they should; whatever mends one of these has to take it out here."""


def marks(name: str, place: int) -> list[pytest.MarkDecorator]:
    """What marks a dialogue: that it is not yet as it should be; every other one is heavy."""
    heavy = [pytest.mark.heavy] if place % 2 else []
    return [*heavy, *([pytest.mark.xfail(strict=True)] if name in NOT_YET else [])]


EVERY_DIALOGUE = [
    pytest.param(name, each, id=f"{name}: {each['name']}", marks=marks(each["name"], place))
    for name, dialogues in DIALOGUES.items()
    for place, each in enumerate(dialogues)
]
TRANSFER = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."
needs_tau2 = pytest.mark.skipif(not TAU2.is_dir(), reason="needs the records of τ²-bench")


def played(domain: Domain, script: dict[str, Any], clerk: Clerk | None = None) -> Driver:
    driver = Driver(domain, clerk or Clerk(), decisions=list(script.get("decisions", ())))
    for line in script["lines"]:
        driver.say(line)
    return driver


def digest_after(domain: Domain, calls: tuple[ToolCall, ...]) -> str:
    records = domain.records()
    for number, call in enumerate(calls):
        preview = records.preview(call)
        if not preview.result.error:
            records.apply(call, Consent(str(number), call_digest(call), preview.state, ""))
    return records.digest


def reaches_its_end(name: str, scenario_id: str, script: Any, clerk: Clerk | None = None) -> bool:
    domain = domains.load(name)
    scenario = domain.scenario(scenario_id)
    driver = played(domain, script, clerk)
    assert clerk is not None or driver.failing == []
    words = list(driver.said)
    return (
        driver.records.digest in [digest_after(domain, end) for end in scenario.ends]
        and all(any(each in said for said in words) for each in scenario.communicate)
        and any(each.endswith(TRANSFER) for each in words) == scenario.transfer
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_own_scenario_has_a_script_and_three_voices(name: str) -> None:
    ids = {each.id for each in domains.load(name).scenarios}
    assert ids <= set(SCRIPTS[name])
    assert all(len(VOICES[name][each]) >= 3 for each in ids)


@pytest.mark.parametrize(("name", "scenario_id"), EVERY_SCENARIO)
def test_a_scripted_customer_gets_an_own_scenario_to_an_acceptable_end(
    name: str, scenario_id: str
) -> None:
    assert reaches_its_end(name, scenario_id, SCRIPTS[name][scenario_id])


@pytest.mark.parametrize(
    ("mistake", "scenario_id"),
    [
        ("wrong-item", "clicky-keyboard"),
        ("wrong-item", "headphones-to-gift-card"),
        ("wrong-payment", "clicky-keyboard"),
        ("wrong-payment", "headphones-to-gift-card"),
        ("wrong-payment", "paypal-then-pack"),
        ("skips-last-request", "coffee-and-lamp"),
        ("skips-last-request", "move-then-desk"),
        ("forgets-policy", "same-skillet"),
        ("forgets-policy", "cheaper-elsewhere"),
    ],
)
def test_a_planted_mistake_does_not_get_there_when_all_is_approved(
    mistake: str, scenario_id: str
) -> None:
    script = SCRIPTS["retail"][scenario_id]
    other_end_is_right_too = mistake == "wrong-payment" and scenario_id == "clicky-keyboard"
    if other_end_is_right_too:
        driver = played(domains.load("retail"), script, Clerk(mistake))
        assert driver.writes[0].arguments["payment_method_id"] != "credit_card_8263198"
    else:
        assert not reaches_its_end("retail", scenario_id, script, Clerk(mistake))


def test_a_reminder_keeps_the_forgetful_clerk_to_the_policy() -> None:
    domain = domains.load("retail")
    driver = Driver(domain, Clerk("forgets-policy"), reminding=True)
    for line in SCRIPTS["retail"]["same-skillet"]["lines"]:
        driver.say(line)
    assert driver.writes == []
    assert any("very same item" in said for said in driver.said)


@pytest.mark.parametrize("mistake", ["wrong-item", "wrong-payment"])
def test_a_reminder_does_not_cure_the_other_mistakes(mistake: str) -> None:
    plain, reminded = (
        Driver(domains.load("retail"), Clerk(mistake), reminding=reminding)
        for reminding in (False, True)
    )
    for driver in (plain, reminded):
        for line in SCRIPTS["retail"]["headphones-to-gift-card"]["lines"]:
            driver.say(line)
    assert plain.proposed == reminded.proposed != []


def test_every_mistake_is_described_and_named() -> None:
    assert {Clerk(each).name for each in MISTAKES} == {f"clerk+{each}" for each in MISTAKES}
    assert Clerk().name == "clerk"
    with pytest.raises(ValueError, match="no such mistake"):
        Clerk("sleeps")


@needs_tau2
@pytest.mark.parametrize(("name", "task_id"), one_in(3, EVERY_TASK))
def test_a_tau2_task_told_as_conversation_ends_where_it_should(name: str, task_id: str) -> None:
    domain = domains.load(name, TAU2 / name)
    tasks = json.loads((TAU2 / name / "tasks.json").read_text("utf-8"))
    task = next(each for each in tasks if each["id"] == task_id)
    calls = (
        ToolCall(each["name"], each["arguments"])
        for each in task["evaluation_criteria"]["actions"]
        if domain.tools.mutates(each["name"])
    )
    driver = played(domain, TASKS[name][task_id])
    assert driver.records.digest == digest_after(domain, tuple(calls))
    words = "\n".join(driver.said)
    assert all(re.search(each, words) for each in TASKS[name][task_id].get("says", ()))


def test_nothing_is_looked_up_before_the_customer_is_known() -> None:
    driver = Driver(domains.load("retail"))
    answer = driver.say("where is my order #W1457422?")
    assert "zip code" in answer
    assert len(driver.messages) == 4


@pytest.mark.parametrize(("name", "scenario_id", "voice"), one_in(3, EVERY_VOICE))
def test_every_voice_gets_an_own_scenario_to_an_acceptable_end(
    name: str, scenario_id: str, voice: str
) -> None:
    assert reaches_its_end(name, scenario_id, VOICES[name][scenario_id][voice])


@pytest.mark.parametrize(("name", "dialogue"), EVERY_DIALOGUE)
def test_a_dialogue_goes_as_a_person_would_expect(name: str, dialogue: dict[str, Any]) -> None:
    driver = Driver(domains.load(name), decisions=list(dialogue["decisions"]))
    answers = [driver.say(line) for line in dialogue["lines"]]
    for turn, patterns in dialogue["says"].items():
        for each in patterns:
            assert re.search(each, answers[int(turn)]), answers[int(turn)]
    assert [call.name for call in driver.writes] == [name for name, _ in dialogue["writes"]]
    for call, (_, arguments) in zip(driver.writes, dialogue["writes"], strict=True):
        assert {**call.arguments, **arguments} == call.arguments
    assert driver.failing == []
