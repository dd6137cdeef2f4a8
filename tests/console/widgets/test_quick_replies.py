"""The numbered choices of the agent's last message can be clicked, or marked by typing a number."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.widgets import key_guard
from console.widgets.composer import Composer
from console.widgets.quick_replies import QuickReplies, QuickReply, choices_in
from sessions.events import CustomerSaid
from tests.agent.scripted import call
from tests.console.stage import FIND, SMALL, Stage, stage

OFFER = "Which one?\n\n1. the **red** jar\n2. the blue jar\n3. none of these"


def said(held: Stage) -> list[str]:
    return [each.text for each in held.events if isinstance(each, CustomerSaid)]


@pytest.mark.parametrize(
    ("message", "choices"),
    [
        (OFFER, ["the red jar", "the blue jar", "none of these"]),
        ("Which?\n\n1. only one", []),
        ("Ten coins:\n\n1. five old ones\n2. five new ones\n\nIs there anything else?", []),
        ("There are\n\n1. a\n2. b\n\nWhich one would you like?", ["a", "b"]),
        ("no list, though 2. stands in a line", []),
        ("Which?\n1. a\n2. b\n\nOr, if I misunderstood you\n\n3. c\n4. d", ["a", "b", "c", "d"]),
        ("1. old\n2. list\n\nAnd now which?\n\n1. new\n2. ones", ["new", "ones"]),
        ("Which?\n- 1. a\n- 2. b", []),
        ("Which?\n1. a\n2. b\n…and 3 more", ["a", "b"]),
        ("Which?\n" + "\n".join(f"{n}. kind" for n in range(1, 11)), []),
        ("", []),
    ],
)
def test_only_what_one_digit_picks_is_a_choice(message: str, choices: list[str]) -> None:
    assert choices_in(message) == choices


async def test_a_click_sends_the_number_and_leaves_a_draft_alone(tmp_path: Path) -> None:
    async with stage(tmp_path, *FIND, OFFER, "The blue one, then.", size=SMALL) as held:
        await held.say("coins please")
        await held.idle()
        replies = held.screen.query_one(QuickReplies)
        assert replies.display
        await held.press("x")
        await held.long_enough()
        assert await held.pilot.click(replies.query(QuickReply)[1])
        await held.idle()
        assert said(held) == ["coins please", "2"]
        assert held.screen.query_one(Composer).text == "x"
        assert not replies.display


async def test_a_typed_number_marks_its_choice_and_only_enter_sends_it(tmp_path: Path) -> None:
    async with stage(tmp_path, *FIND, OFFER, "Both, then.", size=SMALL) as held:
        await held.say("coins please")
        await held.idle()
        first = held.screen.query(QuickReply)[0]
        await held.press("1")
        await held.until(lambda: first.has_class("-marked"))
        await held.press(*" and 2")
        await held.until(lambda: not first.has_class("-marked"))
        assert said(held) == ["coins please"]
        await held.press("enter")
        await held.idle()
        assert said(held) == ["coins please", "1 and 2"]


async def test_a_card_has_the_choices_row(tmp_path: Path) -> None:
    answers = (*FIND, OFFER, call("take", jar="red", coins=3), "Seven are left.")
    async with stage(tmp_path, *answers, size=SMALL) as held:
        await held.say("coins please")
        await held.idle()
        await held.say("1")
        await held.ready_card()
        assert not held.screen.query_one(QuickReplies).display


async def test_a_click_meant_for_what_stood_here_before_picks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage(tmp_path, *FIND, OFFER, "Done.", size=SMALL) as held:
        monkeypatch.setattr(key_guard, "GRACE", 60.0)
        await held.say("coins please")
        await held.idle()
        second = held.screen.query(QuickReply)[1]
        assert await held.pilot.click(second, times=2)
        await held.rest()
        assert said(held) == ["coins please"]
        monkeypatch.setattr(key_guard, "GRACE", 0.0)
        assert await held.pilot.click(second)
        await held.idle()
        assert said(held) == ["coins please", "2"]


async def test_what_an_agent_writes_as_a_choice_is_shown_as_it_is(tmp_path: Path) -> None:
    hostile = "Which?\n\n1. [red]a[/red] \x1b[2Jb\n2. [@click=app.quit]c[/]"
    async with stage(tmp_path, *FIND, hostile, size=SMALL) as held:
        await held.say("coins please")
        await held.idle()
        await held.shows("1 [red]a[/red] [2Jb  2 [@click=app.quit]c[/]")


def test_a_huge_message_has_no_choices() -> None:
    assert choices_in(f"{OFFER}{' and so on' * 20_000}") == []
