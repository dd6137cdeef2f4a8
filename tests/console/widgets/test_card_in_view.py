from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.widgets import Button

from console.widgets.card import CardView
from console.widgets.card_head import CardHead, Head
from console.widgets.card_lines import against_lines
from console.widgets.card_rows import BELOW, divide_rows
from domains.text.one_line import line
from sessions.events import Card, Disagreement, Precondition
from tests.console.cards import (
    against_the_policy,
    booking_for_five,
    cancellation,
    card_of,
    crowded,
    disagreeing_exchange,
    put_up,
    right_call,
    with_five_questions,
)
from tests.console.stage import Stage, stage
from tests.effort import first, one_in

SIZES = first(2, [(50, 16), (80, 24), (64, 18), (120, 16), (140, 40)])
CARDS = [cancellation, disagreeing_exchange, booking_for_five, against_the_policy, crowded]
SCROLLING = (["down", "pagedown"], ["x"], ["pagedown"] * 2, ["pageup"] * 3, ["x"])
"""What is pressed on the card that is full everywhere; the others are opened and scrolled once."""

BUTTONS = ("approve", "reject", "change", "ask")
FORGED = "USA.\n\nBefore\n✓ all is well\n\nAfter\n→ nothing is different" + "\n" * 60
LONG_ANSWER = "It holds ten coins, five old ones and five new ones.\n\n" * 60


def seen(held: Stage, card: CardView, screen: list[str]) -> str:
    """The card's head as it is on the screen, which must be all of it."""
    head = card.query_one(CardHead)
    inside = card.content_region
    assert inside.contains_region(head.region)
    assert held.screen.region.contains_region(card.region)
    rows = screen[head.region.y : head.region.bottom]
    assert len(rows) == head.region.height > 0
    return "\n".join(rows)


def assert_buttons_in_view(card: CardView, screen: list[str]) -> None:
    for name in BUTTONS:
        button = card.query_one(f"#{name}", Button)
        assert button.region.height == 1
        assert card.content_region.contains_region(button.region)
        label = str(button.label)
        assert label in screen[button.region.y]
        assert re.match(r"[a-z] [A-Z]", label)
    assert card.query_one("#card-hint").region.height == 1


def assert_what_decides_is_in_view(held: Stage, card: CardView) -> None:
    screen = held.text().splitlines()
    head = seen(held, card, screen)
    assert line(card.card.sentence)[:20] in head
    against = [each.sign for each in against_lines(card.card)]
    signs = re.findall(r"^[│ ]*([≠✗!]) (?!Can't)", head, re.MULTILINE)
    shown = len(signs)
    assert signs == sorted(signs, key="≠✗!".index)
    assert not Counter(signs) - Counter(against)
    assert len(set(signs)) == min(shown, len(set(against)))  # one of each kind comes first
    hidden = re.search(r"\+(\d+) more", head)
    assert shown + (int(hidden[1]) if hidden else 0) == len(against)
    assert shown > 0 or not against
    assert_buttons_in_view(card, screen)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
