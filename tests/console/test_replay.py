from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from agent.session.replay import Replay
from console.browser.histories import fork_options, read_fork_option
from console.browser.session_request import SessionRequest
from console.panes.side import SidePanes
from console.screens.conversation import ConversationScreen
from console.screens.dialogs import PickDialog
from console.screens.replay import SPEEDS, ReplayScreen
from console.setup import Setup
from console.widgets.composer import Composer
from console.widgets.replay_card import ReplayCard
from console.widgets.replay_line import ReplayLine
from console.widgets.replay_transcript import ReplayTranscript
from console.widgets.transcript import STEP, WINDOW
from sessions.events import (
    AgentSaid,
    ContextAssembled,
    CustomerSaid,
    DecisionMade,
    Logged,
    Safeguards,
    SessionStarted,
    WriteApplied,
)
from tests.agent.recorded import Turn, recorded
from tests.console.stage import LARGE, SMALL, BareApp, QuietApp, screen_text
from tests.effort import first
from tests.toy import toy_domain

STORY: tuple[Turn, ...] = (("red", "approve", 3), ("blue", "reject: too many", 2))
SIZES = pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])


class Shown:
    """The replay screen under test."""

    def __init__(self, app: QuietApp, pilot: Pilot[str], screen: ReplayScreen) -> None:
        self.app, self.pilot, self.screen = app, pilot, screen

    @property
    def replay(self) -> Replay:
        return self.screen.replay

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    def text(self) -> str:
        return screen_text(self.app)

    async def at(self, place: int) -> str:
        await self.screen.go_to(place)
        for _ in range(3):  # panes draw after a refresh, and scroll after another
            await self.pilot.pause(0.01)
        return self.text()


@asynccontextmanager
async def shown(
    log: Sequence[Logged], size: tuple[int, int] = LARGE, place: int = 1, folder: Path | None = None
) -> AsyncIterator[Shown]:
    app = (QuietApp if folder else BareApp)(
        Setup(db=(folder or Path("/nonexistent")) / "sessions.sqlite")
    )
    async with app.run_test(size=size, notifications=True) as pilot:
        replay = Replay(toy_domain(), log, toy_domain().scenario("three-from-red"))
        replay.go_to(place)
        screen = ReplayScreen(replay)
        await app.push_screen(screen)
        await pilot.pause()
        yield Shown(app, pilot, screen)


def place_of(log: Sequence[Logged], kind: type) -> int:
    return next(each.seq for each in log if isinstance(each.event, kind))


