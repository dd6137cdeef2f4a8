from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.models.protocol import ModelFault, ModelRequest, Piece, TextPiece
from agent.session.conversation import Conversation
from console.conversation.piece_buffer import EVERY
from console.screens.outcome import OutcomeScreen
from console.widgets.choices_bar import ChoicesBar
from console.widgets.composer import MOST
from console.widgets.rows import FoldedRow
from console.widgets.transcript import STEP, WINDOW, TranscriptView
from console.widgets.working import Working
from sessions.events import (
    AgentSaid,
    CustomerSaid,
    EndReason,
    ModelChanged,
    Safeguards,
    SafeguardsChanged,
)
from tests.agent.scripted import call
from tests.console.stage import FIND, LARGE, SMALL, Slow, stage

LOOK = call("look", jar="red")


async def test_words_and_look_ups_appear_and_a_look_up_opens_on_demand(tmp_path: Path) -> None:
    async with stage(tmp_path, LOOK, "It holds **ten** coins.") as held:
        await held.say("how many?")
        await held.idle()
        text = held.text()
        assert "› how many?" in text
        assert "⌕ look  red" in text
        assert "It holds ten coins." in text
        assert '"coins": 10' not in text
        await held.press("ctrl+o")
        await held.until(lambda: '"coins": 10' in held.text(), "the look-up's result")
        await held.pilot.click(FoldedRow)
        await held.until(lambda: '"coins": 10' not in held.text(), "the look-up closed")


class Breaking:
    """A model whose line breaks in the middle of its answer."""

    name = "breaking"

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        yield TextPiece("half an answer")
        raise ModelFault("server", "It is down.")


async def test_words_of_an_answer_that_broke_off_are_not_shown_again_after_its_fault(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, model=Breaking()) as held:
        await held.say("how many?")
        await held.shows("It is down.")
        await held.rest(2 * EVERY)
        assert held.text().count("half an answer") == 1


async def test_a_message_is_sent_whole_however_fast_it_is_typed(tmp_path: Path) -> None:
    async with stage(tmp_path, "Yes.") as held:
        words = "one two three four five"
        keys = ["space" if letter == " " else letter for letter in words]
        await held.press(*keys, "enter", *"next")
        await held.idle()
        said = [event.text for event in held.events if isinstance(event, CustomerSaid)]
        assert said == [words]
        assert held.composer.text == "next"


async def test_new_lines_recall_and_the_limit(tmp_path: Path) -> None:
    async with stage(tmp_path, "One.", "Two.") as held:
        await held.press("a", "ctrl+j", "b", "shift+enter", "c")
        assert held.composer.text == "a\nb\nc"
        await held.press("enter")
        await held.idle()
        await held.press("d", "up")
        assert held.composer.text == "a\nb\nc"
        await held.press("down")
        assert held.composer.text == "d"
        held.composer.text = "x" * MOST
        await held.press("y")
        await held.until(lambda: "A message can have 100,000 characters" in held.text())
        assert len(held.composer.text) == MOST


async def test_escape_stops_the_agent_and_the_customer_may_speak_again(tmp_path: Path) -> None:
    async with stage(tmp_path, "Never said.", model=Slow()) as held:
        await held.say("hello")
        await held.until(lambda: "half an answer" in held.text(), "the first piece")
        await held.say("too soon")
        assert held.composer.text == "too soon"
        await held.press("escape")
        await held.shows("You stopped the agent.")
        assert held.screen.query_one(Working).seconds < 5
        await held.press("enter")
        await held.until(lambda: held.screen.busy, "the next turn")


async def test_control_c_stops_first_and_quits_only_when_asked_twice(tmp_path: Path) -> None:
    async with stage(tmp_path, model=Slow()) as held:
        await held.say("hello")
        await held.until(lambda: "half an answer" in held.text(), "the first piece")
        await held.press("ctrl+c")
        await held.idle()
        assert held.app.return_code is None
        await held.press("ctrl+c")
        await held.until(lambda: "Press ctrl+c again to quit" in held.text(), "the warning")
        assert held.app.is_running


async def test_a_fault_says_what_happened_and_can_be_retried(tmp_path: Path) -> None:
    fault = ModelFault("bad_key", "The key was refused. Set OPENAI_API_KEY and retry.")
    async with stage(tmp_path, fault, "Here I am.") as held:
        await held.say("hello")
        await held.until(lambda: held.screen.query(ChoicesBar), "the ways on")
        text = held.text()
        assert "The key was refused." in text
        assert all(way in text for way in ("Retry", "Change model", "End"))
        assert held.app.focused is held.composer
        await held.press("ctrl+r")
        await held.until(lambda: "Here I am." in held.text(), "the answer")
        assert not held.screen.query(ChoicesBar)


