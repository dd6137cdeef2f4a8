from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from agent.headless.plan import ALL_MISTAKES, Arm, Plan, RunError, choose_scenarios
from agent.headless.progress import Progress
from agent.headless.run import Run
from agent.headless.run_lock import run_lock
from agent.headless.summary import read_ended_sessions, summary
from agent.models.protocol import (
    ChatModel,
    Finish,
    ModelFault,
    ModelRequest,
    Piece,
    TextPiece,
)
from domains import load
from domains.core.domain import DomainError
from sessions.events import Limits, Safeguards, SessionStarted
from sessions.statistics.rewards import Rewards
from sessions.store.store import Store
from tests.agent.headless.plans import Taker, many_tasks, plan


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


async def run(
    path: Path, what: Plan, model: Callable[[str], ChatModel], *, retry_faults: bool = False
) -> Progress:
    with Store.open(path) as store:
        return await Run(store, what, model_of=model, retry_faults=retry_faults).play()


def first_model(*models: ChatModel) -> Callable[[str], ChatModel]:
    """These models one after the other, the first of them also to the one who tries the name."""
    given = iter([models[0], *models])
    return lambda _: next(given)


def sessions(path: Path) -> list[SessionStarted]:
    with Store.open(path, read_only=True) as store:
        firsts = [store.read(row.id)[0].event for row in reversed(store.sessions())]
    return [first for first in firsts if isinstance(first, SessionStarted)]


async def test_every_task_is_played_as_often_as_asked_and_the_log_says_which_it_is(
    path: Path,
) -> None:
    what = plan(many_tasks(3), trials=2, given_name="mine")
    await run(path, what, lambda _: Taker())
    places = [(each.scenario, each.run and each.run.trial) for each in sessions(path)]
    assert sorted(places, key=str) == [(f"task-{n}", trial) for n in range(3) for trial in (1, 2)]
    runs = [each.run for each in sessions(path) if each.run]
    assert {each.name for each in runs} == {"mine"}
    assert len({each.seed for each in runs}) == 6


async def test_what_has_ended_is_not_played_again(path: Path) -> None:
    taker = Taker()
    await run(path, plan(many_tasks(2)), lambda _: taker)
    asked = taker.asked
    await run(path, plan(many_tasks(2)), lambda _: taker)
    assert taker.asked == asked
    assert len(sessions(path)) == 2


async def test_a_run_may_be_widened_by_tasks_and_trials(path: Path) -> None:
    narrow = plan(many_tasks(3))
    await run(path, replace(narrow, scenarios=narrow.scenarios[:1]), lambda _: Taker())
    await run(path, replace(narrow, trials=2), lambda _: Taker())
    assert len(sessions(path)) == 6


async def test_other_settings_make_another_run(path: Path) -> None:
    one = plan(many_tasks(1))
    others = [
        replace(one, limits=Limits(actions=9)),
        replace(one, model="another"),
        replace(one, arms=(Arm(Safeguards(gate=False)),)),
        replace(one, seed=1),
    ]
    assert len({each.name for each in (one, *others)}) == 5


async def test_a_name_belongs_to_one_set_of_settings(path: Path) -> None:
    one = plan(many_tasks(1), given_name="mine")
    await run(path, one, lambda _: Taker())
    with pytest.raises(RunError, match="other settings"):
        await run(path, replace(one, max_turns=3), lambda _: Taker())


@pytest.mark.parametrize("name", ["", "a b", "x" * 81, "../x", "a\n"])
def test_a_name_that_could_not_be_typed_again_is_refused(name: str) -> None:
    with pytest.raises(RunError):
        plan(many_tasks(1), given_name=name)


@pytest.mark.parametrize(
    ("kind", "ended", "trials"),
    [
        ("connection", "fault", 1),
        ("server", "fault", 1),
        ("rate_limit", "fault", 1),
        ("garbled", "agent_failure", 2),
        ("too_long", "agent_failure", 2),
        ("refused", "agent_failure", 2),
        ("stuck", "agent_failure", 2),
    ],
)
async def test_a_fault_of_the_line_is_no_trial_and_a_failure_of_the_model_is_one_that_failed(
    path: Path, kind: str, ended: str, trials: int
) -> None:
    fault = ModelFault(kind, "That did not work.")
    what = plan(many_tasks(2))
    await run(path, what, first_model(Taker(fault=fault), Taker()))
    with Store.open(path) as store:
        found = read_ended_sessions(store, what)
    told = summary("", found)
    assert [each.facts.ended for each in found] == [ended, "customer"]
    assert found[0].fault == "That did not work."
    succeeded = told.success.tau2.succeeded
    assert (told.faults, succeeded.n, succeeded.count) == (2 - trials, trials, 1)


