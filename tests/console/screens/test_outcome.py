from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.models.protocol import ModelRequest, Piece
from agent.session.conversation import Conversation
from console.screens.outcome import OutcomeScreen
from console.setup import Setup
from domains.core.domain import Action, Domain, Role, Scenario
from domains.core.tool import ToolCall
from sessions.events import SafeguardsChanged
from sessions.store.store import Store
from tests.agent.scripted import ScriptedModel, ScriptedOperator, call
from tests.console.stage import FIND, LARGE, PLAIN, SMALL, BareApp, Stage, stage
from tests.effort import first
from tests.toy import toy_domain

FOUND = ToolCall("find_user_id_by_email", {"email": "ann@example.com"})
THREE = ToolCall("take", {"jar": "red", "coins": 3})
FOUR = ToolCall("take", {"jar": "red", "coins": 4})
TASK = Scenario(
    "17",
    "Three coins, or four",
    Role("Ann", wants=("three coins",)),
    ends=((THREE,), (FOUR,)),
    ends_from="the paper",
    communicate=("seven",),
    actions=(Action(FOUND), Action(THREE)),
    assertions=("The agent was polite.",),
    basis=("DB", "NL_ASSERTION"),
    source="tau2",
)


def with_task(task: Scenario = TASK) -> Domain:
    return replace(toy_domain(), read_scenarios=lambda _: (task,))


