"""The whole machinery against an agent that makes no mistake: nothing less than 100 % is right."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import domains
from agent.headless.ablation import arms
from agent.headless.plan import Arm, Plan
from agent.headless.run import Run
from agent.headless.summary import read_ended_sessions
from domains.core.domain import Domain, Scenario
from sessions.events import Safeguards, Scored
from sessions.store.store import Store
from tests.agent.oracle import Oracle, told_apart
from tests.effort import WHOLE, first
from tests.shared_data import ANY_TAU2, TAU2_VERIFIED

pytestmark = pytest.mark.skipif(not ANY_TAU2.is_dir(), reason="τ²-bench's records are not here")

EVERY = 1 if WHOLE else 9
"""Of how many tasks one is played."""


async def rewards(
    folder: Path, domain: Domain, scenarios: list[Scenario], against: tuple[Arm, ...], *, asks: bool
) -> dict[tuple[str, str], Scored]:
    """What each task earned in each arm."""
    found: dict[tuple[str, str], Scored] = {}
    for number, group in enumerate(told_apart(scenarios)):
        plan = Plan(domain, tuple(group), "oracle", "scripted", against)
        with Store.open(folder / f"{number}.sqlite") as store:
            of_group = partial(Oracle, domain, group, asks)
            progress = await Run(store, plan, model_of=of_group).play()
            assert (progress.lost, progress.left) == ([], [])
            for each in read_ended_sessions(store, plan):
                log = store.read(each.facts.session)
                scored = [logged.event for logged in log if isinstance(logged.event, Scored)]
                found[each.arm, each.task] = scored[-1]
    return found


@pytest.mark.parametrize("asks", first(1, [True, False]), ids=["asks in words first", "acts"])
@pytest.mark.parametrize("edition", first(1, ["tau2", "verified"]))
@pytest.mark.parametrize("name", ["retail", "airline"])
async def test_the_expected_calls_earn_everything_in_every_arm(
    tmp_path: Path, name: str, edition: str, asks: bool
) -> None:
    if edition == "verified" and not TAU2_VERIFIED.is_dir():
        pytest.skip("the verified tasks are not here")
    domain = domains.load(name, ANY_TAU2, TAU2_VERIFIED if edition == "verified" else None)
    await everything_is_earned(tmp_path, domain, list(domain.scenarios)[::EVERY], asks=asks)


@pytest.mark.parametrize("name", ["retail", "airline"])
async def test_what_stands_in_a_gap_of_the_policy_can_be_earned_in_every_arm(
    tmp_path: Path, name: str
) -> None:
    domain = domains.load(name, ANY_TAU2)
    scenarios = list(domain.gap_scenarios)[:: 1 if WHOLE else 7]
    assert scenarios
    await everything_is_earned(tmp_path, domain, scenarios, asks=False)


async def everything_is_earned(
    folder: Path, domain: Domain, scenarios: list[Scenario], *, asks: bool
) -> None:
    against = arms(Safeguards(), "both" if WHOLE else "on")
    found = await rewards(folder, domain, scenarios, against, asks=asks)
    assert len(found) == len(scenarios) * len(against)
    failed = {
        place: (scored.differences, scored.missing, scored.cut_short)
        for place, scored in found.items()
        # statements in words are judged by nobody here: None says that nothing else is amiss
        if (scored.main, scored.classic, scored.reward) not in ((1, 1, 1), (None, 1, 1))
    }
    assert failed == {}
