from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.session.conversation import Conversation
from agent.session.replay import Replay
from console import cli, opening
from console.conversation.card_slot import AFTER_CHECK
from console.screens.replay import ReplayScreen
from console.setup import Setup, Switches
from console.widgets.card import TITLE, CardView
from sessions.events import (
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    Safeguards,
    SafeguardsChanged,
)
from sessions.store.store import Store
from sessions.views import AttentionCheck, transcript
from tests.agent.held import conversation
from tests.agent.scripted import ScriptedModel, ScriptedOperator, call
from tests.console.stage import LARGE, PLAIN, SMALL, BareApp, Stage, screen_text, stage
from tests.effort import first
from tests.toy import toy_domain

CHECKED = PLAIN.model_copy(update={"attention_checks": 1.0})
BLUE = call("take", jar="blue", coins=3)
SIZES = pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["small", "large"])
WARNING = "Attention checks are on"


def check(held: Stage) -> AttentionCheckShown:
    return next(event for event in held.events if isinstance(event, AttentionCheckShown))


async def told(held: Stage) -> str:
    """What the latest row about a check says, however it is broken into lines."""
    await held.until(lambda: held.screen.query(".row.-check"), "the row about the check")
    items = transcript(held.held.log.events)
    return [item for item in items if isinstance(item, AttentionCheck)][-1].text


async def next_card(held: Stage, before: CardView) -> CardView:
    await held.until(lambda: held.card is not None and held.card is not before, "the next card")
    return await held.ready_card()