async def test_a_failure_of_the_customers_model_is_a_failed_trial_and_told_as_its_own(
    path: Path,
) -> None:
    what = plan(many_tasks(1), customer="silent")
    models = {"taker": Taker(), "silent": Taker(name="silent", fault=ModelFault("refused", "No."))}
    await run(path, what, lambda name: models[name])
    with Store.open(path) as store:
        (one,) = read_ended_sessions(store, what)
    assert one.facts.ended == "customer_failure"
    assert "customer's model" in one.fault
    assert (one.facts.counts, one.facts.success) == (True, False)


async def test_a_session_that_was_stopped_at_its_limit_has_earned_nothing(path: Path) -> None:
    what = plan(many_tasks(1), limits=Limits(actions=1))
    progress = await run(path, what, lambda _: Taker())
    again = await run(path, what, lambda _: Taker())
    with Store.open(path) as store:
        (one,) = read_ended_sessions(store, what)
    assert one.facts.reward == 1.0
    assert one.facts.rewards == Rewards(0.0, 0.0, 0.0)
    assert (progress.succeeded, again.succeeded) == (0, 0)


async def test_a_faulted_session_is_played_anew_only_where_that_is_asked_for(path: Path) -> None:
    refused = ModelFault("server", "No.")
    what = plan(many_tasks(1))
    await run(path, what, lambda _: Taker(fault=refused))
    again = await run(path, what, lambda _: Taker())
    assert again.faults == 1
    anew = await run(path, what, lambda _: Taker(), retry_faults=True)
    assert anew.succeeded == 1
    assert len(sessions(path)) == 2


async def test_where_faulted_sessions_are_played_anew_the_others_are_not(path: Path) -> None:
    what = plan(many_tasks(2))
    refused = ModelFault("server", "No.")
    await run(path, what, first_model(Taker(fault=refused), Taker()))
    anew = await run(path, what, lambda _: Taker(), retry_faults=True)
    assert anew.succeeded == 2
    assert len(sessions(path)) == 3


async def test_a_fault_of_every_session_stops_the_run_and_leaves_it_to_be_taken_up(
    path: Path,
) -> None:
    no_key = ModelFault("no_key", "Set a key.")
    what = plan(many_tasks(20))
    first = await run(path, what, lambda _: Taker(fault=no_key))
    assert first.left == ["Set a key."]
    assert len(sessions(path)) <= 4
    second = await run(path, what, lambda _: Taker())
    assert second.succeeded == 20
    assert len(sessions(path)) == 20


async def test_an_error_that_nobody_foresaw_costs_one_session_only(path: Path) -> None:
    class Broken(Taker):
        async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
            raise ZeroDivisionError
            yield

    models = (Broken(), *(Taker() for _ in range(3)))
    progress = await run(path, plan(many_tasks(4)), first_model(*models))
    assert progress.succeeded == 3
    assert [type(each.error) for each in progress.lost] == [ZeroDivisionError]


async def test_a_session_keeps_to_its_limits(path: Path) -> None:
    what = plan(many_tasks(1), limits=Limits(actions=1))
    await run(path, what, lambda _: Taker())
    with Store.open(path) as store:
        (one,) = read_ended_sessions(store, what)
    assert one.facts.ended == "action_limit"


async def test_without_the_gate_no_customer_is_asked(path: Path) -> None:
    arms = (
        Arm(Safeguards(reflection=False), "gate"),
        Arm(Safeguards(reflection=False, gate=False), "no gate"),
    )
    what = plan(many_tasks(2), arms=arms)
    await run(path, what, lambda _: Taker(coins=4))
    with Store.open(path) as store:
        found = read_ended_sessions(store, what)
    gate, open_ = (summary(name, found) for name in ("gate", "no gate"))
    assert (gate.unconsented.count, gate.cards_per_session.value) == (0, 2 / 2)
    assert (open_.unconsented.value, open_.cards_per_session.value) == (1.0, 0.0)
    assert gate.declined.value == 1.0