async def ended(held: Stage, coins: str) -> str:
    """Approve the one card, end, and read the whole outcome, however far it goes down."""
    await held.say(f"{coins} coins")
    await held.ready_card()
    await held.press("a")
    await held.idle()
    await held.press("ctrl+e")
    await held.until(lambda: isinstance(held.app.screen, OutcomeScreen), "the outcome")
    read = held.text()
    for _ in range(4):
        await held.press("pagedown")
        await held.rest(0.1)
        read += held.text()
    return read


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])
async def test_the_outcome_tells_what_was_expected_and_what_is_not_known(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    take = call("take", jar="red", coins=3)
    async with stage(
        tmp_path, *FIND, take, "Done.", domain=with_task(), scenario="17", size=size
    ) as held:
        read = await ended(held, "three")
        for words in (
            "✗ The records are right, but something was not said.",
            "✓ find user id by email: ann@example.com",
            "✓ Take 3 coins out of the jar red.",
            "2 ends are acceptable: the records are at the first of them",
            "· the paper",
            "✗ “seven”",
            "? The agent was polite. · not judged",
            "expected calls made: 2 of 2",
            "1 not judged",
        ):
            assert words in read
        assert "met" not in read.split("polite")[1].split("\n")[0]
        assert "New session" in held.text()
        assert held.app.screen.max_scroll_y == 0


class SlowJudge(ScriptedModel):
    """A model that takes its time over a verdict."""

    def __init__(self) -> None:
        verdict = {"number": 1, "met": True, "reason": "it said please"}
        super().__init__(json.dumps({"verdicts": [verdict]}), name="judge")
        self.may_answer = asyncio.Event()

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        await self.may_answer.wait()
        async for piece in super().stream(request):
            yield piece


async def test_an_outcome_that_is_looked_at_before_it_is_judged_is_replaced_by_the_judged_one(
    tmp_path: Path,
) -> None:
    judge = SlowJudge()
    async with stage(tmp_path, "Please.", domain=with_task(), scenario="17") as held:
        await held.say("hello")
        await held.idle()
        held.held.auxiliary = judge
        await held.press("ctrl+e")
        await held.shows("The session is over")
        await held.shows("scoring")
        await held.press("ctrl+e")
        await held.shows("? The agent was polite. · not judged")
        judge.may_answer.set()
        await held.shows("✓ The agent was polite. · it said please")
        await held.press("escape")
        await held.until(lambda: held.app.screen is held.screen, "the conversation at once")


async def test_escape_stops_the_judging_and_the_session_is_scored_all_the_same(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, "Please.", domain=with_task(), scenario="17") as held:
        await held.say("hello")
        await held.idle()
        held.held.auxiliary = SlowJudge()
        await held.press("ctrl+e")
        await held.shows("scoring")
        held.screen.action_stop()
        await held.idle()
        await held.press("ctrl+e")
        await held.shows("? The agent was polite. · not judged")


async def test_another_acceptable_end_is_told_from_the_tasks_own(tmp_path: Path) -> None:
    take = call("take", jar="red", coins=4)
    task = replace(TASK, communicate=(), assertions=(), basis=("DB", "COMMUNICATE"))
    async with stage(
        tmp_path, *FIND, take, "Done.", domain=with_task(task), scenario="17", size=LARGE
    ) as held:
        read = await ended(held, "four")
        assert "✓ The records are as they should be." in read
        assert "✗ Take 3 coins out of the jar red." in read
        assert "the records are at number 2 of them" in read
        assert "by the task's basis (records × communicated information): 0" in read


async def test_a_wrong_end_is_told_field_by_field_and_writes_without_a_yes_are_counted(
    tmp_path: Path,
) -> None:
    task = replace(TASK, communicate=(), assertions=(), basis=("DB",))
    take = call("take", jar="red", coins=5)
    async with stage(
        tmp_path, *FIND, take, "Done.", domain=with_task(task), scenario="17", size=LARGE
    ) as held:
        held.app.palette.switch("gate", False)
        await held.until(lambda: not held.held.safeguards.gate, "the switch")
        await held.say("five coins")
        await held.idle()
        await held.press("ctrl+e")
        await held.until(lambda: isinstance(held.app.screen, OutcomeScreen), "the outcome")
        text = held.text()
        assert "✗ The records are not as they should be." in text
        assert "coins is 5, should be 7" in text
        assert any(
            line.replace("│", " ").split() == ["changes", "without", "your", "yes", "1"]
            for line in text.splitlines()
        )
        assert "2 ends are acceptable: the first of them is nearest" in text


async def test_where_nothing_was_to_change_the_outcome_says_so(tmp_path: Path) -> None:
    task = replace(TASK, ends=((),), actions=(), communicate=(), assertions=())
    async with stage(tmp_path, "No.", domain=with_task(task), scenario="17") as held:
        await held.say("everything please")
        await held.idle()
        await held.press("ctrl+e")
        await held.shows("✓ no change to the records")


async def test_a_session_that_has_ended_is_looked_at_and_nothing_is_added_to_it(
    tmp_path: Path,
) -> None:
    db = tmp_path / "sessions.sqlite"
    with Store.open(db) as store:
        model = ScriptedModel(*FIND, call("take", jar="red", coins=3), "Seven are left.")
        held = await Conversation.start(
            store, toy_domain(), model, ScriptedOperator("approve"),
            scenario=toy_domain().scenario("three-from-red"), safeguards=PLAIN,
        )  # fmt: skip
        await held.say("three coins")
        await held.end()
        recorded = len(held.log.events)
        app = BareApp(Setup(db=db))
        async with app.run_test(size=LARGE, notifications=True) as pilot:
            from console.screens.conversation import ConversationScreen

            screen = ConversationScreen()
            again = await Conversation.resume(
                store, held.log.session, toy_domain(), ScriptedModel(name="another"), screen
            )
            await app.push_screen(screen.attach(again))
            shown = Stage(app, pilot, again)
            await shown.shows("The session is over")
            app.palette.switch("gate", False)
            await shown.shows("This session has ended")
            assert not any(isinstance(event, SafeguardsChanged) for event in shown.events)
            await shown.press("ctrl+e")
            await shown.until(lambda: isinstance(app.screen, OutcomeScreen), "the outcome")
            await shown.shows("✓ The records are as they should be.")
            await app.action_quit()
        assert len(store.read(held.log.session)) == recorded


async def test_free_play_ends_with_what_was_changed(tmp_path: Path) -> None:
    take = call("take", jar="red", coins=3)
    async with stage(tmp_path, *FIND, take, "Done.") as held:
        read = await ended(held, "three")
        for words in (
            "Free play: nothing was expected, so nothing is scored.",
            "What was changed",
            "Take 3 coins out of the jar red.",
            "changes made",
        ):
            assert words in read
        assert "reward" not in read
        await held.press("escape")
        await held.shows("The session is over")
        await held.press("ctrl+e")
        await held.until(lambda: isinstance(held.app.screen, OutcomeScreen), "the outcome again")


async def test_free_play_in_which_nothing_was_changed_says_so(tmp_path: Path) -> None:
    async with stage(tmp_path, "Hello.") as held:
        await held.say("hi")
        await held.idle()
        await held.press("ctrl+e")
        await held.until(lambda: isinstance(held.app.screen, OutcomeScreen), "the outcome")
        assert "Nothing was changed." in held.text()


async def test_what_a_person_says_was_wrong_is_a_label_on_the_session(tmp_path: Path) -> None:
    async with stage(tmp_path, "Please.", domain=with_task(), scenario="17", size=SMALL) as held:
        await held.say("hello")
        await held.idle()
        await held.press("ctrl+e")
        await held.until(lambda: isinstance(held.app.screen, OutcomeScreen), "the outcome")
        await held.press("w", "escape")
        await held.press("w", *"a coin", "enter")
        await held.shows("What you said about it")
        found = [each.event for each in held.held.log.events if each.event.type == "labelled"]
        assert [(each.about, each.verdict, each.note) for each in found] == [
            ("session", "wrong", "a coin")
        ]
