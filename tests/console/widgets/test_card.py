from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Button

from console.widgets import key_guard
from sessions.events import Safeguards, WriteApplied
from tests.agent.scripted import call
from tests.console.stage import FIND, PLAIN, stage
from tests.console.widgets.card_stage import THREE, TOO_MANY, coins, decisions, small


@pytest.mark.real_spans
async def test_no_key_counts_during_the_grace_and_each_one_prolongs_it(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, THREE, "Done.") as held:
        await held.say("three coins")
        await held.until(lambda: held.card, "a card")
        for key in ("a", "enter", "y", "r", "tab", "a"):
            await held.press(key)
        assert held.card is not None
        assert held.card.stage == "grace"
        assert decisions(held) == []
        card = await held.ready_card()
        assert card.decision.done() is False
        assert coins(held) == 10


async def test_the_mouse_is_not_heard_during_the_grace_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.widgets.key_guard.GRACE", 60)
    async with small(tmp_path, *FIND, THREE, "Done.") as held:
        await held.say("three coins")
        await held.until(lambda: held.card, "a card")
        await held.pilot.click("#approve")
        await held.rest()
        assert decisions(held) == []
        assert held.card is not None
        monkeypatch.setattr("console.widgets.key_guard.GRACE", 0.05)
        held.card.begin_grace()
        await held.ready_card()
        await held.pilot.click("#approve")
        await held.idle()
        assert coins(held) == 7


async def test_the_card_starts_on_reject_and_two_enters_reject_without_a_reason(
    tmp_path: Path,
) -> None:
    async with small(tmp_path, *FIND, THREE, "As you wish.") as held:
        await held.say("three coins")
        await held.ready_card()
        assert isinstance(held.app.focused, Button)
        assert held.app.focused.id == "reject"
        await held.answer("enter")
        await held.idle()
        assert [made.decision for made in decisions(held)] == ["reject"]
        assert coins(held) == 10
        assert "declined by you" in held.text()


async def test_approving_runs_exactly_the_call_once_and_the_agent_goes_on(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, THREE, "Seven are left.") as held:
        await held.say("three coins")
        await held.ready_card()
        await held.press("a")
        await held.idle()
        assert sum(isinstance(event, WriteApplied) for event in held.events) == 1
        assert coins(held) == 7
        assert decisions(held)[0].milliseconds >= 1000 * key_guard.GRACE
        text = held.text()
        assert "✓ approved by you" in text
        assert "Seven are left." in text


async def test_a_reason_that_was_begun_is_there_when_one_comes_back_to_it(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, THREE, "Sorry.") as held:
        await held.say("three coins")
        await held.ready_card()
        await held.press("r", *"wrong", "escape")
        await held.ready_card()
        await held.answer("r", "er")
        await held.idle()
        assert decisions(held)[0].words == "wronger"


async def test_a_reason_reaches_the_log_and_stays_in_the_transcript(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, THREE, "Sorry.") as held:
        await held.say("three coins")
        await held.ready_card()
        await held.answer("r", "wrong jar")
        await held.idle()
        assert decisions(held)[0].words == "wrong jar"
        assert "declined by you: wrong jar" in held.text()


async def test_escape_goes_from_the_reason_back_to_the_card(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, THREE, "Sorry.") as held:
        await held.say("three coins")
        card = await held.ready_card()
        await held.press("r", "x", "escape")
        assert await held.ready_card() is card
        assert decisions(held) == []


async def test_change_needs_words(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, THREE, "The blue one, then?") as held:
        await held.say("three coins")
        card = await held.ready_card()
        await held.answer("c")
        assert card.stage == "words"
        await held.shows("Say it in a few words first")
        await held.press(*"blue")
        await held.long_enough()
        await held.press("enter")
        await held.idle()
        assert [(made.decision, made.words) for made in decisions(held)] == [("change", "blue")]


async def test_a_failing_policy_check_takes_a_second_key(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, TOO_MANY, "Done.") as held:
        await held.say("seven coins")
        card = await held.ready_card()
        await held.press("a")
        await held.until(lambda: card.stage == "override", "the warning")
        await held.long_enough()
        await held.press("a")
        assert await held.ready_card() is card
        await held.press("y")
        await held.long_enough()
        assert await held.ready_card() is card
        assert decisions(held) == []
        await held.press("a")
        await held.until(lambda: card.stage == "override", "the warning")
        await held.long_enough()
        await held.press("y")
        await held.idle()
        assert decisions(held)[0].overrode == ("no more than five coins at a time",)
        assert coins(held) == 3


async def test_policy_checks_that_are_kept_off_the_card_are_in_the_side_pane(
    tmp_path: Path,
) -> None:
    hidden = PLAIN.model_copy(update={"policy_on_card": False})
    async with stage(tmp_path, *FIND, TOO_MANY, "Done.", safeguards=hidden) as held:
        await held.say("seven coins")
        card = await held.ready_card()
        assert len(card.query(".card--fails")) == 0
        await held.until(lambda: "Policy checks kept off the card" in held.text(), "the pane")
        await held.press("a")
        await held.idle()
        assert decisions(held)[0].overrode == ()


async def test_a_question_is_answered_under_the_card_and_the_card_stays_as_it_is(
    tmp_path: Path,
) -> None:
    async with small(tmp_path, *FIND, THREE, "It holds ten.", "Done.") as held:
        await held.say("three coins")
        card = await held.ready_card()
        await held.answer("k", "how")
        await held.until(lambda: len(decisions(held)) == 1, "the question in the log")
        again = await held.ready_card()
        assert again is card
        assert "Agent: “It holds ten.”" in held.text()
        await held.press("a")
        await held.idle()
        assert [made.decision for made in decisions(held)] == ["ask", "approve"]
        assert coins(held) == 7


@pytest.mark.real_spans
async def test_typing_survives_the_card_and_never_reaches_it(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, THREE, "Done.") as held:
        await held.say("three coins")
        held.composer.text = "and also"
        await held.until(lambda: held.card, "a card")
        await held.press(*"aya", "enter")
        await held.ready_card()
        await held.answer("r")
        await held.idle()
        assert held.composer.text == "and also"
        assert held.app.focused is held.composer


async def test_the_exact_call_opens_on_demand_and_marks_foreign_letters(tmp_path: Path) -> None:
    cyrillic = call("take", jar="red", coins=3)
    async with small(tmp_path, *FIND, cyrillic, "Done.") as held:
        await held.say("three coins")
        await held.ready_card()
        assert '"coins": 3' not in held.text()
        await held.press("x")
        await held.rest()
        assert '"coins": 3' in held.text()


async def test_every_button_is_in_view_at_80_by_24(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, TOO_MANY, "Done.") as held:
        await held.say("seven coins")
        card = await held.ready_card()
        for key in ("approve", "reject", "change", "ask"):
            button = card.query_one(f"#{key}", Button)
            assert held.screen.region.contains_region(button.region)
            assert button.region.height == 1


async def test_with_the_gate_off_nothing_is_asked_and_the_row_says_so(tmp_path: Path) -> None:
    off = Safeguards(gate=False, reflection=False)
    async with small(tmp_path, *FIND, THREE, "Done.", safeguards=off) as held:
        await held.say("three coins")
        await held.until(lambda: coins(held) == 7, "the write")
        await held.shows("the gate was off")


async def test_no_command_makes_one_widget_large_over_a_card(tmp_path: Path) -> None:
    async with small(tmp_path, "Yes.") as held:
        titles = {each.title for each in held.app.get_system_commands(held.screen)}
        assert not titles & {"Maximize", "Minimize"}
        assert len(titles) > 3
