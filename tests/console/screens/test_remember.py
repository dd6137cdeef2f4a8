"""After a session the agent says what it wants to remember; a stray key accepts nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import TextArea
from textual.widgets._toast import Toast

from agent.gate.operator import Decision
from agent.memory.bank import Bank
from agent.memory.keeping import apply_changes as keep
from agent.memory.keeping import open_bank
from agent.memory.lessons import LessonReview
from agent.session.conversation import Conversation
from console.conversation.remembering import YOU_ARE_ASKED, Remembering
from console.screens.conversation import ConversationScreen
from console.screens.outcome import OutcomeScreen
from console.screens.remember import EntryEditor, ProposalsScreen
from console.setup import Setup
from console.widgets.lesson_card import LessonCard
from sessions.store.store import Store
from tests.agent.memory.entries import change, entry
from tests.agent.memory.test_retrieval import bank, begun
from tests.agent.scripted import ScriptedOperator, call
from tests.console.stage import SMALL, BareApp, Stage
from tests.toy import toy_domain

REASON = "Who waited long may take more than five coins."
OPEN_REASON = "It should be allowed!"
SEVEN = call("take", jar="red", coins=7)


async def held_with(store: Store, memory: Bank | None, reason: str = REASON) -> Conversation:
    operator = ScriptedOperator(Decision("reject", reason))
    held, _ = await begun(store, memory, SEVEN, "Then not.", operator=operator)
    await held.say("seven coins from the red jar")
    return held


@asynccontextmanager
async def remembering(folder: Path, reason: str = REASON) -> AsyncIterator[tuple[Stage, Store]]:
    """The screen on a session in which a person gave a reason."""
    app = BareApp(Setup(db=folder / "s.db"))
    with Store.open(folder / "s.db") as store:
        async with app.run_test(size=SMALL, notifications=True) as pilot:
            held = await held_with(store, bank(store), reason)
            desk = LessonReview(store, "b", toy_domain(), None)
            lesson = await desk.next(held.log.events)
            assert lesson is not None
            shown = Stage(app, pilot, held)
            app.push_screen(ProposalsScreen(desk, held.log.events, lesson))
            await shown.until(lambda: app.screen.query(LessonCard), "the proposal")
            yield shown, store


async def ready(shown: Stage) -> None:
    card = shown.app.screen.query_one(LessonCard)
    await shown.until(lambda: card.stage == "ready", "a card that listens")
    await shown.long_enough()


def over(shown: Stage) -> bool:
    return not isinstance(shown.app.screen, ProposalsScreen | EntryEditor)


async def test_the_card_says_where_it_comes_from_and_is_accepted(tmp_path: Path) -> None:
    async with remembering(tmp_path) as (shown, store):
        await ready(shown)
        text = shown.text()
        for words in (
            f"“{REASON}”",
            "missing exception",
            "It allows what the check",
            "+ key insight",
        ):
            assert words in text, words
        for label in ("a Accept", "e Edit", "r Refuse", "l Later", "esc leave it for now"):
            assert label in text  # however long the entry is
        await shown.press("a")
        await shown.until(lambda: over(shown), "the end")
        held = open_bank(store, "b").entries["take"]
        assert held.key_insight == REASON
        desk = LessonReview(store, "b", toy_domain(), None)
        assert await desk.next(shown.held.log.events) is None  # a session teaches it once


@pytest.mark.real_spans
async def test_no_key_that_was_meant_for_something_else_accepts(tmp_path: Path) -> None:
    async with remembering(tmp_path) as (shown, store):
        await shown.press("a", "enter")  # before anybody can have read it
        await ready(shown)
        await shown.press("a", "n", "d")
        await shown.rest(0.6)
        assert open_bank(store, "b").revision == 0
        assert shown.app.screen.query_one(LessonCard).stage in ("grace", "ready")
        await shown.press("escape")
        await shown.until(lambda: over(shown), "the end")
        assert open_bank(store, "b").revision == 0
        desk = LessonReview(store, "b", toy_domain(), None)
        assert await desk.next(shown.held.log.events) is not None


@pytest.mark.parametrize("key", ["r", "l"])
@pytest.mark.parametrize("reason", [REASON, OPEN_REASON])
async def test_what_is_refused_or_left_for_later_is_not_in_force(
    tmp_path: Path, key: str, reason: str
) -> None:
    async with remembering(tmp_path, reason) as (shown, store):
        await ready(shown)
        await shown.press(key)
        await shown.until(lambda: over(shown), "the end")
        capability = open_bank(store, "b").get("take")
        assert capability.entry is None
        assert (capability.waiting == []) == (key == "r")


async def test_it_is_written_anew_and_what_is_no_entry_is_told(tmp_path: Path) -> None:
    async with remembering(tmp_path) as (shown, store):
        await ready(shown)
        await shown.press("e")
        await shown.until(lambda: isinstance(shown.app.screen, EntryEditor), "the editor")
        written = shown.app.screen.query_one(TextArea)
        proposed = written.text
        for wrong in (
            "",
            proposed.replace("# take", "# another"),
            proposed + "\n## Nothing\n",
            proposed.replace("- Name: ", "- Name: Never "),
        ):
            assert wrong != proposed
            written.text = wrong
            await shown.press("ctrl+s")
            notice = str(shown.app.screen.query_one("#entry-notice").render())
            assert notice.strip(), wrong
            assert ("“Nothing” is not a section of an entry" in notice) == ("## Nothing" in wrong)
        written.text = proposed.replace("Who waited long", "Whoever waited long")
        await shown.press("ctrl+s")
        await shown.until(lambda: over(shown), "the end")
        assert open_bank(store, "b").entries["take"].key_insight.startswith("Whoever")


async def another_program(store: Store, shown: Stage, does: str) -> None:
    """What somebody else does to the memory while the person reads or writes."""
    if does == "writes another entry":
        keep(store, open_bank(store, "b"), [change("edit", entry("other", tool="take"))])
    elif does == "writes this entry":
        keep(store, open_bank(store, "b"), [change("edit", entry("take", tool="take"))])
    else:
        desk = LessonReview(store, "b", toy_domain(), None)
        lesson = await desk.next(shown.held.log.events)
        assert lesson is not None
        await desk.settle(lesson, "wait" if does == "learns it" else "accept")


MEANWHILE = ["writes another entry", "writes this entry", "learns it", "learns and accepts it"]


@pytest.mark.parametrize("does", MEANWHILE)
async def test_what_was_written_while_the_memory_changed_stays_and_is_kept(
    tmp_path: Path, does: str
) -> None:
    async with remembering(tmp_path) as (shown, store):
        await ready(shown)
        await shown.press("e")
        await shown.until(lambda: isinstance(shown.app.screen, EntryEditor), "the editor")
        editor = shown.app.screen
        written = editor.query_one(TextArea)
        written.text = wrote = written.text.replace("Who waited long", "Whoever waited long")
        await another_program(store, shown, does)
        before = open_bank(store, "b")
        await shown.press("ctrl+s")
        notice = editor.query_one("#entry-notice")
        await shown.until(lambda: "another program" in str(notice.render()), "what changed")
        assert (shown.app.screen, written.text) == (editor, wrote)
        assert open_bank(store, "b").digest == before.digest
        named = "other" if "another entry" in does else "take"
        assert f"{named}: {'proposed' if 'learns' in does else 'written'} by " in str(
            notice.render()
        )
        await shown.press("ctrl+s")
        await shown.until(lambda: over(shown), "the end")
        after = open_bank(store, "b")
        assert after.entries["take"].key_insight.startswith("Whoever")
        assert after.waiting() == []  # it stands in place of what was made of the same words
        assert before.entries.keys() <= after.entries.keys()


async def opened(shown: Stage) -> EntryEditor:
    await ready(shown)
    await shown.press("e")
    await shown.until(lambda: isinstance(shown.app.screen, EntryEditor), "the editor")
    assert isinstance(shown.app.screen, EntryEditor)
    return shown.app.screen


async def test_esc_throws_away_what_was_written_only_where_it_was_asked(tmp_path: Path) -> None:
    async with remembering(tmp_path) as (shown, store):
        await opened(shown)
        await shown.press("escape")  # nothing was written
        await shown.until(lambda: isinstance(shown.app.screen, ProposalsScreen), "the card")
        editor = await opened(shown)
        written, notice = editor.query_one(TextArea), editor.query_one("#entry-notice")
        for before, words in (("Who waited", "Whoever waited"), ("Whoever waited", "Nobody")):
            written.text = written.text.replace(before, words)
            await shown.press("escape")
            assert shown.app.screen is editor
            assert "Discard what you wrote" in str(notice.render())
        await another_program(store, shown, "writes another entry")
        await shown.press("ctrl+s")
        await shown.until(lambda: "not saved yet" in str(notice.render()), "what changed")
        await shown.press("escape")
        assert (shown.app.screen, "Nobody" in written.text) == (editor, True)
        await shown.press("escape")
        await shown.until(lambda: isinstance(shown.app.screen, ProposalsScreen), "the card")
        assert "take" not in open_bank(store, "b").entries


async def test_a_card_is_put_anew_where_the_memory_changed_before_it_was_answered(
    tmp_path: Path,
) -> None:
    async with remembering(tmp_path) as (shown, store):
        await ready(shown)
        first = shown.app.screen.query_one(LessonCard)
        await another_program(store, shown, "writes this entry")
        await shown.press("a")
        await shown.until(
            lambda: [*shown.app.screen.query(LessonCard)] not in ([], [first]), "another card"
        )
        assert len(open_bank(store, "b").get("take").versions) == 1
        await ready(shown)
        await shown.until(lambda: shown.app.screen.query(Toast), "what is told")
        buttons = shown.app.screen.query_one("#lesson-buttons").region
        (toast,) = shown.app.screen.query(Toast)
        assert toast.region.height
        assert not toast.region.overlaps(buttons)
        await shown.press("a")
        await shown.until(lambda: over(shown), "the end")
        held = open_bank(store, "b").entries.values()
        assert [each.key_insight for each in held] == ["", REASON]


async def test_what_does_not_say_when_it_holds_is_ended_before_it_is_accepted(
    tmp_path: Path,
) -> None:
    async with remembering(tmp_path, OPEN_REASON) as (shown, store):
        await ready(shown)
        assert "a Accept" not in shown.text()
        await shown.press("a")
        await shown.long_enough()
        assert open_bank(store, "b").revision == 0
        await ready(shown)
        await shown.press("enter")  # it rests on what is due
        await shown.until(lambda: isinstance(shown.app.screen, EntryEditor), "the editor")
        written = shown.app.screen.query_one(TextArea)
        await shown.until(lambda: written.selected_text == "…", "the place to write in")
        assert written.region.contains(*written.cursor_screen_offset)
        await shown.press("ctrl+s")
        assert "first say when" in str(shown.app.screen.query_one("#entry-notice").render())
        assert written.text.count("where …") == 1  # what was learned stands in one place
        written.text = written.text.replace("where …", "where one waited long.")
        await shown.press("ctrl+s")
        await shown.until(lambda: over(shown), "the end")
        held = open_bank(store, "b").entries["take"]
        assert held.check is not None
        assert held.check.condition == held.key_insight
        assert held.key_insight.endswith("does not hold, where one waited long.")


async def test_a_line_that_would_do_without_a_yes_is_warned_of(tmp_path: Path) -> None:
    reason = "Customers who waited may take them without confirmation."
    async with remembering(tmp_path, reason) as (shown, _):
        await ready(shown)
        told = shown.app.screen.query_one(".waiving")
        assert "every change needs your yes" in str(told.render())
        assert shown.app.screen.query_one("#lesson-body").region.contains_region(told.region)


async def test_the_outcome_and_the_farewell_say_what_there_is_to_learn(tmp_path: Path) -> None:
    app = BareApp(Setup(db=tmp_path / "s.db"))
    told = Remembering(app, tmp_path / "s.db")
    with Store.open(tmp_path / "s.db") as store:
        memory = bank(store)
        taught = await held_with(store, memory)
        assert await told.remark(taught) == YOU_ARE_ASKED
        assert f"saber memory learn {taught.log.session}" in await told.farewell(taught)
        nothing = await held_with(store, None, "")
        assert (await told.remark(nothing), await told.farewell(nothing)) == ("", "")
        silent = await held_with(store, memory, "No.")
        why = await told.farewell(silent)
        for words in (
            "“No.”",
            "saber memory edit take",
            f"learn {silent.log.session} --model NAME",
        ):
            assert words in why
        assert (await told.remark(silent), await told.farewell(silent)) == (why, "")  # told once
        plain = await held_with(store, None)
        assert "saber memory begin --domain jars" in await told.remark(plain)
        assert await told.farewell(plain) == ""
        async with app.run_test(size=SMALL) as pilot:
            app.push_screen(OutcomeScreen(taught, None, YOU_ARE_ASKED))
            await pilot.pause()
            assert YOU_ARE_ASKED[:30] in Stage(app, pilot, taught).text()


async def test_leaving_a_conversation_puts_it_to_the_person_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, answered = Remembering.ask, list[str]()

    async def ask_and_note(self: Remembering, held: Conversation) -> None:
        await ask(self, held)  # which waits for a decision wherever something is put
        answered.append(held.log.session)

    monkeypatch.setattr(Remembering, "ask", ask_and_note)
    app = BareApp(Setup(db=tmp_path / "s.db"))
    with Store.open(tmp_path / "s.db") as store:
        async with app.run_test(size=SMALL) as pilot:
            held = await held_with(store, bank(store))
            shown = Stage(app, pilot, held)
            await app.push_screen(ConversationScreen().attach(held))
            await shown.press("ctrl+e")
            await shown.until(lambda: isinstance(app.screen, OutcomeScreen), "the outcome")
            await shown.press("escape")
            await shown.until(lambda: isinstance(app.screen, ProposalsScreen), "the proposal")
            await ready(shown)
            await shown.press("escape")
            await shown.until(lambda: len(answered) == 1, "the decision")
            assert isinstance(app.screen, ConversationScreen)
            await shown.press("ctrl+e")
            await shown.until(lambda: isinstance(app.screen, OutcomeScreen), "the outcome")
            await shown.press("escape")
            await shown.until(lambda: len(answered) == 2, "not asked again")
            assert isinstance(app.screen, ConversationScreen)
            await app.action_quit()


async def test_who_leaves_without_ending_it_is_asked_as_well(tmp_path: Path) -> None:
    app = BareApp(Setup(db=tmp_path / "s.db"))
    with Store.open(tmp_path / "s.db") as store:
        async with app.run_test(size=SMALL) as pilot:
            held = await held_with(store, bank(store))
            await app.push_screen(ConversationScreen().attach(held))
            app.leave_session()
            shown = Stage(app, pilot, held)
            await shown.until(lambda: isinstance(app.screen, ProposalsScreen), "the proposal")
            await app.action_quit()
        assert f"saber memory learn {held.log.session}" in app.exit_text
