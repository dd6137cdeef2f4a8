from __future__ import annotations

from pathlib import Path

import pytest

from console.setup import Setup
from console.widgets.card import TITLE, CardView
from console.widgets.card_text import CardText
from console.widgets.choices_bar import ChoicesBar
from domains.core.consent import Consent, call_digest
from domains.core.tool import ToolCall
from tests.agent.scripted import ScriptedModel, call
from tests.console.stage import FIND
from tests.console.widgets.card_stage import THREE, TOO_MANY, SlowToAnswer, coins, decisions, small


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


async def test_a_conversation_can_be_ended_while_a_card_is_left(tmp_path: Path) -> None:
    async with small(tmp_path, *FIND, THREE) as held:
        await held.say("three coins")
        await held.ready_card()
        await held.press("escape")
        await held.shows("Go back to the card")
        await held.press("ctrl+e")
        await held.shows("nothing is scored")
        await held.press("escape")
        await held.shows("The session is over")
        assert len(held.screen.query(ChoicesBar)) == 1