async def test_ending_a_scenario_shows_what_is_not_as_it_should_be(tmp_path: Path) -> None:
    async with stage(tmp_path, "Hello.", scenario="three-from-red") as held:
        await held.say("hello")
        await held.idle()
        await held.press("ctrl+e")
        await held.until(lambda: isinstance(held.app.screen, OutcomeScreen), "the outcome")
        text = held.text()
        assert "The records are not as they should be." in text
        assert "red" in text
        assert "seven" in text
        await held.press("escape")
        await held.until(lambda: held.app.screen is held.screen, "the conversation")
        assert "The session is over" in held.text()
        assert not held.composer.display


async def test_nothing_is_sent_while_a_session_ends_that_was_ended_in_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, judged, end = asyncio.Event(), asyncio.Event(), Conversation.end

    async def end_slowly(conversation: Conversation, reason: EndReason) -> None:
        asked.set()
        await judged.wait()
        await end(conversation, reason)

    monkeypatch.setattr(Conversation, "end", end_slowly)
    async with stage(tmp_path, "Never said.", model=Slow()) as held:
        await held.say("hello")
        await held.shows("half an answer")
        await held.press("ctrl+e")
        await asked.wait()
        await held.say("too late")
        assert held.screen.busy
        assert held.composer.text == "too late"
        judged.set()
        await held.until(lambda: held.screen.router.status.ended == "customer", "the end")
    assert [each.text for each in held.events if isinstance(each, CustomerSaid)] == ["hello"]


async def test_a_scenario_that_came_out_right_says_so(tmp_path: Path) -> None:
    three = call("take", jar="red", coins=3)
    async with stage(
        tmp_path, *FIND, three, "That leaves seven.", scenario="three-from-red"
    ) as held:
        await held.say("three from red")
        await held.ready_card()
        await held.press("a")
        await held.idle()
        await held.press("ctrl+e")
        await held.until(lambda: isinstance(held.app.screen, OutcomeScreen), "the outcome")
        assert "✓ The records are as they should be." in held.text()


async def test_a_transfer_replaces_the_composer_with_what_can_be_done_next(tmp_path: Path) -> None:
    transfer = call("transfer_to_human_agents", summary="wants a person")
    async with stage(tmp_path, transfer, "A person takes over.") as held:
        await held.say("a human please")
        await held.until(lambda: "The session is over" in held.text(), "the end")
        assert not held.composer.display
        assert "New session" in held.text()


@pytest.mark.parametrize(("size", "beside"), [(LARGE, True), (SMALL, False)])
async def test_panes_stand_beside_or_lie_over_the_conversation(
    tmp_path: Path, size: tuple[int, int], beside: bool
) -> None:
    async with stage(tmp_path, LOOK, "Ten.", size=size) as held:
        await held.say("how many?")
        await held.idle()
        side = held.screen.query_one("#side")
        assert side.display is beside
        assert held.screen.check_action("pane", ("record",))
        assert not held.screen.check_action("pane", ("memory",))
        for key, words in (
            ("f3", "Sent ("), ("f4", "records appear here"), ("f5", "model_answered"),
            ("f6", "Only take coins"), ("f7", "Free play"), ("alt+r", "Before each change"),
        ):  # fmt: skip
            await held.press(key)
            await held.shows(words)
            assert side.display
        await held.press("escape")
        assert side.display is beside
        assert held.app.focused is held.composer


async def test_narrow_screens_count_what_the_panes_hold(tmp_path: Path) -> None:
    async with stage(tmp_path, LOOK, "Ten.", size=SMALL) as held:
        await held.say("how many?")
        await held.shows("reflections 0 · context")
        assert "turn 1/30" in held.text()


async def test_settings_of_the_safeguards_change_from_the_palette(tmp_path: Path) -> None:
    async with stage(tmp_path) as held:
        for title in (
            "Carry out the change after your words at once",
            "Send blocks as one line each",
        ):
            offered = {each.title: each.callback for each in held.app.palette.commands(held.screen)}
            offered[title]()
        await held.until(lambda: held.held.safeguards.blocks_as == "summaries", "both settings")
        assert held.held.safeguards.after_feedback == "execute"
        titles = [each.title for each in held.app.palette.commands(held.screen)]
        assert "Show the change after your words again" in titles
        assert "Send blocks as one line each" not in titles


