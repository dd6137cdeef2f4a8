from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from agent.models.protocol import CallPiece, Piece, ReasoningPiece, TextPiece
from console.conversation.piece_buffer import EVERY, LONGEST_WAIT, PAUSE, PieceBuffer
from console.widgets.live import LiveAnswer
from console.widgets.plain import PlainText
from console.widgets.prose import Prose, last_part, style_markdown

BLOCKS = [
    "A **bold** start.", "- one\n- two `x`\n- three", "1. first\n2. second", "# Heading", "End.",
]  # fmt: skip


@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=5))
def test_what_is_settled_and_what_still_grows_make_up_the_whole(blocks: list[str]) -> None:
    # Lists of one kind that follow each other are one list, which these laws need not cover.
    blocks = [blocks[0]] + [now for before, now in pairwise(blocks) if now != before]
    whole = "\n\n".join(blocks)
    start, apart = last_part(whole)
    pieces = [style_markdown(whole[:start]).plain, style_markdown(whole[start:]).plain]
    assert ("\n\n" if apart else "\n").join(filter(None, pieces)) == style_markdown(whole).plain


class Streaming(App[None]):
    def compose(self) -> ComposeResult:
        yield LiveAnswer()


@pytest.mark.parametrize("step", [1, 4, 40])
async def test_a_streamed_answer_looks_as_it_will_when_it_is_whole(step: int) -> None:
    whole = "Hello **you**. It is `here`.\n\n- one\n- two\n\nAnd a last paragraph."
    app = Streaming()
    async with app.run_test(size=(60, 20)) as pilot:
        live = app.query_one(LiveAnswer)
        for start in range(0, len(whole), step):
            await live.feed(whole[start : start + step])
        await pilot.pause()
        grown = [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]
        await app.mount(Prose(whole))
        await live.remove()
        await pilot.pause()
        settled = [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]
        assert [line.strip() for line in grown] == [line.strip() for line in settled]


async def test_a_long_answer_keeps_its_widgets_few_and_small() -> None:
    app = Streaming()
    async with app.run_test(size=(80, 30)):
        live = app.query_one(LiveAnswer)
        for number in range(200):
            await live.feed(f"Paragraph {number} says something.\n\n")
        assert len(list(live.query("*"))) < 12
        assert all(len(str(text.visual)) < 1_300 for text in live.query(PlainText))


async def test_words_are_gathered_and_nothing_overtakes_them() -> None:
    heard: list[Piece | None] = []
    pieces = PieceBuffer(heard.append)
    for piece in (ReasoningPiece("a"), ReasoningPiece("b"), TextPiece("one "), TextPiece("two")):
        pieces.add(piece)
    assert heard == [ReasoningPiece("a")]
    pieces.add(CallPiece(0, arguments="{"))
    pieces.add(CallPiece(0, "id", "look"))
    assert heard[1:] == [TextPiece("one two"), CallPiece(0, "id", "look")]
    pieces.add(TextPiece("late"))
    await asyncio.sleep(2 * EVERY)
    assert heard[-1] == TextPiece("late")
    pieces.add(TextPiece("lost?"))
    pieces.add(None)
    assert heard[-2:] == [TextPiece("lost?"), None]


@dataclass
class Timer:
    due: float
    run: Callable[[], None]
    cancelled: bool = False

    def when(self) -> float:
        return self.due

    def cancel(self) -> None:
        self.cancelled = True


class Clock:
    """An event loop's clock and timers, moved on by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, run: Callable[[], None]) -> Timer:
        self.timers.append(Timer(self.now + seconds, run))
        return self.timers[-1]

    def on(self, seconds: float) -> None:
        self.now += seconds
        for timer in self.timers:
            if not timer.cancelled and timer.due <= self.now:
                timer.cancelled = True
                timer.run()


def test_a_key_is_shown_before_more_words_but_words_do_not_wait_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, heard = Clock(), list[tuple[float, Piece | None]]()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: clock)
    pieces = PieceBuffer(lambda piece: heard.append((clock.now, piece)))
    pieces.delay_for_key()
    pieces.add(TextPiece("words"))
    clock.on(EVERY - PAUSE / 2)
    pieces.delay_for_key()
    clock.on(PAUSE * 0.9)
    assert not heard
    clock.on(PAUSE * 0.2)
    assert heard.pop()[1] == TextPiece("words")
    pieces.add(TextPiece("more"))
    began = clock.now
    while not heard:
        pieces.delay_for_key()
        clock.on(PAUSE / 2)
    assert LONGEST_WAIT <= heard[0][0] - began <= LONGEST_WAIT + PAUSE
    pieces.delay_for_key()
    clock.on(1)
    assert len(heard) == 1