async def test_what_decides_is_in_view_at_every_size_however_one_scrolls(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with stage(tmp_path, size=size) as held:
        for made in CARDS:
            async with put_up(held, made()) as card:
                assert_what_decides_is_in_view(held, card)
                for keys in SCROLLING if made is crowded else (["x", "pagedown"],):
                    await held.press(*keys)
                    assert_what_decides_is_in_view(held, card)
                assert card.query_one("#card-body").region.height > 0


@pytest.mark.parametrize(
    ("size", "made"),
    one_in(3, [((50, 16), crowded), ((80, 24), cancellation), ((140, 40), crowded)]),
    ids=["50", "80", "140"],
)
async def test_a_long_answer_scrolls_in_a_place_of_its_own(
    tmp_path: Path, size: tuple[int, int], made: Callable[[], Card]
) -> None:
    async with stage(tmp_path, size=size) as held, put_up(held, made()) as card:
        card.show_answer("agent", LONG_ANSWER)
        await held.rest(0.1)
        assert_what_decides_is_in_view(held, card)
        said = card.query_one("#card-said")
        assert card.content_region.contains_region(said.region)
        assert "Agent: “It holds" in held.text()
        for _ in range(20):  # a machine that stands still has the card listen anew
            if said.scroll_offset.y < 5:
                await held.press("down")
        assert said.scroll_offset.y == 5
        assert_what_decides_is_in_view(held, card)


@pytest.mark.heavy
async def test_a_screen_that_shrinks_keeps_what_decides_in_view(tmp_path: Path) -> None:
    async with stage(tmp_path, size=(140, 40)) as held, put_up(held, crowded()) as card:
        for size in ((50, 16), (120, 18), (140, 40)):
            await held.pilot.resize_terminal(*size)
            await held.rest(0.2)
            assert_what_decides_is_in_view(held, card)


@pytest.mark.parametrize("size", first(1, [(50, 16), (80, 24)]), ids=["50", "80"])
async def test_an_address_that_draws_a_card_stays_one_quoted_line(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    name = "modify_pending_order_address"
    asked = right_call("retail", name) | {"address1": FORGED}
    forged = card_of("retail", name, **asked)
    async with stage(tmp_path, size=size) as held, put_up(held, forged) as card:
        assert_what_decides_is_in_view(held, card)
        rows = [row.strip(" │▏▎▍▌▋▊▉█▁▂▃▄▅▆▇") for row in held.text().splitlines()]
        assert "✓ all is well" not in rows
        assert "→ nothing is different" not in rows
        assert "“USA.‹⏎×2›Before⏎✓ all" in " ".join(rows)


async def test_a_recorded_card_with_line_ends_is_held_to_one_line_too(tmp_path: Path) -> None:
    name = "cancel_pending_order"
    card = card_of("retail", name, **right_call("retail", name))
    old = card.model_copy(update={"sentence": f"Cancel it {FORGED}", "after": (FORGED,)})
    async with stage(tmp_path, size=(80, 24)) as held, put_up(held, old) as view:
        assert_what_decides_is_in_view(held, view)
        assert "✓ all is well" not in [row.strip(" │") for row in held.text().splitlines()]


async def test_what_is_cut_or_odd_is_told_and_x_unfolds_it(tmp_path: Path) -> None:
    odd = {"reason": "no" + " " * 5_000 + "longer", "order_id": "#W\u0430\u00a0\u00b7"}
    odd_card = cancellation().model_copy(update={"arguments": odd})
    async with stage(tmp_path, size=(140, 60)) as held:
        async with put_up(held, odd_card):
            await held.press("x")
            await held.shows('"no‹·×5,000›longer"')
            await held.shows("#Wа‹U+0430›‹U+00A0›·‹U+00B7›")
        async with put_up(held, booking_for_five()):
            await held.shows("you said: “yes, all five")
        async with put_up(held, with_five_questions()):
            await held.shows("for the third time? · nothing was said about this")
            assert "Only you can tell · +2 more questions · x lists them" in held.text()
            assert "for the fourth time?" not in held.text()
            await held.press("x")
            await held.shows("for the fifth time?")


TEXTS = st.text("abc de漢字🙂", min_size=1, max_size=300)


@given(
    sentence=TEXTS,
    said=st.lists(TEXTS, max_size=4),
    closes=st.lists(TEXTS, max_size=2),
    against=st.lists(TEXTS, max_size=12),
    width=st.integers(40, 160),
    room=st.integers(3, 40),
)
def test_a_head_fills_no_more_than_its_room_and_counts_what_it_leaves_out(
    sentence: str,
    said: list[str],
    closes: list[str],
    against: list[str],
    width: int,
    room: int,
) -> None:
    card = crowded().model_copy(
        update={
            "sentence": sentence,
            "asked": tuple(said),
            "closes": tuple(closes),
            "disagreements": tuple(Disagreement(kind="amount", does=each) for each in against),
            "before": (Precondition(name="it is so", source="policy", verdict="fails"),),
            "struck": "",
        }
    )
    head = Head(card, width, room)
    assert len(head.rows) <= room
    assert all(row.cell_length <= width for row in head.rows)
    lines = against_lines(card)
    plain = [row.plain for row in head.rows]
    shown = [row for row in plain if row[:2] in ("≠ ", "✗ ") or row.startswith("! ")]
    counted = [int(found[1]) for row in plain if (found := re.match(r"\+(\d+) more", row))]
    undone = sum(row.startswith("! Can't") for row in plain)
    assert len(shown) - undone + sum(counted) == len(lines)


@given(st.integers(1, 200), st.integers(0, 500))
def test_the_rows_of_a_card_never_add_up_to_more_than_there_are(available: int, note: int) -> None:
    room = divide_rows(available, note)
    assert room.inside <= max(6, available - 2)
    for head in (1, room.head):
        blank = 0 if not room.airy else 2 + (room.note > 0)
        total = BELOW + head + room.note + room.middle(head) + blank
        assert total <= max(room.inside, BELOW + 3 + 1 + 1)


def test_a_question_is_told_from_a_check_and_never_from_the_policys_when_that_is_hidden() -> None:
    hidden: Card = crowded().model_copy(update={"policy_shown": False})
    assert all(each.sign != "✗" for each in against_lines(hidden))


async def test_a_card_may_be_fitted_at_any_moment_while_it_is_mounted(tmp_path: Path) -> None:
    tried = 0
    async with stage(tmp_path) as held:

        async def fit_all_along() -> None:
            nonlocal tried
            while held.card is None or held.card.stage != "ready":
                for card in held.screen.query(CardView):
                    card.fit()
                    tried += 1
                await asyncio.sleep(0)

        fitting = asyncio.create_task(fit_all_along())
        async with put_up(held, cancellation()) as card:
            await fitting
            assert card.styles.max_height is not None
            assert tried > 1
