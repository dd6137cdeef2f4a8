"""A model's answer, recorded with what becomes of its first call, is lost to nothing but a kill."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessions.events import CardShown, Logged, ModelAnswered
from tests.agent.held import conversation
from tests.agent.scripted import ScriptedModel, ScriptedOperator, call

TAKE = call("take", jar="red", coins=3)


async def test_an_answer_is_recorded_though_what_followed_broke(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a defect in a tool")

    async with conversation(tmp_path, ScriptedModel(TAKE), ScriptedOperator()) as held:
        monkeypatch.setattr(held.records, "preview", broken)
        with pytest.raises(RuntimeError):
            await held.say("take three")
        recorded = held.log.store.read(held.log.session)
        assert held.log.with_held == held.log.events == recorded
        assert isinstance(recorded[-1].event, ModelAnswered)


async def test_nobody_hears_of_an_answer_before_it_is_recorded(tmp_path: Path) -> None:
    heard: list[Logged] = []

    async with conversation(
        tmp_path, ScriptedModel(TAKE, "Done."), ScriptedOperator("approve")
    ) as held:

        def hear(logged: Logged) -> None:
            assert logged in held.log.store.read(held.log.session)
            heard.append(logged)

        held.subscribe(hear)
        await held.say("take three")
        types = [type(each.event) for each in heard]
        assert types.index(ModelAnswered) + 1 == types.index(CardShown)
        assert heard == held.log.events[-len(heard) :]
