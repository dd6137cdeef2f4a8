from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest
from textual import events

from console.widgets.card import CardView
from sessions.events import DecisionMade
from tests.agent.scripted import call
from tests.console.stage import FIND, Stage, stage
from tests.console.stray_keys import (
    Try,
    bracketed_paste,
    burst,
    decisions,
    fork,
    lone_key,
    slowly,
    stopped_in_the_grace,
    unbracketed_paste,
)
from tests.effort import first

pytestmark = pytest.mark.real_spans
THREE = call("take", jar="red", coins=3)
STALL = 1.2


def send(held: Stage, *keys: str) -> None:
    """As the terminal's driver does: at once, and without waiting for anything."""
    driver = held.app._driver
    assert driver is not None
    for key in keys:
        event = events.Key(key, key if len(key) == 1 else None)
        event.set_sender(held.app)
        driver.send_message(event)


def made(held: Stage) -> list[str]:
    return [event.decision for event in held.events if isinstance(event, DecisionMade)]


def stall(held: Stage, *keys: str) -> None:
    """Hold the loop up, with keys pressed half-way."""
    time.sleep(STALL / 2)
    send(held, *keys)
    time.sleep(STALL / 2)


def click(held: Stage, where: str) -> None:
    """Down and up, as a terminal reports them."""
    driver, at = held.app._driver, held.screen.query_one(where).region.offset
    assert driver is not None
    for event in (events.MouseDown, events.MouseUp):
        driver.send_message(
            event(None, at.x, at.y, 0, 0, 1, False, False, False, screen_x=at.x, screen_y=at.y)
        )


async def card_of(held: Stage) -> CardView:
    await held.say("three coins")
    await held.until(lambda: held.card, "a card")
    assert held.card is not None
    return held.card


@pytest.mark.parametrize("keys", [["a"], ["h", "a"]])
async def test_what_was_pressed_before_the_card_listened_and_is_heard_after_a_stall_counts_not(
    tmp_path: Path, keys: list[str]
) -> None:
    async with stage(tmp_path, *FIND, THREE, "Done.") as held:
        card = await card_of(held)
        stall(held, *keys)
        await held.rest(STALL + 1)
        assert made(held) == []
        assert held.card is card


async def test_what_follows_the_key_during_a_stall_takes_it_back(tmp_path: Path) -> None:
    async with stage(tmp_path, *FIND, THREE, "Done.") as held:
        await card_of(held)
        card = await held.ready_card()
        send(held, "a")
        while not card._guard.pending:  # noqa: ASYNC110 - the loop itself is under test
            await asyncio.sleep(0.01)
        stall(held, "r")
        await held.rest(STALL + 1)
        assert made(held) == []
        await held.shows("You seem to be typing")


@pytest.mark.parametrize("words", ["are you sure", "have a nice day"])
async def test_a_sentence_in_one_burst_decides_nothing(tmp_path: Path, words: str) -> None:
    async with stage(tmp_path, *FIND, THREE, "Done.") as held:
        card = await card_of(held)
        await held.ready_card()
        send(held, *("space" if letter == " " else letter for letter in words), "enter")
        await held.rest(1)
        assert made(held) == []
        assert held.card is card


async def test_pasted_text_is_somebody_writing(tmp_path: Path) -> None:
    async with stage(tmp_path, *FIND, THREE, "Done.") as held:
        card = await card_of(held)
        await held.ready_card()
        assert held.app._driver is not None
        held.app._driver.send_message(events.Paste("have a nice day"))
        await held.rest(0.7)
        await held.press("a")
        await held.rest(0.7)
        assert made(held) == []
        assert card.stage == "grace"


async def test_a_double_click_on_the_button_decides_nothing_and_one_click_does(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, *FIND, THREE, "Done.") as held:
        await card_of(held)
        await held.ready_card()
        click(held, "#approve")
        await asyncio.sleep(0.3)
        click(held, "#approve")
        await held.rest(1)
        assert made(held) == []
        await held.ready_card()
        await held.rest(0.3)
        click(held, "#approve")
        await held.idle()
        assert made(held) == ["approve"]


@pytest.mark.parametrize(
    "what",
    first(1, [burst, slowly(0.1), bracketed_paste, unbracketed_paste, stopped_in_the_grace]),
)
def test_stray_bytes_in_a_real_terminal_decide_nothing(what: Try) -> None:
    assert decisions(what, random.Random(3), fork) == []


def test_a_lone_byte_in_a_real_terminal_approves() -> None:
    assert decisions(lone_key, random.Random(3)) == ["approve"]


def test_a_lone_byte_approves_in_a_fork_too() -> None:
    """Without this the tests above could hold of a program that hears nothing."""
    assert decisions(lone_key, random.Random(3), fork) == ["approve"]
