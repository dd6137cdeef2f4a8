from __future__ import annotations

import threading
from pathlib import Path

import pytest

from console import survey
from console.browser.browsing import PAGE, PageRequest, SessionFile
from console.browser.session_request import SessionRequest
from console.screens.browser import BrowserScreen
from console.screens.compare import CompareScreen
from console.screens.conversation import ConversationScreen
from console.screens.dialogs import PickDialog
from console.screens.replay import ReplayScreen
from console.screens.start import StartScreen
from console.widgets.key_line import KeyLine
from console.widgets.session_list import SessionList
from sessions.events import CustomerSaid, Labelled
from sessions.store.finding import Page
from sessions.store.store import Store
from tests.console.browser.browser_app import AFTER, ENDED, Browser, browser, opened
from tests.console.conversation.test_hostile_text import FORBIDDEN, HOSTILE
from tests.console.stage import LARGE, SMALL
from tests.effort import first
from tests.sessions.toy import started


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])
async def test_sessions_are_listed_and_the_highlighted_one_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    async with browser(tmp_path, monkeypatch, size=size) as on:
        assert on.domains == AFTER
        await on.shows("1 of 4 · newest first")
        await on.shows("2 turns · 1 card · 1 write")
        assert "✓" in on.text()
        assert "✗" in on.text()
        assert "●" in on.text()
        await on.press("down", "down")
        await on.shows("labels: 1 unclear · tags: odd one · on: reflection, policy_on_card")
        await on.shows("3 of 4")
        assert max(map(len, on.text().splitlines())) <= size[0]
        on.app.screen.query_one(KeyLine)
        await on.shows("esc Leave")
        await on.press("escape")
        await on.on(StartScreen)


async def test_words_are_searched_as_they_are_typed_and_marked_where_they_were_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        await on.types(*"return")
        await on.until(lambda: on.domains == ["toy"])
        await on.shows("agent: It is returned, in one piece.")
        assert underlined(on) == ["returned"]
        await on.press("enter")
        await on.until(lambda: on.found.has_focus)
        assert on.line.value == "return"


def underlined(on: Browser) -> list[str]:
    strips = on.app.screen._compositor.render_strips()
    return [s.text for strip in strips for s in strip if s.style and s.style.underline]


FILTERS = [
    ("domain:air", ["air"]),
    ("model:scripted", ["jars", "jars"]),
    ("scenario:one", ["toy"]),
    ("until:2020-01-01", []),
    ("since:2020-01-01 until:2099-01", AFTER),
    ("result:right", ["toy"]),
    ("result:open", ["jars"]),
    ("label:unclear", ["air"]),
    ("run:none ", []),
    ('tag:"odd one"', ["air"]),
    ("on:gate on:context", ["toy"]),
    ("off:gate", ["air"]),
    ("mug result:wrong", []),
    ("mug result:right", ["toy"]),
    ("sort:oldest", AFTER[::-1]),
    ("red sort:oldest", ["jars", "jars"]),
]
"""Lines and what they leave, no two alike one after the other: each is seen to change the list."""


async def test_a_letter_that_is_no_key_of_the_list_begins_a_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        await on.press(*"mug")
        await on.until(lambda: on.domains == ["toy"])
        assert (on.line.has_focus, on.line.value) == (True, "mug")
        await on.press("enter")
        await on.until(lambda: on.found.has_focus)
        await on.press("j", "space")
        assert (on.found.has_focus, on.line.value) == (True, "mug")
        await on.press("s")
        await on.until(lambda: on.line.value == "mugs")


async def test_filters_narrow_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        for line, domains in FILTERS:
            assert on.domains != domains
            await on.finds(line, domains)
            if not domains:
                await on.shows("No sessions match.")


async def test_what_there_is_no_filter_for_is_said_and_the_list_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        await on.finds("domain:air", ["air"])
        on.line.write("domain:air colour:red")
        await on.shows("There is no colour: filter.")
        assert on.domains == ["air"]
        on.line.write("result:")
        await on.shows("result: is right, wrong, open or unscored.")
        await on.until(lambda: on.domains == AFTER)


async def test_tab_writes_out_what_is_begun_and_letters_are_letters_in_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        await on.until(lambda: on.screen._known)
        await on.types(*"mod", "tab", "g", "tab")
        await on.until(lambda: on.line.value == "model:gpt-4o")
        await on.until(lambda: on.domains == ["air"])
        assert "Delete" not in on.text()
        await on.press("space", "d", "r", "c")
        await on.until(lambda: on.line.value == "model:gpt-4o drc")
        await on.press("tab")
        await on.until(lambda: on.found.has_focus)