@SIZES
async def test_keys_go_on_and_back_and_show_what_had_been_said_by_then(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    log = await recorded(tmp_path, STORY)
    async with shown(log, size) as held:
        assert "How can I help" not in held.text()
        await held.press("right")
        assert "How can I help" in held.text()
        assert f"2/{len(log)}" in held.text()
        await held.press("right")
        assert "I am Ann" in held.text()
        await held.press("left")
        assert "I am Ann" not in held.text()
        await held.press("end")
        assert f"{len(log)}/{len(log)}" in held.text()
        await held.press("home")
        assert f"1/{len(log)}" in held.text()


@SIZES
async def test_a_card_is_shown_as_it_stood_and_then_with_its_word(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    log = await recorded(tmp_path, STORY)
    async with shown(log, size) as held:
        await held.press("c")
        assert "Take 3 coins out of the jar red." in held.text()
        assert "waiting for the customer's decision" in held.text()
        assert "jar red: 10 → 7 coins" in held.text()
        await held.press("right")
        assert "not carried out yet" in held.text()
        assert "waiting for the customer" not in held.text()
        await held.press("w")
        assert "✓ approved by you · after 0.7 s" in held.text()
        await held.press("right")
        assert not held.screen.query_one(ReplayCard).display
        await held.press("c", "right")
        assert "✗ declined by you: too many" in held.text()
        await held.press("C")
        assert "Take 2 coins out of the jar blue." in held.text()
        assert "waiting for the customer's decision" in held.text()


async def test_the_card_cannot_be_decided_here(tmp_path: Path) -> None:
    log = await recorded(tmp_path, STORY)
    async with shown(log) as held:
        await held.press("c")
        before = held.text()
        await held.press("a", "r", "y", "enter")
        assert held.text() == before
        await held.press("x")
        assert '"coins": 3' in held.text()


async def test_next_stops_at_the_last_and_says_so(tmp_path: Path) -> None:
    log = await recorded(tmp_path, STORY)
    async with shown(log) as held:
        await held.press("w", "w")
        assert held.replay.place == place_of(log, WriteApplied)
        assert "There is no write after this." in held.text()
        await held.press("W")
        assert "There is no write before this." in held.text()


async def test_having_gone_back_the_screen_is_as_if_one_had_never_gone_on(tmp_path: Path) -> None:
    log = await recorded(tmp_path, STORY[:1], end=True)
    for pane in ("f4", "f5"):
        async with shown(log) as held:
            await held.press(pane)
            fresh = []
            for place in range(1, len(log) + 1):
                fresh.append(await held.at(place))
            for place in range(len(log) - 1, 0, -2 if pane == "f4" else -3):
                assert await held.at(place) == fresh[place - 1], (pane, place)


async def test_the_records_are_those_of_the_moment(tmp_path: Path) -> None:
    log = await recorded(tmp_path, STORY)
    async with shown(log) as held:
        written = place_of(log, WriteApplied)
        coins = []
        for place in (len(log), written - 1, written, 1):
            await held.at(place)
            record = held.screen.query_one(SidePanes).pane.conversation.records.get("jars", "red")
            assert record is not None
            coins.append(record["coins"])
        assert coins == [7, 10, 7, 10]


async def test_the_trace_loses_its_lines_again(tmp_path: Path) -> None:
    log = await recorded(tmp_path, STORY)
    async with shown(log) as held:
        await held.press("f5")
        assert "write_applied" in await held.at(len(log))
        back = await held.at(3)
        assert "write_applied" not in back
        assert "customer_said" in back


def timed(log: Sequence[Logged], seconds: Sequence[int]) -> list[Logged]:
    """The same events at these seconds of one minute, and of the next."""
    return [
        each.model_copy(update={"at": f"2026-01-01T00:{at // 60:02}:{at % 60:02}"})
        for each, at in zip(log, seconds, strict=False)
    ]


def long_log(turns: int) -> list[Logged]:
    domain = toy_domain()
    started = SessionStarted(
        domain="jars", source="toy", model="clerk", safeguards=Safeguards(), program="1",
        policy_digest="p", tools_digest="t", records_digest=domain.records().digest,
        scenario="three-from-red",
    )  # fmt: skip
    events: list[object] = [started]
    for turn in range(1, turns + 1):
        events.append(CustomerSaid(text=f"question {turn}", turn=turn))
        events.append(
            ContextAssembled(turn=turn, blocks=turn, budget=1, tokens=1, retrieval="recent")
        )
        events.append(AgentSaid(text=f"answer {turn}"))
    return [
        Logged(session="s", seq=seq, at="2026-01-01T00:00:00", event=event, hash="")  # type: ignore[arg-type]
        for seq, event in enumerate(events, 1)
    ]


@SIZES
async def test_a_long_session_is_a_bounded_window_wherever_one_is(size: tuple[int, int]) -> None:
    log = long_log(400)
    async with shown(log, size) as held:
        transcript = held.screen.query_one(ReplayTranscript)
        for place in (len(log), 3, 700, 699, 690, 400, 1201, 1180):
            await held.at(place)
            assert len(transcript.rows) <= WINDOW + STEP
            assert len(transcript.rows) == transcript._last - transcript._first
            assert transcript._last == len(held.replay.items)
            said = held.replay.items[-1]
            assert getattr(said, "text", "") in held.text()
        for _ in range(25):
            await held.press("left")
        assert "answer" in held.text()
        assert len([line for line in held.text().splitlines() if "question" in line]) >= 2


async def test_it_plays_to_the_end_and_stops_there(tmp_path: Path) -> None:
    log = timed(await recorded(tmp_path, STORY), range(99))
    async with shown(log) as held:
        await held.press(*["plus"] * len(SPEEDS))
        await held.screen.action_play()  # not the key: by its return all may have been played
        assert held.screen.playing
        assert f"▶ ×{SPEEDS[-1]}" in str(held.screen.query_one(ReplayLine).render())
        for _ in range(1000):
            await held.pilot.pause(0.02)
            if not held.screen.playing:
                break
        await held.pilot.pause()
        assert held.replay.place == len(log)
        assert f"⏸ ×{SPEEDS[-1]}" in held.text()


async def test_a_pause_lasts_as_long_as_it_did_within_bounds_and_by_the_speed() -> None:
    log = timed(long_log(2), [0, 0, 10, 11, 9, 9, 9])
    async with shown(log, place=2) as held:
        assert held.screen._seconds() == 4.0
        held.screen.action_speed(1)
        assert held.screen._seconds() == 2.0
        await held.at(4)
        assert held.screen._seconds() == 0.0
        await held.at(len(log))
        assert held.screen._seconds() is None


async def test_a_step_pauses(tmp_path: Path) -> None:
    log = await recorded(tmp_path, STORY)
    async with shown(log) as held:
        await held.press("space")
        await held.press("right")
        assert not held.screen.playing
        place = held.replay.place
        await held.pilot.pause(0.2)
        assert held.replay.place == place


async def test_a_fork_from_the_replay_opens_with_the_words_to_change(tmp_path: Path) -> None:
    log = await recorded(tmp_path, STORY)
    second = [each.seq for each in log if isinstance(each.event, CustomerSaid)][1]
    async with shown(log, place=second - 1, folder=tmp_path) as held:
        asked: list[SessionRequest] = []
        held.app._histories.follow = lambda wanted: _noted(asked, wanted)  # type: ignore[method-assign]
        await held.press("f")
        await held.pilot.pause()
        (wanted,) = asked
        assert (wanted.what, wanted.at) == ("fork", second - 1)
        assert wanted.session == log[0].session
        assert wanted.draft == "3 from red"


async def _noted(asked: list[SessionRequest], wanted: SessionRequest) -> None:
    asked.append(wanted)


async def test_a_fork_is_opened_in_place_of_the_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions.scoring.sources.load_domain_of_session", lambda *_: toy_domain())
    log = await recorded(tmp_path, STORY)
    before = place_of(log, DecisionMade) - 1
    async with shown(log, place=before, folder=tmp_path) as held:
        engine_model(monkeypatch)
        await held.press("f")
        await until(held, lambda: isinstance(held.app.screen, PickDialog))
        await held.press("enter")
        await until(held, lambda: isinstance(held.app.screen, ConversationScreen))
        screen = held.app.conversation_screen
        assert screen is not None
        await until(held, lambda: "Take 3 coins" in held.text())
        assert screen.conversation.log.session != log[0].session
        assert screen.conversation.status.waiting_card is not None
        assert not any(isinstance(each, ReplayScreen) for each in held.app.screen_stack)
        assert screen.query(Composer)
        await held.app.action_quit()


def engine_model(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.agent.scripted import ScriptedModel

    monkeypatch.setattr(
        "console.conversation.engine.make_model", lambda name: ScriptedModel(name=name)
    )


async def until(held: Shown, holds: object, seconds: float = 10) -> None:
    for _ in range(int(seconds / 0.05)):
        if holds():  # type: ignore[operator]
            return
        await held.pilot.pause(0.05)
    raise AssertionError(held.text())


def test_a_fork_is_offered_as_it_was_or_with_one_safeguard_the_other_way() -> None:
    guards = Safeguards(context=False)
    options = dict(fork_options("clerk", guards))
    assert options["same"] == "unchanged: clerk"
    assert options["switch gate"] == "with gate off"
    assert options["switch context"] == "with context on"
    assert read_fork_option("same", guards) == (None, {})
    assert read_fork_option("switch context", guards) == (None, {"context": True})
    assert read_fork_option("clerk+wrong-item", guards) == ("clerk+wrong-item", {})


@SIZES
async def test_escape_closes_the_pane_over_the_conversation_and_then_leaves(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    log = await recorded(tmp_path, STORY)
    async with shown(log, size) as held:
        await held.press("f3")
        if size == SMALL:
            assert held.screen.has_class("-side-open")
            await held.press("escape")
            assert not held.screen.has_class("-side-open")
            assert held.app.screen is held.screen
        await held.press("escape")
        assert held.app.screen is not held.screen


def test_stepping_through_ten_thousand_events_does_not_grow_with_the_log() -> None:
    import time

    log = long_log(3400)
    replay = Replay(toy_domain(), log)
    begun = time.process_time()
    replay.go_to(len(log))
    for place in range(len(log), len(log) - 500, -1):
        replay.go_to(place)
    assert time.process_time() - begun < 5