def test_every_mistake_has_its_turn_and_the_same_one_in_every_arm() -> None:
    from agent.clerk.mistakes import MISTAKES

    domain = load("retail")
    arms = (Arm(Safeguards(), "a"), Arm(Safeguards(gate=False), "b"))
    what = Plan(domain, domain.scenarios, ALL_MISTAKES, "scripted", arms, trials=len(MISTAKES))
    places = list(what.places())
    own = [each.model for each in places if each.scenario.id == "clicky-keyboard"]
    assert set(own) <= {f"clerk+{mistake}" for mistake in MISTAKES}
    assert len(set(own)) > 3
    assert own[::2] == own[1::2]


def test_tasks_are_chosen_by_id_and_split() -> None:
    domain = load("retail")
    named = choose_scenarios(domain, "clicky-keyboard, shoes-not-needed,clicky-keyboard")
    assert [each.id for each in named] == ["clicky-keyboard", "shoes-not-needed"]
    assert len(choose_scenarios(domain)) == len(domain.scenarios)
    with pytest.raises(DomainError, match="There is no scenario"):
        choose_scenarios(domain, "nonsense")
    with pytest.raises(DomainError, match="split"):
        choose_scenarios(domain, split="train")


async def test_sessions_of_before_there_were_runs_still_read(path: Path) -> None:
    await run(path, plan(many_tasks(1)), lambda _: Taker())
    (started,) = sessions(path)
    old = json.loads(started.model_dump_json(exclude={"run"}))
    assert SessionStarted.model_validate(old).run is None


async def test_a_run_is_played_by_one_program_at_a_time(path: Path) -> None:
    what = plan(many_tasks(1))
    with run_lock(path, what.name), pytest.raises(RunError, match="another program"):
        await run(path, what, lambda _: Taker())
    assert (await run(path, what, lambda _: Taker())).succeeded == 1
    assert [each.name for each in path.parent.iterdir() if "lock" in each.name] == []


async def test_what_chance_decides_begins_from_the_seed(path: Path) -> None:
    def order(seed: int, trial: int) -> list[str]:
        places = plan(many_tasks(9), seed=seed, trials=2).places()
        return [each.scenario.id for each in places if each.run.trial == trial]

    assert order(0, 1) == order(0, 1)
    assert len({tuple(order(*each)) for each in ((0, 1), (0, 2), (1, 1))}) == 3
    wide, narrow = (plan(many_tasks(9), seed=3) for _ in range(2))
    first = [each.scenario.id for each in replace(narrow, scenarios=wide.scenarios[2:5]).places()]
    assert first == [each for each in order(3, 1) if each in first]


async def test_every_request_of_a_session_carries_its_seed_the_same_in_all_arms(
    path: Path,
) -> None:
    arms = Arm(Safeguards(), "a"), Arm(Safeguards(gate=False), "b")
    what = plan(
        many_tasks(2), arms=arms, trials=2, customer="player", auxiliary="small", max_turns=2
    )
    taken: dict[str, set[int | None]] = {}

    class Noting(Taker):
        async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
            taken.setdefault(self.name, set()).add(request.seed)
            if self.name != "taker":
                yield TextPiece("I would like three coins.")
                yield Finish("stop")
                return
            async for piece in super().stream(request):
                yield piece

    await run(path, what, lambda name: Noting(name))
    seeds = {each.run.seed for each in what.places()}
    assert len(seeds) == 4
    assert taken["taker"] == taken["player"] == seeds
    assert taken["small"] <= seeds
    other = {each.run.seed for each in replace(what, seed=1).places()}
    assert not other & seeds


@pytest.mark.heavy
async def test_the_same_seed_checks_the_attention_at_the_same_cards(path: Path) -> None:
    async def checked(seed: int, name: str) -> list[str]:
        domain = load("retail")
        arms = (Arm(Safeguards(attention_checks=0.5)),)
        what = Plan(domain, domain.scenarios[:8], "clerk", "scripted", arms, seed=seed)
        with Store.open(path.with_name(name)) as store:
            await Run(store, what).play()
            found = read_ended_sessions(store, what)
        return [each.task for each in found if each.facts.attention.shown_count]

    first = await checked(1, "a.sqlite")
    assert first == await checked(1, "b.sqlite")
    assert sorted(first) != sorted(await checked(2, "c.sqlite"))


def test_which_mistake_falls_to_which_task_begins_from_the_seed() -> None:
    domain = load("retail")
    arms = (Arm(Safeguards()),)

    def mistakes(seed: int) -> dict[str, str]:
        what = Plan(domain, domain.scenarios, ALL_MISTAKES, "scripted", arms, seed=seed)
        return {each.scenario.id: each.model for each in what.places()}

    assert mistakes(1) == mistakes(1)
    assert mistakes(0) != mistakes(1)
