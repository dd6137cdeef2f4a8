"""Every figure of streams is counted over the right sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.headless.summary import Played
from agent.memory.change import Change, Origin
from agent.memory.keeping import apply_changes as keep
from agent.memory.keeping import make_bank
from agent.streaming.memory_growth import growth
from agent.streaming.plan import VARIANTS
from agent.streaming.summary import Streamed, summary_of
from sessions.statistics.rewards import Rewards
from sessions.store.store import Store
from tests.agent.memory.entries import entry
from tests.agent.streaming.streams import EXPLAINED, gap_domain, stream_plan
from tests.sessions.statistics.rows import row
from tests.toy import toy_domain


def session(task: str, seed: int, trial: int, position: int, right: bool, **more: Any) -> Streamed:
    """A session of the task ``f``, of one of its sisters ``f-1`` to ``f-3``, or of another."""
    family, _, number = task.partition("-")
    earned = float(right)
    facts = row(
        **{
            "session": f"{task} {seed} {trial}", "scenario": task, "model": "gpt",
            "customer": "a model", "rewards": Rewards(earned, earned, earned), **more,
        }
    )  # fmt: skip
    return Streamed(
        Played("a", task, trial, 0, facts, ""), seed, trial, position, task, family,
        VARIANTS[int(number or 0)], bool(number),
    )  # fmt: skip


def stream(seed: int, trial: int, *right: bool, **more: Any) -> list[Streamed]:
    tasks = ("f", "f-1", "f-2", "f-3", "other")
    return [
        session(task, seed, trial, place, each, **more)
        for place, (task, each) in enumerate(zip(tasks, right, strict=True), 1)
    ]


FOUND = [
    *stream(0, 1, False, True, True, False, True),
    *stream(0, 2, False, True, False, False, True),
    *stream(1, 1, False, True, True, True, True),
    *stream(1, 2, True, True, True, True, False),
]


def values(found: Any) -> list[float | None]:
    return [each.value for each in found]


def test_sisters_and_originals_are_counted_apart() -> None:
    told = summary_of("a", FOUND, None)
    # seed 0: 1, 1/2, 0 of the sisters; seed 1: all
    assert values(told.sisters) == pytest.approx([(0.5 + 1) / 2, (1 / 3 + 1) / 2])
    # seed 0: 0 and 1; seed 1: 1/2 and 1/2
    assert values(told.originals) == pytest.approx([0.5, (0.5 + 0) / 2])
    assert [each.n for each in told.sisters] == [12, 12]
    assert [each.n for each in told.originals] == [8, 8]
    assert told.sisters[0].interval is not None


def test_a_family_is_told_by_its_places_and_the_stream_as_it_goes() -> None:
    told = summary_of("a", FOUND, None)
    assert {name: each.value for name, each in told.by_variant.items()} == {
        "parent": 0.25, "simplified": 1.0, "different": 0.75, "complex": 0.5,
    }  # fmt: skip
    assert {each.n for each in told.by_variant.values()} == {4}  # none of the task without sisters
    assert values(told.along) == pytest.approx([1 / 4, 5 / 8, 8 / 12, 10 / 16, 13 / 20])
    shorter = [each for each in FOUND if (each.seed, each.trial, each.position) < (1, 2, 4)]
    assert len(summary_of("a", shorter, None).along) == 3


def test_code_gets_no_interval() -> None:
    fixed = [
        each
        for seed in (0, 1)
        for each in stream(seed, 1, *[seed == 0] * 5, model="clerk", customer="scripted")
    ]
    told = summary_of("a", fixed, None)
    assert told.deterministic
    taught = summary_of("a", fixed, None, taught_by_code=False)
    assert not taught.deterministic
    assert taught.sisters[0].interval is not None
    every = (*told.sisters, *told.originals, *told.along, *told.by_variant.values())
    assert all(each.interval is None for each in every)


def test_a_memorys_growth_is_the_mean_of_its_streams(tmp_path: Path) -> None:
    lanes = list(stream_plan(gap_domain(), EXPLAINED, seeds=(0, 1)).lanes())

    def told(does: Any, name: str, session: str = "", **more: Any) -> Change:
        origin = Origin(kind="session" if session else "judge", session=session, seq=1, **more)
        of = entry(name) if does in ("edit", "propose") else None
        return Change(does=does, capability=name, entry=of, origin=origin, by="rules")

    def learned(name: str, session: str) -> list[Change]:
        return [told("propose", name, session), told("accept", name)]

    with Store.open(tmp_path / "s.db") as store:
        first = make_bank(store, lanes[0].bank, toy_domain())
        for made in (
            [told("edit", "a")],
            [told("omit", "a", "s1", failure="execution")],
            learned("b", "s2"),
            learned("a", "s3"),
            [told("omit", "a", "s4")],
            [told("omit", "a", "s5")],
        ):
            first = keep(store, first, made)
        second = make_bank(store, lanes[1].bank, toy_domain())
        for made in ([told("edit", "a")], learned("b", "t1"), learned("c", "t2")):
            second = keep(store, second, made)
        found = growth(store, lanes)
    assert found.entries == (1.0, 1.5, 2.5)  # as far as the shorter one goes
    assert (found.added, found.revised, found.omitted, found.execution) == (3, 1, 3, 1)
