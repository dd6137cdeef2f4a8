from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import pytest

from console import survey
from console.app import SaberApp
from console.catalogue import Roles
from console.screens.conversation import ConversationScreen
from console.screens.start import StartScreen
from console.setup import Setup
from console.widgets.choice import Choice
from console.widgets.picker import FREE, RolePreview, ScenarioPicker
from console.widgets.role_list import RoleList
from tests.console.stage import LARGE, SMALL, Stage, screen_text
from tests.effort import first
from tests.shared_data import TAU2, TAU2_RETAIL

needs_tau2 = pytest.mark.skipif(not TAU2_RETAIL.is_dir(), reason="needs τ²-bench's data")


@dataclass
class Choosing:
    """The start screen, driven by key and by mouse."""

    app: SaberApp
    stage: Stage

    @property
    def picker(self) -> ScenarioPicker:
        return self.app.screen.query_one(ScenarioPicker)

    @property
    def listed(self) -> RoleList:
        return self.app.screen.query_one(RoleList)

    @property
    def chosen(self) -> str | None:
        return None if self.picker.highlighted_role is None else self.picker.highlighted_role.id

    @property
    def titles(self) -> list[str]:
        return [line.title for line in self.listed.lines]

    @property
    def text(self) -> str:
        return " ".join(screen_text(self.app).split())

    async def shows(self, words: str) -> None:
        await self.stage.until(lambda: words in self.text, words, seconds=20)


@asynccontextmanager
async def choosing(setup: Setup, size: tuple[int, int] = SMALL) -> AsyncIterator[Choosing]:
    app = SaberApp(setup)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Choosing(app, Stage(app, pilot, None))  # type: ignore[arg-type]
        await app.action_quit()


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]))
async def test_what_is_typed_finds_a_role_and_enter_plays_it(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with choosing(Setup(db=tmp_path / "s.sqlite"), size) as start:
        await start.shows("26 ·")
        assert start.titles[0] == "Free play"
        assert start.chosen == "shoes-not-needed"
        await start.stage.press(*"clicky")
        await start.shows("1 of 26")
        await start.shows("You are Yusuf Rossi")
        await start.stage.press("enter")
        await start.stage.until(lambda: isinstance(start.app.screen, ConversationScreen))
        held = start.stage.screen.conversation
        assert held.scenario is not None
        assert held.scenario.id == "clicky-keyboard"


async def test_escape_shows_every_role_again_and_stays_on_the_one_that_was_chosen(
    tmp_path: Path,
) -> None:
    async with choosing(Setup(db=tmp_path / "s.sqlite")) as start:
        await start.shows("26 ·")
        await start.stage.press(*"clicky", "escape")
        await start.shows("26 ·")
        assert len(start.titles) == 27
        assert start.chosen == "clicky-keyboard"
        await start.stage.press("up", "up")
        assert start.picker.highlighted_role is FREE


async def test_after_a_session_the_words_and_the_role_are_as_they_were_left(tmp_path: Path) -> None:
    async with choosing(Setup(db=tmp_path / "s.sqlite")) as start:
        await start.shows("26 ·")
        await start.stage.press(*"cancel", "down", "down", "enter")
        await start.stage.until(lambda: isinstance(start.app.screen, ConversationScreen))
        scenario = start.stage.screen.conversation.scenario
        await start.stage.press("ctrl+n")
        await start.stage.until(lambda: isinstance(start.app.screen, StartScreen), seconds=20)
        start.picker.offer(survey.scenarios("retail", None))
        assert scenario is not None
        assert start.chosen == scenario.id
        assert len(start.titles) == 7


async def test_words_that_nothing_has_start_nothing(tmp_path: Path) -> None:
    async with choosing(Setup(db=tmp_path / "s.sqlite")) as start:
        await start.shows("26 ·")
        await start.stage.press(*"zzzz", "enter")
        await start.stage.until(lambda: start.text.count("No scenario matches") == 2)
        assert "nothing found" in start.text
        assert isinstance(start.app.screen, StartScreen)
        assert start.chosen is None
        assert "Nora" not in start.text
        assert start.text.count("You are") == 1  # the customer, as the first line says
        await start.stage.press("enter", *["backspace"] * 4, *"clicky")
        await start.shows("You are Yusuf Rossi")
        assert isinstance(start.app.screen, StartScreen)
        assert "No scenario matches" not in start.text
        assert "nothing found" not in start.text


async def test_while_the_roles_are_read_nothing_is_said_to_be_missing_and_nothing_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, may_read = survey.scenarios, Event()

    def read(domain: str, *where: Path | None) -> Roles:
        assert may_read.wait(30)
        return found(domain, *where)

    monkeypatch.setattr(survey, "scenarios", read)
    async with choosing(Setup(db=tmp_path / "s.sqlite")) as start:
        await start.stage.press(*"zclicky")
        for keys in ((), ("enter",)):
            await start.stage.press(*keys)
            assert start.text.count("one moment…") == 1  # on the edge of the list
            assert "nothing found" not in start.text
            assert "No scenario" not in start.text
            assert start.chosen is None
        await start.shows("are still loading")
        await start.stage.press("home", "delete")
        may_read.set()
        await start.shows("You are Yusuf Rossi")
        assert "one moment" not in start.text.lower()
        assert "nothing found" not in start.text
        assert isinstance(start.app.screen, StartScreen)


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]))
@pytest.mark.parametrize(
    ("domain", "name", "has", "known", "number"),
    [
        ("retail", "Nora Lindqvist", "orders: 1 deliv", "Your zip code is 55408.", 50),
        ("airline", "Chidi Okonkwo", "reservations: 1", "is chidi_okonkwo_5992.", 42),
    ],
)
async def test_free_play_lists_customers_to_be_and_the_conversation_tells_who_one_is(
    tmp_path: Path, size: tuple[int, int], domain: str, name: str, has: str, known: str, number: int
) -> None:
    async with choosing(Setup(domain, db=tmp_path / "s.sqlite"), size) as start:
        await start.stage.until(lambda: len(start.titles) > 10, "the roles", seconds=20)
        await start.stage.press("up")
        assert start.picker.highlighted_role is FREE
        await start.shows("choose whom to be")
        await start.stage.press("enter")
        await start.shows(f"{number} · the demo")
        assert start.titles[0] == "‹ All scenarios"
        assert start.picker.highlighted_role is start.listed.lines[1]
        await start.shows(f"{name} {has}")
        await start.stage.press(*name.split()[1].lower())
        await start.shows(known)
        await start.stage.press("enter")
        await start.stage.until(lambda: isinstance(start.app.screen, ConversationScreen))
        held = start.stage.screen.conversation
        assert held.scenario is None
        assert held.status.plays == start.app._start.setup.customer_id
        if size == SMALL:
            await start.shows(f"You are {name}. · free play")
            await start.stage.press("f7")
        await start.shows(f"☐ You are {name}.")
        await start.shows(known)
        assert "You want" not in start.text