@SIZES
async def test_a_check_looks_like_any_card_and_is_told_at_once_and_then_the_true_one_comes(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with stage(tmp_path, BLUE, "Done.", size=size, safeguards=CHECKED) as held:
        assert WARNING in held.text()
        await held.say("three coins please")
        first = await held.ready_card()
        assert first.border_title == TITLE
        assert first.card == check(held).card
        assert "was an attention check" not in held.text()
        assert "turns with a card 100%" in held.text()
        await held.press("a")
        true = await next_card(held, first)
        assert true.card.arguments == {"jar": "blue", "coins": 3}
        await held.shows(AFTER_CHECK)
        assert (await told(held)).endswith(
            "You approved it. Nothing was carried out; the check is over."
        )
        assert "Take 3 coins out of the jar blue." in held.text()
        await held.press("a")
        await held.idle()
        await held.shows("✓ approved by you")
        await held.shows("That card was an attention check")
        assert f"it deliberately said {check(held).altered}." in await told(held)
        assert held.held.records.get("jars", "blue") == {"coins": 7}


async def test_a_question_about_a_check_is_answered_by_no_model_and_it_goes_on_waiting(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(BLUE, "Done.")
    async with stage(tmp_path, model=model, safeguards=CHECKED) as held:
        await held.say("three coins please")
        first = await held.ready_card()
        await held.answer("k", "why")
        await held.shows("Everything known about this change is on the card")
        assert await held.ready_card() is first
        assert "That card was an attention check" not in held.text()
        await held.answer("r", "no")
        await next_card(held, first)
        await held.shows("That card was an attention check")
        assert len(model.requests) == 1
        await held.press("a")
        await held.idle()
        assert held.held.records.get("jars", "blue") == {"coins": 7}


async def test_a_check_is_not_in_the_trace_before_it_is_decided(tmp_path: Path) -> None:
    async with stage(tmp_path, BLUE, "Done.", safeguards=CHECKED) as held:
        await held.press("f5")
        await held.say("three coins please")
        first = await held.ready_card()
        await held.shows("model_answered")
        assert "attention_check" not in held.text()
        await held.answer("r")
        await next_card(held, first)
        await held.shows("attention_check_shown")
        await held.shows("attention_check_decided")


async def test_a_check_that_was_left_looks_like_any_card_and_is_taken_up_like_one(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, BLUE, "Done.", safeguards=CHECKED) as held:
        await held.say("three coins please")
        await held.ready_card()
        await held.press("escape")
        await held.idle()
        await held.shows("Go back to the card")
        await held.shows("not decided, so nothing was changed")
        assert "was an attention check" not in held.text()
        await held.shows("turns with a card 100%")
        await held.press("f5")
        assert "attention_check" not in held.text()
        await held.press("ctrl+r")
        await held.ready_card()
        await held.answer("r", "not those")
        await held.shows("That card was an attention check")
        assert (await held.ready_card()).card.arguments["jar"] == "blue"


async def test_a_check_that_was_left_is_told_once_the_customer_speaks_of_something_else(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, BLUE, "As you like.", safeguards=CHECKED) as held:
        await held.say("three coins please")
        await held.ready_card()
        await held.press("escape")
        await held.idle()
        await held.say("never mind")
        await held.shows("The card that you left was an attention check")
        await held.shows("As you like.")
        assert "card_shown" not in [event.type for event in held.events]


async def test_a_check_that_waited_stands_there_again_when_the_session_is_taken_up(
    tmp_path: Path,
) -> None:
    up = asyncio.Event()

    async def hang(card: Card) -> None:
        up.set()
        await asyncio.sleep(3600)

    turns: list[asyncio.Task[None]] = []

    async def left_waiting(held: Conversation) -> None:
        """As a program leaves it that is killed: the check is shown, and nothing follows."""
        person, held.operator = held.operator, ScriptedOperator(meanwhile=hang)
        append = held.log.append

        async def lost(*wanted: object) -> list[object]:
            if any(isinstance(each, AttentionCheckDecided) for each in wanted):
                return []
            return await append(*wanted)  # type: ignore[arg-type, return-value]

        held.log.append = lost  # type: ignore[method-assign, assignment]
        turns.append(asyncio.create_task(held.say("three coins please")))
        await up.wait()
        turns[0].cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await turns[0]
        held.log.append = append  # type: ignore[method-assign]
        held.operator = person

    async with stage(tmp_path, BLUE, "Done.", safeguards=CHECKED, prepare=left_waiting) as held:
        card = await held.ready_card()
        assert card.card == check(held).card
        await held.press("a")
        await next_card(held, card)
        assert "You approved it." in await told(held)
        assert sum(isinstance(each, AttentionCheckShown) for each in held.events) == 1


async def test_who_switches_checks_on_is_warned_then(tmp_path: Path) -> None:
    async with stage(tmp_path, "Hello.") as held:
        assert WARNING not in held.text()
        await held.held.change_safeguards(CHECKED)
        await held.shows(WARNING)
        await held.shows("attention checks 100%")
        await held.held.change_safeguards(PLAIN)
        await held.shows("attention checks off")


async def test_a_replay_shows_the_check_and_then_what_it_was(tmp_path: Path) -> None:
    operator = ScriptedOperator("reject: no", "approve")
    async with conversation(
        tmp_path, ScriptedModel(BLUE, "Done."), operator, safeguards=CHECKED
    ) as held:
        await held.say("three coins please")
        log = held.log.events
    wrong, true = operator.cards
    app = BareApp(Setup(db=tmp_path / "none.sqlite"))
    async with app.run_test(size=LARGE) as pilot:
        replay = Replay(toy_domain(), log)
        replay.go_to(next(each.seq for each in log if each.event.type == "attention_check_shown"))
        await app.push_screen(ReplayScreen(replay))
        await pilot.pause()
        assert wrong.after[0] in screen_text(app)
        await pilot.press("right")
        await pilot.pause()
        assert "That card was an attention check" in screen_text(app)
        assert "saw it." in screen_text(app)
        await pilot.press("right")
        await pilot.pause()
        assert true.after[0] in screen_text(app)


def test_the_share_is_set_on_the_command_line_and_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[Setup] = []
    monkeypatch.setattr(opening, "open_app", lambda setup, *, begin: opened.append(setup))
    for command in (["--attention-checks", "0.2"], ["play", "--attention-checks", "0.2"]):
        assert CliRunner().invoke(cli.saber, command).exit_code == 0
    assert [setup.switches for setup in opened] == [Switches(attention_checks=0.2)] * 2
    fork = ["play", "--fork", "01X", "--attention-checks", "0.5"]
    assert CliRunner().invoke(cli.saber, fork).exit_code == 0
    assert opened[-1].fork is not None
    assert opened[-1].fork.switches == {"attention_checks": 0.5}
    refused = CliRunner().invoke(cli.saber, ["play", "--attention-checks", "2"])
    assert refused.exit_code == 2


def test_a_headless_run_plants_checks_and_its_exports_leave_them_out_or_mark_them(
    tmp_path: Path,
) -> None:
    db = tmp_path / "sessions.sqlite"
    run = ["run", "--tasks", "clicky-keyboard", "--attention-checks", "1", "--db", str(db)]
    assert CliRunner().invoke(cli.saber, run).exit_code == 0
    with Store.open(db) as store:
        (row,) = store.sessions()
        log = [logged.event for logged in store.read(row.id)]
    assert (row.cards, row.writes) == (sum(isinstance(each, CardShown) for each in log), 1)
    assert sum(isinstance(each, AttentionCheckShown) for each in log) == 1
    for form, said in (
        ("preference", "1 attention checks"), ("sft", "1 attention checks"),
        ("agentack", "1 attention checks"), ("html", "A page"),
    ):  # fmt: skip
        out = tmp_path / form
        done = CliRunner().invoke(cli.saber, ["export", form, "--out", str(out), "--db", str(db)])
        assert said in done.output
        assert out.exists() == (form != "preference")  # nothing was declined: there is no pair
        if out.exists():
            assert ("That card was an attention check" in out.read_text()) == (form == "html")
    stats = json.loads(CliRunner().invoke(cli.saber, ["stats", "--json", "--db", str(db)]).output)
    found = stats["groups"][0]["attention"]
    assert (found["shown"], found["caught"]["value"], found["look_ms"]) == (1, 1.0, None)


def test_checks_are_off_unless_they_are_asked_for() -> None:
    assert Safeguards().attention_checks == Switches().attention_checks == 0
    assert SafeguardsChanged(safeguards=Safeguards()).safeguards.attention_checks == 0
