"""A session's model may read it, too: what it proposes waits, and is put to the person as ever."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList

from agent.clerk.clerk import Clerk
from agent.memory.keeping import open_bank
from agent.models.protocol import ChatModel, ModelFault
from agent.session.conversation import Conversation
from console.conversation.remembering import Remembering, _desk, _model_of
from console.screens.dialogs import PickDialog
from console.screens.remember import ProposalsScreen
from console.setup import Setup
from console.widgets.lesson_card import LessonCard
from sessions.events import OtherModelAsked
from sessions.store.store import Store
from tests.agent.memory.reviews import review, touched
from tests.agent.memory.test_retrieval import bank
from tests.agent.scripted import ScriptedModel
from tests.console.screens.test_remember import held_with, over, ready
from tests.console.stage import SMALL, BareApp, Stage

INSIGHT = "Somebody who waited for an hour may take more than five coins."
LESSON = touched(
    tool="take", capability="take_after_waiting", key_insight=INSIGHT, policy_lines=[1], check=None
)
REVIEW = review(LESSON)
NOTHING = review(failure="execution")


@dataclass
class Remembered:
    stage: Stage
    store: Store
    held: Conversation
    remembering: Remembering

    def ask(self) -> None:
        """As leaving a session does."""
        self.stage.app.run_worker(self.remembering.ask(self.held), group="dialog")

    async def card(self, about: str) -> None:
        screen = self.stage.app.screen
        await self.stage.until(
            lambda: any(about in str(each.lesson.change) for each in screen.query(LessonCard)),
            about,
        )
        await ready(self.stage)

    def asked(self) -> list[str]:
        """The models that were asked to learn, as the log says."""
        found = [each.event for each in self.held.log.events]
        return [e.model for e in found if isinstance(e, OtherModelAsked) and e.purpose == "learn"]


@asynccontextmanager
async def after_a_session(
    folder: Path, *answers: Any, reason: str = ""
) -> AsyncIterator[Remembered]:
    """A session with a model and a memory in which a person gave a reason; then these answers."""
    app = BareApp(Setup(db=folder / "s.db"))
    with Store.open(folder / "s.db") as store:
        async with app.run_test(size=SMALL) as pilot:
            held = await held_with(store, bank(store), *filter(None, [reason]))
            held.model = ScriptedModel(*answers)
            stage = Stage(app, pilot, held)
            yield Remembered(stage, store, held, Remembering(app, folder / "s.db"))


async def test_the_model_is_asked_for_once_and_its_lesson_waits_until_it_is_accepted(
    tmp_path: Path,
) -> None:
    async with after_a_session(tmp_path, REVIEW) as told:
        told.ask()
        await told.stage.until(lambda: told.stage.app.screen.query(LessonCard), "the rules' lesson")
        await ready(told.stage)
        assert "m Ask the model" in told.stage.text()
        assert "Press m to have scripted read the session" in told.stage.text()
        assert told.asked() == []  # nobody is paid unasked
        await told.stage.press("m")
        await told.card(INSIGHT)
        assert told.asked() == ["scripted"]
        (waits,) = open_bank(told.store, "b").waiting()
        assert (waits.by, waits.entry.key_insight) == ("scripted", INSIGHT)
        assert "Ask the model" not in told.stage.text()
        assert "read by scripted" in told.stage.text()
        await told.stage.press("a")
        await told.stage.until(lambda: over(told.stage), "the end")
        after = open_bank(told.store, "b")
        assert after.entries["take_after_waiting"].key_insight == INSIGHT
        assert after.waiting() == []
        assert await _desk(told.held).next(told.held.log.events) is None  # it is taught once


@pytest.mark.parametrize("key", ["r", "l"])
async def test_what_the_model_proposed_is_refused_or_goes_on_waiting(
    tmp_path: Path, key: str
) -> None:
    async with after_a_session(tmp_path, REVIEW) as told:
        told.ask()
        await told.stage.until(lambda: told.stage.app.screen.query(LessonCard), "the rules' lesson")
        await ready(told.stage)
        await told.stage.press("m")
        await told.card(INSIGHT)
        await told.stage.press(key)
        await told.stage.until(lambda: over(told.stage), "the end")
        after = open_bank(told.store, "b")
        assert (after.entries, len(after.waiting())) == ({}, int(key == "l"))


@pytest.mark.parametrize(
    "answers", [(NOTHING,), ("no review", "nor this"), (ModelFault("bad_key", "No key."),)]
)
async def test_where_the_model_has_none_the_rules_lesson_is_put_again(
    tmp_path: Path, answers: tuple[Any, ...]
) -> None:
    async with after_a_session(tmp_path, *answers) as told:
        told.ask()
        await told.stage.until(lambda: told.stage.app.screen.query(LessonCard), "the rules' lesson")
        await ready(told.stage)
        first = told.stage.app.screen.query_one(LessonCard)
        await told.stage.press("m")
        await told.stage.until(
            lambda: [*told.stage.app.screen.query(LessonCard)] not in ([], [first]), "it again"
        )
        assert open_bank(told.store, "b").waiting() == []
        await ready(told.stage)
        assert "Ask the model" not in told.stage.text()
        await told.stage.press("a")
        await told.stage.until(lambda: over(told.stage), "the end")
        assert [*open_bank(told.store, "b").entries] == ["take"]


@pytest.mark.parametrize("wanted", [True, False])
async def test_of_words_that_rules_learn_nothing_of_the_model_is_offered_once(
    tmp_path: Path, wanted: bool
) -> None:
    async with after_a_session(tmp_path, REVIEW, reason="No.") as told:
        told.ask()
        await told.stage.until(lambda: isinstance(told.stage.app.screen, PickDialog), "the offer")
        if wanted:
            told.stage.app.screen.query_one(OptionList).highlighted = 1
        await told.stage.press("enter")
        if wanted:
            await told.stage.until(
                lambda: isinstance(told.stage.app.screen, ProposalsScreen), "the screen"
            )
            await told.card(INSIGHT)
            await told.stage.press("a")
        await told.stage.until(
            lambda: not isinstance(told.stage.app.screen, PickDialog | ProposalsScreen), "the end"
        )
        assert told.asked() == ["scripted"] * wanted
        assert [*open_bank(told.store, "b").entries] == ["take_after_waiting"] * wanted
        told.ask()
        await told.stage.rest(0.2)
        assert not isinstance(told.stage.app.screen, PickDialog)


def test_the_second_model_reads_it_before_the_agents_own_and_the_clerk_never() -> None:
    class Held:
        model: ChatModel = Clerk()
        auxiliary: ChatModel | None = None

    held: Any = Held()
    assert _model_of(held) is None
    held.model = own = ScriptedModel(name="own")
    assert _model_of(held) is own
    held.auxiliary = Clerk()
    assert _model_of(held) is own
    held.auxiliary = second = ScriptedModel(name="second")
    assert _model_of(held) is second