async def test_escape_and_the_first_line_lead_from_the_customers_back_to_the_scenarios(
    tmp_path: Path,
) -> None:
    async with choosing(Setup(db=tmp_path / "s.sqlite")) as start:
        await start.shows("26 ·")
        for keys in (("escape",), ("up", "enter"), ("z", "z", "escape", "escape")):
            await start.stage.press("up")
            assert start.picker.highlighted_role is FREE
            await start.stage.press("enter")
            await start.shows("50 ·")
            await start.stage.press(*keys)
            await start.shows("26 ·")
            assert start.picker.highlighted_role is FREE
            await start.stage.press("down")
            assert start.chosen == "shoes-not-needed"
        await start.stage.press("up", "enter")
        await start.shows("50 ·")
        await start.stage.press(*"qqzz", "enter")
        await start.stage.until(lambda: start.text.count("No customer matches") == 2)
        assert isinstance(start.app.screen, StartScreen)


async def test_free_play_begins_at_once_where_the_records_do_not_say_who_the_customers_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(survey, "customers", lambda *where: Roles(""))
    async with choosing(Setup(db=tmp_path / "s.sqlite")) as start:
        await start.shows("26 ·")
        await start.stage.press("up", "enter")
        await start.stage.until(lambda: isinstance(start.app.screen, ConversationScreen))
        assert start.stage.screen.conversation.status.plays is None


async def test_another_model_by_name_leaves_its_example_and_the_safeguards_whole(
    tmp_path: Path,
) -> None:
    async with choosing(Setup(db=tmp_path / "s.sqlite")) as start:
        await start.shows("26 ·")
        model = start.app.screen.query_one("#model", Choice)
        await start.stage.until(lambda: len(model._options) > 1, "the models", seconds=20)
        model.focus()
        await start.stage.press("left")
        await start.shows("another, by name")
        assert "litellm name, e.g. openai/gpt-4o" in start.text
        for switch in ("gate", "reflection", "context", "policy"):
            assert f"[✓] {switch}" in start.text
        box = start.app.screen.query_one("#safeguards").region
        lines = screen_text(start.app).splitlines()
        assert lines[box.bottom - 1][box.x] == "╰"
        assert box.bottom <= start.app.screen.query_one("#role").region.y