async def test_safeguards_and_model_change_during_a_session(tmp_path: Path) -> None:
    async with stage(tmp_path, "Hi.") as held:
        held.app.palette.switch("gate", False)
        await held.until(lambda: not held.held.safeguards.gate, "the switch")
        await held.press("ctrl+l")
        await held.until(lambda: "Who answers" in held.text(), "the list of models")
        await held.press("enter")
        await held.until(lambda: held.held.model.name == "clerk", "the clerk")
        types = [type(event) for event in held.events]
        assert SafeguardsChanged in types
        assert ModelChanged in types
        assert "off: gate" in held.text()


async def test_a_session_of_any_length_mounts_a_window_and_loads_the_rest_on_scrolling(
    tmp_path: Path,
) -> None:
    async def fill(held: Conversation) -> None:
        for number in range(150):
            await held.log.append(AgentSaid(text=f"message {number}"))

    async with stage(tmp_path, "Yes.", prepare=fill) as held:
        view = held.screen.query_one(TranscriptView)
        assert len(view.rows) == WINDOW
        assert "message 149" in held.text()
        for scroll, words in ((view.scroll_home, "message 0"), (view.scroll_end, "message 149")):
            for _ in range(100):
                scroll(animate=False)
                await held.until(lambda: not view._loading, "what was asked for is loaded")
                assert len(view.rows) <= WINDOW + STEP
                if f"{words}\n" in held.text().replace(" ", "\n").replace("message\n", "message "):
                    break
            else:
                raise AssertionError(f"{words} did not come into view")
        await held.say("more")
        await held.shows("Yes.")
        assert len(view.rows) <= WINDOW + STEP


async def test_what_comes_while_a_person_reads_further_up_waits_below_and_is_bounded(
    tmp_path: Path,
) -> None:
    async def fill(held: Conversation) -> None:
        for number in range(WINDOW):
            await held.log.append(AgentSaid(text=f"message {number}"))

    async with stage(tmp_path, "Yes.", prepare=fill) as held:
        view = held.screen.query_one(TranscriptView)
        await held.until(lambda: view.scroll_y > 0, "the last message is in view")
        view.scroll_home(animate=False)
        await held.until(lambda: view.scroll_y == 0, "the first message is in view")
        for number in range(WINDOW, 2 * WINDOW):
            await held.held.log.append(AgentSaid(text=f"message {number}"))
        await held.until(lambda: bool(view.border_subtitle), "what is newer is counted")
        assert len(view.rows) <= WINDOW + STEP
        assert "message 0" in held.text()
        await held.say("more")
        await held.shows("Yes.")
        assert len(view.rows) <= WINDOW + STEP
        assert not view.border_subtitle


async def test_the_reflection_pane_tells_the_call_in_words_and_has_it_exactly_on_demand(
    tmp_path: Path,
) -> None:
    three = call("take", jar="red", coins=3)
    guards = Safeguards(context=False)
    async with stage(tmp_path, *FIND, three, three, "Done.", safeguards=guards) as held:
        await held.say("three coins")
        await held.ready_card()
        await held.shows("turn 1 · take")
        text = held.text()
        assert "jar  red" in text
        assert "coins  3" in text
        assert "▸ exact call" in text
        assert "Reminder before this change" not in text
        assert '"coins"' not in text
        assert "The policy says:" in text
        assert "Then: the agent proposed take" in text
        lines = text.splitlines()
        at = next(
            n for n, line in enumerate(lines) if "▸ exact call" in line and "turn" not in line
        )
        side = held.screen.query_one("#side").region
        await held.pilot.click(offset=(side.x + 6, at))
        await held.shows('"coins": 3')
        assert held.app.focused is not None
        assert held.card is not None
        assert held.card in held.app.focused.ancestors_with_self


async def test_the_exact_call_of_a_reflection_opens_by_key_and_closes_again(tmp_path: Path) -> None:
    three = call("take", jar="red", coins=3)
    guards = Safeguards(context=False)
    async with stage(tmp_path, *FIND, three, "Done.", safeguards=guards) as held:
        await held.say("three coins")
        await held.idle()
        await held.shows("jar  red")
        await held.press("f2", "x")
        await held.shows('"coins": 3')
        await held.press("x")
        await held.until(lambda: '"coins": 3' not in held.text(), "the call closed")
