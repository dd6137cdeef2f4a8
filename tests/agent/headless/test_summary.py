from __future__ import annotations

from pathlib import Path

import pytest

from agent.headless.late_embedder import LateEmbedder
from agent.headless.plan import Arm
from agent.headless.run import Run
from agent.headless.summary import gain, read_ended_sessions, summary
from sessions.events import Safeguards
from sessions.store.store import Store
from tests.agent.headless.plans import Taker, many_tasks, plan

GATE = Arm(Safeguards(reflection=False), "gate")
NONE = Arm(Safeguards(reflection=False, gate=False), "none")


async def test_what_an_arm_gains_is_paired_by_task(tmp_path: Path) -> None:
    what = plan(many_tasks(4), arms=(NONE, GATE), trials=2)
    wrong = {"task-1", "task-3"}
    with Store.open(tmp_path / "sessions.sqlite") as store:
        run = Run(store, what, model_of=lambda _: Taker())
        await run.play()
        found = read_ended_sessions(store, what)
    assert gain("none", "gate", found).value == 0.0
    assert gain("none", "gate", found).interval is None
    spoiled = [each for each in found if not (each.arm == "none" and each.task in wrong)]
    assert gain("none", "gate", spoiled).tasks == 2
    assert gain("none", "nobody", found).value is None


async def test_the_numbers_of_an_arm_are_its_own(tmp_path: Path) -> None:
    what = plan(many_tasks(3), arms=(NONE, GATE), trials=2)
    with Store.open(tmp_path / "sessions.sqlite") as store:
        await Run(store, what, model_of=lambda _: Taker()).play()
        found = read_ended_sessions(store, what)
    told = summary("gate", found)
    assert (told.sessions, told.tasks, told.ended) == (6, 3, {"customer": 6})
    assert [(each.k, each.all_succeed) for each in told.success.tau2.reliability] == [
        (1, 1.0),
        (2, 1.0),
    ]
    assert told.cards_per_session.value == 1.0
    assert (told.unconsented.count, told.unconsented.n) == (0, 6)
    assert (told.expenses.total.tokens, told.expenses.total.cost) == (0, None)
    assert told.d_mut.value == 0.0
    assert summary("nobody", found).success.tau2.succeeded.value is None


async def test_the_embedder_is_started_by_the_first_who_needs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started = []
    monkeypatch.setattr(LateEmbedder, "start", lambda self: started.append(True))
    embedder = LateEmbedder()
    assert not embedder.ready
    assert started == []
    assert await embedder.rank("one", ["two"], 0.01) is None
    assert started == [True]
    await embedder.stop()