async def test_a_click_chooses_and_a_double_click_starts(tmp_path: Path) -> None:
    async with choosing(Setup(db=tmp_path / "s.sqlite")) as start:
        await start.shows("26 ·")
        await start.stage.pilot.click("#scenarios", offset=(3, 2))
        await start.shows("You are Yusuf Rossi")
        assert isinstance(start.app.screen, StartScreen)
        assert start.app.focused is start.app.screen.query_one("#search")
        await start.stage.pilot.click("#scenarios", offset=(3, 3), times=2)
        await start.stage.until(lambda: isinstance(start.app.screen, ConversationScreen))
        held = start.stage.screen.conversation
        assert held.scenario is not None
        assert held.scenario.id == "jacket-second-thoughts"


async def test_the_roles_follow_the_domain_and_none_of_another_domain_can_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, may_read = survey.scenarios, Event()

    def read(domain: str, *where: Path | None) -> Roles:
        assert domain == "retail" or may_read.wait(30)
        return found(domain, *where)

    monkeypatch.setattr(survey, "domains", lambda: ["airline", "retail"])
    monkeypatch.setattr(survey, "scenarios", read)
    async with choosing(Setup(db=tmp_path / "s.sqlite")) as start:
        await start.shows("26 ·")
        await start.stage.press("down")
        assert start.chosen == "clicky-keyboard"
        choice = start.app.screen.query_one("#domain", Choice)
        await start.stage.until(lambda: len(choice._options) == 2, "two domains")
        choice.focus()
        await start.stage.press("left")
        assert choice.value == "airline"
        await start.shows("one moment")
        assert start.titles == ["Free play"]  # and nothing to begin with it yet
        assert start.picker.highlighted_role is None
        may_read.set()
        await start.stage.until(lambda: len(start.titles) > 10, "the airline's roles", seconds=20)
        airline = {line.id for line in found("airline", None).lines}
        assert start.picker.highlighted_role is start.listed.lines[1]
        start.app.screen.query_one("#search").focus()
        await start.stage.press("down")
        assert start.chosen in airline


@needs_tau2
async def test_a_folder_of_tau2_shows_its_tasks_and_gives_nothing_away(tmp_path: Path) -> None:
    setup = Setup(db=tmp_path / "s.sqlite", data=TAU2)
    async with choosing(setup, LARGE) as start:
        await start.shows("126 ·")
        await start.stage.press(*"59")
        await start.stage.until(lambda: start.chosen == "59")
        assert "You are Yusuf Taylor" in start.text
        roles = survey.scenarios("retail", TAU2)
        shown = "".join(str(line.role) + line.title + line.note for line in roles.lines)
        assert "modify_pending_order" not in shown
        assert "cancel_pending_order" not in shown


async def test_records_that_cannot_be_read_are_a_sentence_and_the_rest_is_offered(
    tmp_path: Path,
) -> None:
    (tmp_path / "retail").mkdir()
    (tmp_path / "retail" / "db.json").write_text("{")
    setup = Setup(db=tmp_path / "s.sqlite", data=tmp_path)
    async with choosing(setup) as start:
        await start.shows("is not valid JSON")
        model = start.app.screen.query_one("#model", Choice)
        await start.stage.until(lambda: len(model._options) > 1, "the models", seconds=20)
        assert start.titles == ["Free play"]


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]))
async def test_tab_reaches_the_role_and_the_arrows_scroll_it(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with choosing(Setup(db=tmp_path / "s.sqlite"), (size[0], 24)) as start:
        await start.shows("26 ·")
        await start.stage.press(*"clicky", "tab")
        role = start.app.screen.query_one(RolePreview)
        assert start.app.focused is role
        assert role.max_scroll_y > 0
        await start.stage.press(*["down"] * 30)
        await start.shows("Chatty; you mention the fallback")


async def test_an_empty_file_keeps_no_roles_from_the_start_screen(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    path.touch()
    async with choosing(Setup(db=path)) as start:
        await start.shows("26 ·")
        await start.shows("holds no sessions yet")


async def test_a_file_of_a_newer_program_is_a_sentence_on_the_start_screen(tmp_path: Path) -> None:
    from sqlite3 import connect

    from sessions.store.store import Store

    path = tmp_path / "s.sqlite"
    Store.open(path).close()
    with connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    before = path.read_bytes()
    async with choosing(Setup(db=path)) as start:
        await start.shows("26 ·")
        await start.stage.press("enter")
        await start.shows("was written by a newer version of this program")
        assert isinstance(start.app.screen, StartScreen)
    assert path.read_bytes() == before