async def test_filters_are_picked_from_lists_and_the_order_is_turned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        await on.press("a")
        await on.on(PickDialog)
        await on.shows("the domain it was held in")
        await on.press(*["down"] * 6, "enter")
        await on.shows("unscored")
        await on.press("down", "enter")
        await on.on(BrowserScreen)
        await on.until(lambda: on.line.value == "result:wrong")
        await on.until(lambda: on.domains == ["jars", "air"])
        await on.press("o")
        await on.until(lambda: on.domains == ["air", "jars"])
        assert on.line.value == "result:wrong sort:oldest"
        await on.shows("oldest first")
        await on.press("o")
        await on.until(lambda: on.line.value == "result:wrong")


async def many(store: Store) -> None:
    for number in range(130):
        session = store.start(started(domain=f"d{number}"))[0].session
        store.append(session, [CustomerSaid(text=f"mug number {number}", turn=1)])


async def test_the_next_page_is_read_when_the_end_comes_near_and_only_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = [f"d{number}" for number in range(130)]
    async with browser(tmp_path, monkeypatch, many) as on:
        for line in ("", "mug", "sort:oldest", "mug sort:oldest"):
            await reads_to_the_end(on, line, every if "oldest" in line else every[::-1])


async def reads_to_the_end(on: Browser, line: str, order: list[str]) -> None:
    """Write a line, and go down its list of three pages."""
    on.line.write(line)
    await on.until(lambda: on.domains == order[:PAGE])
    await on.until(lambda: ("customer:" in on.text()) == ("mug" in line))
    await on.until(lambda: f"1 of {PAGE}+" in on.text())
    await on.press("end")
    await on.until(lambda: on.domains == order[: 2 * PAGE])
    assert on.found.row
    assert on.found.row.domain == order[PAGE - 1]
    await on.press("end")
    await on.until(lambda: on.domains == order)
    await on.press("end")
    await on.shows("130 of 130 ·")


async def test_a_page_of_which_nothing_can_be_shown_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch, many) as on:
        page = SessionFile.page

        def damaged(file: SessionFile, asked: PageRequest) -> Page:
            found = page(file, asked)
            first = asked.wanted.words and asked.before is None
            return Page((), found.next) if first else found

        monkeypatch.setattr(SessionFile, "page", damaged)
        on.line.write("mug")
        order = [f"d{number}" for number in range(130)][::-1]
        await on.until(lambda: on.domains == order[PAGE : 2 * PAGE])


async def test_an_unfinished_session_is_gone_on_with_and_another_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        await on.press("down", "enter")
        await on.on(ReplayScreen)
        await on.press("escape")
        await on.on(BrowserScreen)
        await on.press("up", "r")
        await on.on(ReplayScreen)
        await on.press("escape")
        await on.on(BrowserScreen)
        wanted = on.here
        await on.press("enter")
        await on.on(ConversationScreen)
        assert on.app.conversation_screen
        assert on.app.conversation_screen.conversation.log.session == wanted


async def test_a_marked_session_is_set_against_another_and_a_mark_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        await on.press("c")
        await on.shows("◆ is marked: c on another compares the two")
        await on.press("c")
        await on.until(lambda: "◆" not in on.text())
        await on.press("c", "down", "c")
        await on.on(CompareScreen)
        await on.shows("They diverge in turn 3")
        await on.press("escape")
        await on.on(BrowserScreen)


async def test_a_session_is_forked_from_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        await on.press("f")
        await on.on(PickDialog)
        await on.press("enter")
        await on.on(ConversationScreen)


async def test_a_session_is_deleted_after_a_yes_and_not_after_a_no(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        await on.press("down")
        await on.until(lambda: on.found.highlighted == 1)
        gone = on.here
        for keys in (("enter",), ("escape",)):
            await on.press("d")
            await on.on(PickDialog)
            await on.shows("Yes, delete “I am Ann” and its whole log")
            await on.press(*keys)
            await on.on(BrowserScreen)
        with Store.open(on.db, read_only=True) as store:
            assert store.session(gone)
            assert len(on.found.rows) == 4
        await on.press("d")
        await on.on(PickDialog)
        await on.press("down", "enter")
        await on.until(
            lambda: gone not in [row.id for row in on.app.screen.query_one(SessionList).rows]
        )
        await on.shows("2 of 3")
        with Store.open(on.db, read_only=True) as store:
            assert gone not in [row.id for row in store.sessions()]


async def test_from_a_conversation_its_own_session_is_not_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        await on.press("enter")
        await on.on(ConversationScreen)
        titles = [each.title for each in on.app.get_system_commands(on.app.screen)]
        assert "Sessions…" in titles
        on.app.post_message(SessionRequest("browse"))
        await on.on(BrowserScreen)
        await on.until(lambda: on.found.rows)
        await on.press("d")
        await on.told("This session is open: leave it before you delete it.")
        assert len(on.found.rows) == 4


async def test_the_command_that_exports_a_session_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch, size=LARGE) as on:
        await on.press("e")
        await on.until(lambda: f"--session {on.here}" in on.app.clipboard)
        await on.shows("saber export html")


