"""A gap of the demo store's policy and one of the demo airline's: what the clerk makes of them.

Without a memory it gets none of the sisters right; told after the parent what should have been
done, and with the lesson accepted, all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest

import domains
from agent.headless.plan import Arm, Plan
from agent.headless.run import Run
from agent.headless.summary import read_ended_sessions
from agent.memory.bank import Bank
from agent.memory.beginning import begin_by_rules
from agent.memory.change import Change, Origin
from agent.memory.feedback import Regime, feedback_on
from agent.memory.keeping import apply_changes, make_bank
from agent.memory.rule_policy_agent import RulePolicyAgent
from domains.core.domain import Domain, Scenario
from domains.core.draft import Draft
from sessions.events import Safeguards
from sessions.store.store import Store
from tests.agent.oracle import Oracle
from tests.domains.scenarios.scenario_ends import failed_checks
from tests.effort import one_in

NAMES = ["retail", "airline"]
ARM = (Arm(Safeguards()),)


def families(domain: Domain) -> Iterator[list[Scenario]]:
    for _, group in groupby(domain.gap_scenarios, lambda each: each.parent or each.id):
        yield list(group)


async def rewards(store: Store, plan: Plan, **more: object) -> list[float | None]:
    progress = await Run(store, plan, **more).play()  # type: ignore[arg-type]
    assert progress.lost == []
    found = {each.task: each.facts.reward for each in read_ended_sessions(store, plan)}
    return [found[each.id] for each in plan.scenarios]


@pytest.mark.parametrize("name", NAMES)
def test_each_parent_has_three_sisters_and_the_gap_alone_stands_in_the_way(name: str) -> None:
    domain = domains.load(name)
    checks = {gap.id: gap.check for gap in domain.gaps}
    for parent, *sisters in families(domain):
        assert [each.variant for each in sisters] == ["simplified", "different", "complex"]
        assert {(each.parent, each.gap) for each in sisters} == {(parent.id, parent.gap)}
        for each in (parent, *sisters):
            draft, failed = Draft(domain.records()), set()
            for wanted in each.ends[0]:
                failed |= set(failed_checks(domain, draft, wanted))
                assert not domain.tools.run(wanted, draft).error
            assert failed == {checks[each.gap]}
    assert not {each.id for each in domain.gap_scenarios} & {each.id for each in domain.scenarios}


@pytest.mark.parametrize("name", NAMES)
async def test_the_oracle_earns_everything(tmp_path: Path, name: str) -> None:
    domain = domains.load(name)
    plan = Plan(domain, domain.gap_scenarios, "oracle", "scripted", ARM)
    of_these = partial(Oracle, domain, plan.scenarios, False)
    with Store.open(tmp_path / "s.sqlite") as store:
        assert set(await rewards(store, plan, model_of=of_these)) == {1}


@pytest.mark.parametrize(
    ("name", "regime"),
    one_in(3, [("airline", "oracle"), ("retail", "explanation"), ("retail", "reward")]),
)
async def test_the_clerk_gets_the_sisters_right_once_it_has_learned(
    tmp_path: Path, name: str, regime: Regime
) -> None:
    domain = domains.load(name)
    for parent, *sisters in families(domain):
        with Store.open(tmp_path / "s.sqlite") as store:
            bank = apply_changes(store, make_bank(store, "b", domain), begin_by_rules(domain))
            assert await rewards(store, plan_of(domain, [parent], bank)) == [0]
            assert set(await rewards(store, plan_of(domain, sisters, None))) == {0}
            (ended,) = read_ended_sessions(store, plan_of(domain, [parent], bank))
            log = store.read(ended.facts.session)
            told = feedback_on(log, domain, parent, regime)
            made = await RulePolicyAgent().review(log, told, bank, domain)
            wise = apply_changes(store, bank, [*made, *accepted(made)])
            right = 0 if regime == "reward" else 1
            assert set(await rewards(store, plan_of(domain, sisters, wise))) == {right}


def plan_of(domain: Domain, scenarios: Sequence[Scenario], bank: Bank | None) -> Plan:
    return Plan(domain, tuple(scenarios), "clerk", "scripted", ARM, memory=bank)


def accepted(made: Sequence[Change]) -> Iterator[Change]:
    for each in made:
        if each.does == "propose":
            origin = Origin(kind="person")
            yield Change(does="accept", capability=each.capability, origin=origin, by="person")
