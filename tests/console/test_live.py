from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from agent.chat import CallPiece, Piece, ReasoningPiece, TextPiece
from console.pieces import EVERY, LONGEST_WAIT, PAUSE, PieceBuffer
from console.widgets.live import LiveAnswer
from console.widgets.plain import PlainText
from console.widgets.prose import Prose, last_part, styled

BLOCKS = [
    "A **bold** start.", "- one\n- two `x`\n- three", "1. first\n2. second", "# Heading", "End.",
]  # fmt: skip


@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=5))
def test_what_is_settled_and_what_still_grows_make_up_the_whole(blocks: list[str]) -> None:
    # Lists of one kind that follow each other are one list, which these laws need not cover.
    blocks = [blocks[0]] + [now for before, now in pairwise(blocks) if now != before]
    whole = "\n\n".join(blocks)
    start, apart = last_part(whole)
    pieces = [styled(whole[:start]).plain, styled(whole[start:]).plain]
    assert ("\n\n" if apart else "\n").join(filter(None, pieces)) == styled(whole).plain


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


async def test_a_key_is_shown_before_more_words_but_words_do_not_wait_for_ever() -> None:
    heard: list[Piece | None] = []
    loop = asyncio.get_running_loop()
    pieces = PieceBuffer(heard.append)
    pieces.add(TextPiece("words"))
    began = loop.time()
    pressed = 0.0
    while not heard:
        pieces.give_way()
        pressed = loop.time()
        await asyncio.sleep(PAUSE / 10)
    assert pressed - began >= LONGEST_WAIT - PAUSE
    pieces.add(TextPiece("more"))
    pieces.flush()
    pieces.give_way()
    assert heard == [TextPiece("words"), TextPiece("more")]