async def test_an_empty_store_says_what_to_do(tmp_path: Path) -> None:
    async with opened(tmp_path / "none.sqlite") as on:
        await on.shows("Nothing has been recorded yet. Press esc, choose a role and an agent")
        await on.press("enter", "r", "c", "d", "down", "end")
        assert isinstance(on.app.screen, BrowserScreen)
    assert not (tmp_path / "none.sqlite").exists()


async def test_a_damaged_file_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "s.sqlite").write_bytes(b"not a database" * 100)
    async with opened(tmp_path / "s.sqlite") as on:
        await on.shows("is not a session file: it is not an SQLite database.")
        await on.types("a", "enter")
        await on.shows("is not a session file: it is not an SQLite database.")


async def test_a_file_that_is_damaged_meanwhile_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        on.db.write_bytes(b"\xff" * 8192)
        on.line.write("mug")
        await on.shows("is not a session file: it is not an SQLite database.")


async def test_a_newer_file_is_listed_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def newer(path: Path) -> tuple[str, ...]:
        return (f"{path.name} was written by a newer version of this program.",)

    monkeypatch.setattr("sessions.store.store.check_reader", newer)
    async with browser(tmp_path, monkeypatch) as on:
        await on.told("was written by a newer version of this program.")
        assert on.domains == AFTER


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_text_is_harmless_in_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    async def hostile(store: Store) -> None:
        begun = started(domain=text or "x", scenario=text, model=text)
        session = store.start(begun)[0].session
        store.append(session, [CustomerSaid(text=f"refund {text}", turn=1)])
        store.append(session, [Labelled(verdict="wrong", tags=(text,), by=text)])

    async with browser(tmp_path, monkeypatch, hostile) as on:
        await on.finds("refund", [on.domains[0]])
        await on.shows("customer:")
        await on.press("a")
        await on.on(PickDialog)
        await on.press("enter")
        await on.shows("or type it")
        assert not FORBIDDEN.search(on.text().replace("\n", ""))
        await on.press("escape")
        await on.on(BrowserScreen)
        on.line.focus()
        on.line.write("domain:")
        await on.shows("the domain it was held in")
        assert not FORBIDDEN.search(on.text().replace("\n", ""))
        on.line.write("refund")
        on.found.focus()
        await on.press("d")
        await on.on(PickDialog)
        assert not FORBIDDEN.search(on.text().replace("\n", ""))


def test_the_start_screen_is_told_of_the_unfinished_session_that_was_used_last(
    tmp_path: Path,
) -> None:
    db = tmp_path / "sessions.sqlite"
    assert survey.latest_unfinished(db) is None
    with Store.open(db) as store:
        first, second = (store.start(started())[0].session for _ in range(2))
        assert survey.latest_unfinished(db) is None
        for session in (first, second):
            store.append(session, [CustomerSaid(text="hello", turn=1)])
        store.append(second, [ENDED])
    latest = survey.latest_unfinished(db)
    assert latest is not None
    assert latest.id == first


async def test_no_key_waits_for_the_file_and_of_what_is_asked_meanwhile_the_last_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(tmp_path, monkeypatch) as on:
        asked: list[str] = []
        may_go_on = threading.Event()
        page = SessionFile.page

        def held_up(file: SessionFile, wanted: PageRequest) -> Page:
            asked.append(wanted.wanted.words)
            may_go_on.wait(30)
            return page(file, wanted)

        monkeypatch.setattr(SessionFile, "page", held_up)
        try:
            await on.types(*"return")
            await on.until(lambda: on.line.value == "return")
            await on.press("enter")
            await on.until(lambda: on.found.has_focus)
            await on.press("down")
            await on.until(lambda: on.found.highlighted == 1)
            assert on.domains == AFTER
        finally:
            may_go_on.set()
        await on.until(lambda: on.domains == ["toy"])
        await on.until(lambda: not on.screen._reader.busy)
        assert asked[1:] == ["return"]
