from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from textual.widgets import Button

from agent.models.protocol import ModelRequest, Piece
from console.setup import Setup
from console.widgets import key_guard
from console.widgets.card import TITLE, CardView
from console.widgets.card_text import CardText
from console.widgets.choices_bar import ChoicesBar
from domains.core.consent import Consent, call_digest
from domains.core.tool import ToolCall
from sessions.events import DecisionMade, Safeguards, WriteApplied
from tests.agent.scripted import ScriptedModel, call
from tests.console.stage import FIND, PLAIN, SMALL, Stage, stage

small = partial(stage, size=SMALL)
"""Half of what the large one costs, and what is tested here is the same on both."""

THREE = call("take", jar="red", coins=3)
TOO_MANY = call("take", jar="red", coins=7)


class SlowToAnswer(ScriptedModel):
    """Acts at once, and never comes to an end of what it says about a card."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        if not request.tools:
            await asyncio.sleep(3600)
        async for piece in super().stream(request):
            yield piece


def decisions(held: Stage) -> list[DecisionMade]:
    return [event for event in held.events if isinstance(event, DecisionMade)]


def coins(held: Stage) -> int:
    record = held.held.records.get("jars", "red")
    assert record is not None
    return int(record["coins"])


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


async def test_a_card_that_was_left_is_taken_up_again_without_asking_the_model(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(*FIND, THREE, "Seven are left.")
    async with small(tmp_path, *FIND, model=model) as held:
        await held.say("three coins")
        left = await held.ready_card()
        asked = len(model.requests)
        await held.press("escape")
        await held.idle()
        assert [made.decision for made in decisions(held)] == ["withdrawn"]
        assert held.card is None
        assert coins(held) == 10
        assert held.composer.display
        await held.shows("Back to the card")
        await held.press("ctrl+r")
        again = await held.ready_card()
        assert again is not left
        assert (again.card.call_id, again.card.arguments) == (left.card.call_id, THREE[0][1])
        assert again.border_title == left.border_title
        assert len(model.requests) == asked
        await held.press("a")
        await held.idle()
        assert [made.decision for made in decisions(held)] == ["withdrawn", "approve"]
        assert coins(held) == 7


async def test_a_card_that_was_left_is_gone_once_something_else_is_said(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, THREE, "As you wish.") as held:
        await held.say("three coins")
        await held.ready_card()
        await held.press("escape")
        await held.shows("Back to the card")
        await held.say("never mind")
        await held.idle()
        await held.shows("As you wish.")
        assert "Back to the card" not in held.text()
        await held.press("ctrl+r")
        assert [made.decision for made in decisions(held)] == ["withdrawn"]


async def test_escape_closes_what_is_open_before_it_leaves_the_card(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, TOO_MANY) as held:
        await held.say("seven coins")
        card = await held.ready_card()
        await held.press("x")
        await held.until(lambda: card.query_one(CardText).opened, "the exact call")
        await held.press("escape")
        assert not card.query_one(CardText).opened
        await held.long_enough()
        await held.press("a")
        await held.until(lambda: card.stage == "override", "the second question")
        await held.press("escape")
        assert await held.ready_card() is card
        await held.press("c")
        await held.until(lambda: card.stage == "words", "the field")
        await held.press("escape")
        assert await held.ready_card() is card
        assert decisions(held) == []
        await held.press("escape")
        await held.idle()
        assert held.card is None


async def test_escape_stops_an_answer_at_the_card_and_the_card_goes_on_waiting(
    tmp_path: Path,
) -> None:
    slow = SlowToAnswer(*FIND, THREE, "Seven are left.")
    async with small(tmp_path, *FIND, model=slow) as held:
        await held.say("three coins")
        card = await held.ready_card()
        await held.answer("k", "how")
        await held.until(lambda: held.held.answer is not None, "the agent at its answer")
        await held.press("escape")
        assert await held.ready_card() is card
        await held.press("a")
        await held.idle()
        assert [made.decision for made in decisions(held)] == ["ask", "approve"]
        assert coins(held) == 7


@pytest.mark.real_spans
async def test_two_writes_in_one_answer_are_asked_one_after_the_other(tmp_path: Path) -> None:
    both = [("take", {"jar": "red", "coins": 1}), ("take", {"jar": "red", "coins": 2})]
    async with small(tmp_path, *FIND, both, "Done.") as held:
        await held.say("one, then two")
        first = await held.ready_card()
        assert len(held.screen.query(CardView)) == 1
        await held.press("a")
        await held.until(lambda: held.card and held.card is not first, "the second card")
        assert held.card is not None
        assert held.card.stage == "grace"
        await held.press("a")
        assert len(decisions(held)) == 1
        await held.ready_card()
        await held.press("a")
        await held.idle()
        assert coins(held) == 7


async def test_a_card_that_was_covered_begins_its_grace_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with small(tmp_path, *FIND, THREE, "Done.") as held:
        await held.say("three coins")
        card = await held.ready_card()
        monkeypatch.setattr("console.widgets.key_guard.GRACE", 60)
        await held.press("f1")
        await held.rest()
        await held.press("escape")
        await held.until(lambda: held.app.screen is held.screen, "the help closed")
        await held.until(lambda: card.stage == "grace", "the grace")
        await held.press("a")
        assert decisions(held) == []


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
        await held.idle()
        assert "the gate was off" in held.text()


async def test_a_card_for_records_that_moved_says_so_and_any_other_does_not(tmp_path: Path) -> None:
    more = call("take", jar="red", coins=1)
    async with small(tmp_path, *FIND, THREE, "Done.", more, "Done.") as held:
        await held.say("three coins")
        card = await held.ready_card()
        assert card.border_title == TITLE
        moved = ToolCall("take", {"jar": "red", "coins": 4})
        state = held.held.records.preview(moved).state
        held.held.records.apply(moved, Consent("elsewhere", call_digest(moved), state, "words"))
        await held.press("a")
        await held.until(lambda: held.card not in (None, card), "the card in its place")
        await held.shows("The records moved: please look again")
        await held.shows("6 → 3 coins")
        assert coins(held) == 6
        await held.ready_card()
        await held.press("a")
        await held.idle()
        assert coins(held) == 3
        await held.say("one more")
        assert (await held.ready_card()).border_title == TITLE


async def test_a_card_in_place_of_one_that_was_not_approved_does_not_claim_that_it_moved(
    tmp_path: Path,
) -> None:
    async with small(tmp_path, *FIND, THREE, THREE, "Done.") as held:
        await held.say("three coins")
        first = await held.ready_card()
        await held.answer("c", "hm")
        await held.until(lambda: held.card not in (None, first), "the next card")
        assert (await held.ready_card()).border_title == TITLE


async def test_choosing_ones_own_session_from_a_list_leaves_its_card_waiting(
    tmp_path: Path,
) -> None:
    async with small(tmp_path, *FIND, THREE, "Seven are left.") as held:
        await held.say("three coins")
        card = await held.ready_card()
        await held.app._reopen(Setup(resume=held.held.log.session))
        assert held.card is card
        assert not card.decision.done()
        assert decisions(held) == []


async def test_no_command_makes_one_widget_large_over_a_card(tmp_path: Path) -> None:
    async with small(tmp_path, "Yes.") as held:
        titles = {each.title for each in held.app.get_system_commands(held.screen)}
        assert not titles & {"Maximize", "Minimize"}
        assert len(titles) > 3


async def test_a_conversation_can_be_ended_while_a_card_is_left(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, THREE) as held:
        await held.say("three coins")
        await held.ready_card()
        await held.press("escape")
        await held.shows("Take the card up again")
        await held.press("ctrl+e")
        await held.shows("The session is over")
        assert len(held.screen.query(ChoicesBar)) == 1
