from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.memory.bank import Bank
from agent.memory.change import Change
from agent.memory.evidence import Evidence
from agent.memory.feedback import Feedback, PolicyAgent, Regime, feedback_on
from agent.memory.rule_policy_agent import RulePolicyAgent
from domains.core.domain import Gaps
from domains.core.gap import PolicyGap
from sessions.events import CustomerSaid, DecisionMade, Scored
from tests.agent.memory.test_rule_policy_agent import BROKEN, EXCHANGE, RETAIL, bank
from tests.sessions.toy import CANCEL, log_of, scenario, shown, started, toy

TOLD = "It may be cancelled even if it was sent."
LOG = log_of(
    started(),
    CustomerSaid(text="It must be so", turn=1),
    shown("k1"),
    DecisionMade(card_id="k1", decision="reject", words=TOLD, by="person", milliseconds=1),
    Scored(scenario="one", reward=0, records_match=False, communicated=True),
)


def told(regime: Regime, *, upto: int = len(LOG), words: str = "") -> Feedback:
    in_gap = replace(scenario((CANCEL,)), gap="G", explanation="E")
    gap = PolicyGap("G", "toy", "missing exception", "cancel", "Pending", "", "", "C", ("one",))
    domain = replace(toy(), read_gaps=lambda _: Gaps((gap,)))
    return feedback_on(LOG[:upto], domain, in_gap, regime, words=words)


def test_a_regime_tells_its_own_and_nothing_beyond_it() -> None:
    said = {each: told(each) for each in get_args(Regime)}
    assert {name: (each.explanation, each.clarification) for name, each in said.items()} == {
        "person": ("", ""), "reward": ("", ""), "explanation": ("E", ""), "oracle": ("", "C"),
    }  # fmt: skip
    assert [each.kind for each in said["person"].evidence] == ["decision", "outcome"]
    assert [each.tool for each in said["reward"].evidence] == [""]  # not what should have been done
    assert [each.tool for each in said["explanation"].evidence] == ["cancel"]
    assert [each.failing for each in said["oracle"].evidence] == [("Pending",)]
    assert {each.reward for each in said.values()} == {0}
    assert told("oracle", words="W").clarification == "W"


@pytest.mark.parametrize("regime", ["explanation", "oracle"])
def test_a_key_in_somebodys_words_is_out_before_they_are_cut(
    monkeypatch: pytest.MonkeyPatch, regime: Regime
) -> None:
    key = "canary-key-0123456789"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    said = told(regime, words=f"{'x ' * 95}{key} may be done.")
    assert "canary" not in f"{said.explanation}{said.clarification}"


@pytest.mark.parametrize("regime", ["reward", "explanation", "oracle"])
def test_without_a_score_only_a_person_teaches(regime: Regime) -> None:
    assert told(regime, upto=len(LOG) - 1).evidence == ()
    assert told("person", upto=len(LOG) - 1).evidence


def reviewed(feedback: Feedback, held: Bank) -> list[Change]:
    agent: PolicyAgent = RulePolicyAgent()
    return asyncio.run(agent.review([], feedback, held, RETAIL))


def ended(**more: Any) -> Evidence:
    return Evidence("outcome", "s", 9, "", EXCHANGE, **more)


@given(st.sampled_from(["reward", "explanation", "oracle"]), st.text(max_size=80) | st.just(BROKEN))
def test_what_went_as_it_should_changes_nothing_whatever_is_said_of_it(
    regime: Regime, words: str
) -> None:
    (made,) = reviewed(Feedback(regime, 1.0, words, words, (ended(),)), bank())
    assert (made.does, made.origin.failure, made.origin.key) == ("omit", "", "s:9")


def test_what_was_explained_is_about_the_checks_that_stood_in_the_way() -> None:
    names = ("Each new item has different options",)
    for more in ({"explanation": BROKEN}, {"clarification": BROKEN}):
        (made,) = reviewed(
            Feedback("oracle", 0.0, **more, evidence=(ended(failing=names),)), bank()
        )
        assert made.entry is not None
        assert made.entry.check is not None
        assert (made.entry.check.name, made.entry.check.effect) == (names[0], "relaxes")


def test_a_reward_alone_teaches_no_rule_anything() -> None:
    (made,) = reviewed(Feedback("reward", 0.0, evidence=(ended(),)), bank())
    assert (made.does, made.origin.failure) == ("omit", "execution")


def test_of_several_reasons_each_is_seen_beside_those_before_it() -> None:
    found = [Evidence("decision", "s", seq, BROKEN, EXCHANGE) for seq in (3, 5)]
    first, second = reviewed(Feedback("person", evidence=tuple(found)), bank())
    assert (first.does, second.does) == ("propose", "omit")
    assert second.origin.why == "This has already been proposed and is waiting to be accepted."
