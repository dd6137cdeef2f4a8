from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Button

from console.screens.review import ReviewScreen
from console.setup import Setup
from console.widgets.card import CardView
from console.widgets.review_card import ReviewCard
from console.widgets.transcript import TranscriptView
from console.widgets.words import WordsInput
from sessions.events import (
    AgentSaid,
    AnyEvent,
    CardShown,
    CustomerSaid,
    Labelled,
    Logged,
    Reviewed,
    Scored,
)
from sessions.review.desk import ReviewDesk
from sessions.statistics.reviewing import reviewed_cards
from sessions.statistics.reviewing import reviews as counted
from sessions.store.store import Store
from sessions.views.reviewing import reviewable_cards
from tests.agent.recorded import Turn
from tests.agent.recorded import held as play
from tests.console.conversation.test_hostile_text import FORBIDDEN, HOSTILE
from tests.console.stage import LARGE, SMALL, BareApp, QuietApp, Stage
from tests.effort import first
from tests.sessions.toy import decided, shown, started

STORY: tuple[Turn, ...] = (("red", "approve", 3), ("blue", "reject: too many", 2))
SIZES = pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])
CLOCK = re.compile(r"\b\d\d:\d\d\b")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards listen at once; that they wait is tested on the live card, which they are."""
    monkeypatch.setattr("console.widgets.key_guard.GRACE", 0.1)


class Reviewing(Stage):
    """The review screen under test."""

    def __init__(self, app: QuietApp, pilot: Pilot[str], desk: ReviewDesk) -> None:
        self.app, self.pilot, self.desk = app, pilot, desk
        self.why: list[str | None] = []
        """Why the screen closed, once it has."""

    @property
    def card(self) -> CardView | None:
        found = self.app.screen.query(ReviewCard)
        return found.first() if found else None

    async def ready(self, sentence: str = "") -> str:
        """Wait until a card listens that says this; what is on the screen then."""
        await self.until(lambda: self._listens(sentence), f"a card that says {sentence!r}")
        await self.pilot.wait_for_scheduled_animations()
        transcript = self.app.screen.query_one(TranscriptView)
        transcript.refresh(layout=True)
        await self.until(
            lambda: transcript.scroll_offset.y == transcript.max_scroll_y, "the end of the scroll"
        )
        return self.text()

    def _listens(self, sentence: str) -> bool:
        waiting, card = self.desk.card, self.card
        return bool(
            waiting
            and card
            and card.card == waiting.card
            and card.stage == "ready"
            and sentence in self.text()
        )

    async def over(self) -> None:
        """Wait until the screen has closed."""
        await self.until(lambda: self.why, "the end of the review")


@asynccontextmanager
async def reviewing(
    db: Path, size: tuple[int, int] = LARGE, by: str = "bo"
) -> AsyncIterator[Reviewing]:
    with Store.open(db) as store:
        ids = [row.id for row in reversed(store.sessions()) if row.cards]
        desk = ReviewDesk(store, ids, by)
        desk.advance()
        app = BareApp(Setup(db=db, review=desk))
        async with app.run_test(size=size, notifications=True) as pilot:
            held = Reviewing(app, pilot, desk)
            await app.push_screen(ReviewScreen(desk), held.why.append)
            yield held


async def story(folder: Path, *tellings: Sequence[Turn]) -> Path:
    """A session file with a session of each of these."""
    db = folder / "sessions.sqlite"
    with Store.open(db) as store:
        for turns in tellings:
            await play(store, turns, end=True)
    return db


def logs(db: Path) -> list[list[Logged]]:
    with Store.open(db, read_only=True) as store:
        return [store.read(row.id) for row in reversed(store.sessions())]


def reviews(db: Path) -> list[tuple[str, str, str]]:
    found = (logged.event for log in logs(db) for logged in log)
    return [(each.by, each.decision, each.words) for each in found if isinstance(each, Reviewed)]


@SIZES
async def test_cards_come_one_after_the_other_and_each_decision_is_kept_at_once(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    db = await story(tmp_path, STORY)
    async with reviewing(db, size) as held:
        text = await held.ready("Take 3 coins out of the jar red.")
        assert "bo · session 1 of 1 · 0 decided" in text
        assert "Approve" in text
        assert "Skip" in text
        assert "Ask" not in text
        await held.press("a")
        text = await held.ready("Take 2 coins out of the jar blue.")
        assert reviews(db) == [("bo", "approve", "")]
        assert size == SMALL or "✓ approved by the customer" in text
        await held.answer("c", "one")
        await held.over()
    assert reviews(db) == [("bo", "approve", ""), ("bo", "change", "one")]
    (log,) = logs(db)
    assert log[-1].event.type == "reviewed"
    made = log[-1].event
    assert isinstance(made, Reviewed)
    assert made.card_id == reviewable_cards(log)[1].card.id


async def test_the_card_starts_on_reject_and_a_reason_is_optional(tmp_path: Path) -> None:
    db = await story(tmp_path, STORY)
    async with reviewing(db) as held:
        await held.ready()
        assert isinstance(held.app.focused, Button)
        assert held.app.focused.id == "reject"
        await held.answer("enter")
        await held.ready("Take 2 coins")
        await held.answer("r", "no")
        await held.over()
    assert reviews(db) == [("bo", "reject", ""), ("bo", "reject", "no")]


async def test_no_key_counts_before_the_card_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = await story(tmp_path, STORY)
    monkeypatch.setattr("console.widgets.key_guard.GRACE", 60)
    async with reviewing(db) as held:
        await held.until(lambda: held.card, "a card")
        await held.press("a", "s", "q", "enter", "y")
        assert held.card is not None
        assert held.card.stage == "grace"
        assert reviews(db) == []


async def test_approving_against_a_failing_check_takes_a_second_key(tmp_path: Path) -> None:
    db = await story(tmp_path, [("red", "approve", 6)])
    async with reviewing(db) as held:
        await held.ready("✗")
        await held.press("a")
        await held.shows("Press y to approve anyway.")
        assert reviews(db) == []
        await held.rest(0.3)
        await held.press("y")
        await held.over()
    assert reviews(db) == [("bo", "approve", "")]


async def test_there_is_nobody_to_ask(tmp_path: Path) -> None:
    db = await story(tmp_path, STORY)
    async with reviewing(db) as held:
        before = await held.ready()
        await held.press("k")
        assert await held.ready() == before


async def test_after_a_skip_the_next_session_comes_and_the_card_is_put_again(
    tmp_path: Path,
) -> None:
    db = await story(tmp_path, STORY, [("green", "approve", 1), ("red", "approve", 4)])
    async with reviewing(db) as held:
        await held.ready("Take 3 coins")
        await held.press("s")
        await held.ready("Take 4 coins")
        assert "session 2 of 2 · 0 decided" in held.text()
        await held.pilot.click("#skip")
        await held.over()
        assert (held.desk.decided, len(held.desk.skipped)) == (0, 2)
    async with reviewing(db) as held:
        await held.ready("Take 3 coins")
        await held.press("a")
        await held.ready("Take 2 coins")
    assert reviews(db) == [("bo", "approve", "")]


def card_ids(desk: ReviewDesk, *skip: str) -> list[str]:
    """Every card that the desk puts up, each approved but for these."""
    found = []
    while (waiting := desk.advance()) is not None:
        found.append(waiting.card.id)
        if waiting.card.id not in skip:
            desk.record("approve", "", 1)
    return found


def family(store: Store) -> list[str]:
    """A session with the cards a and b, and a fork made as a waited; the fork has a card c."""
    parent = store.record([started(), shown("a"), decided("a", "reject"), shown("b")])
    (last,) = store.fork(parent, 2)[-1:]
    store.append(last.session, [decided("a", "approve"), shown("c")])
    return [parent, last.session]


def test_a_card_that_waited_where_a_fork_begins_is_put_and_counted_once(tmp_path: Path) -> None:
    with Store.open(tmp_path / "sessions.sqlite") as store:
        parent, fork = family(store)
        desk = ReviewDesk(store, [fork, parent], "bo")
        assert card_ids(desk) == ["a", "b", "c"], "the parent's first"
        assert (desk.put, desk.decided) == (3, 3)
        found = counted([reviewed_cards(store.read(each)) for each in (parent, fork)], draws=20)
    assert found is not None
    assert found.cards == 3


def test_a_card_whose_outcome_a_fork_told_is_not_put_any_more(tmp_path: Path) -> None:
    with Store.open(tmp_path / "sessions.sqlite") as store:
        parent, fork = family(store)
        assert card_ids(ReviewDesk(store, [fork], "bo")) == ["c"]
        assert card_ids(ReviewDesk(store, [parent], "bo")) == ["b"]
        assert card_ids(ReviewDesk(store, [parent, fork], "ann")) == ["a", "b", "c"]


def test_what_a_skipped_card_came_to_is_not_told_by_a_fork_either(tmp_path: Path) -> None:
    with Store.open(tmp_path / "sessions.sqlite") as store:
        both = family(store)
        assert card_ids(ReviewDesk(store, both, "bo"), "a") == ["a"]
        assert card_ids(ReviewDesk(store, both, "bo"), "b") == ["a", "b", "c"]
        assert card_ids(ReviewDesk(store, both, "bo")) == ["b"]


async def test_the_palette_of_a_review_offers_no_way_to_other_sessions(tmp_path: Path) -> None:
    db = await story(tmp_path, STORY)
    async with reviewing(db) as held:
        await held.ready("Take 3 coins")
        titles = {each.title for each in held.app.get_system_commands(held.app.screen)}
        assert titles <= {"Theme", "Quit", "Keys", "Screenshot", "Maximize", "Minimize"}


async def test_opened_again_it_goes_on_and_another_person_begins_anew(tmp_path: Path) -> None:
    db = await story(tmp_path, STORY, STORY)
    async with reviewing(db) as held:
        for sentence in ("Take 3 coins", "Take 2 coins"):
            await held.ready(sentence)
            await held.press("a")
        await held.until(lambda: "session 2 of 2" in held.text(), "the other session")
        await held.ready("Take 3 coins")
        await held.press("q")
        await held.over()
    async with reviewing(db) as held:
        text = await held.ready("Take 3 coins")
        assert "session 2 of 2 · 0 decided" in text
    async with reviewing(db, by="ann") as held:
        assert "session 1 of 2" in await held.ready("Take 3 coins")


async def test_what_somebody_decided_meanwhile_under_the_same_name_stands(tmp_path: Path) -> None:
    db = await story(tmp_path, STORY)
    async with reviewing(db) as held:
        await held.ready("Take 3 coins")
        (log,) = logs(db)
        first = reviewable_cards(log)[0].card.id
        with Store.open(db) as other:
            review = Reviewed(card_id=first, decision="reject", by="bo")
            other.append(log[0].session, [review])
        await held.press("a")
        await held.shows("bo had decided this card already; that decision stands.")
        await held.ready("Take 2 coins")
        assert held.desk.decided == 0
    assert reviews(db) == [("bo", "reject", "")]


async def test_a_file_that_cannot_be_written_ends_it_with_a_sentence(tmp_path: Path) -> None:
    db = await story(tmp_path, STORY)
    async with reviewing(db) as held:
        await held.ready("Take 3 coins")
        (log,) = logs(db)
        with Store.open(db) as other:
            other.delete(log[0].session)
        await held.press("a")
        await held.over()
        assert held.why == [f"There is no session {log[0].session}."]


def told_otherwise(log: Sequence[Logged], place: int) -> list[AnyEvent]:
    """The session with another decision on one of its cards, and what others made of it."""
    card = reviewable_cards(log)[place].card
    found: list[AnyEvent] = []
    for logged in log:
        event = logged.event
        if event.type == "decision_made" and event.card_id == card.id:
            words = "no, this is quite wrong"
            found.append(event.model_copy(update={"decision": "reject", "words": words}))
            break
        found.append(event)
    return [
        *found,
        Scored(scenario="three-from-red", reward=0, records_match=False, communicated=False),
        Labelled(about="card", card_id=card.id, verdict="wrong", note="bad", by="cy"),
        Reviewed(card_id=card.id, decision="change", words="fewer", by="cy"),
    ]


@SIZES
@pytest.mark.parametrize("place", [0, 1], ids=["first card", "second card"])
async def test_whatever_was_decided_the_screen_is_the_same_to_the_letter(
    tmp_path: Path, size: tuple[int, int], place: int
) -> None:
    db = await story(tmp_path, [("red", "approve", 3), ("blue", "approve", 2)])
    (log,) = logs(db)
    other = tmp_path / "other.sqlite"
    with Store.open(other) as store:
        store.record(told_otherwise(log, place))
    seen = []
    for each in (db, other):
        async with reviewing(each, size) as held:
            for sentence in ("Take 3 coins", "Take 2 coins")[:place]:
                await held.ready(sentence)
                await held.press("a")
            text = await held.ready(("Take 3 coins", "Take 2 coins")[place])
            await held.press("x")
            await held.shows('"coins"')
            seen.append(CLOCK.sub("", text + held.text()))
    assert seen[0] == seen[1]
    assert "quite wrong" not in seen[1]


async def test_the_words_of_a_reviewer_are_cleaned(tmp_path: Path) -> None:
    db = await story(tmp_path, STORY)
    with Store.open(db) as store:
        desk = ReviewDesk(store, [log[0].session for log in logs(db)], "bo")
        desk.advance()
        assert desk.record("reject", "no\x1b]0;pwned\x07 \u202eway", 5)
        assert not desk.record("approve", "", 5), "each decides a card once"
    assert reviews(db) == [("bo", "reject", "no]0;pwned way")]


async def test_a_session_that_cannot_be_read_is_told_and_passed_over(tmp_path: Path) -> None:
    db = await story(tmp_path, STORY)
    (log,) = logs(db)
    with Store.open(db) as store:
        desk = ReviewDesk(store, ["nope", log[0].session], "bo")
        assert desk.advance() is not None
        assert desk.place == 2
        assert desk.faults == ["There is no session nope."]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_words_of_a_recorded_session_are_text(tmp_path: Path, text: str) -> None:
    db = tmp_path / "sessions.sqlite"
    fields = ("sentence", "tool", "after", "closes", "struck", "unsupported")
    hostile = shown("a").card.model_copy(
        update={
            name: (text,) if name in ("after", "closes", "unsupported") else text for name in fields
        }
    )
    with Store.open(db) as store:
        words = (AgentSaid(text=text), CustomerSaid(text=text, turn=1))
        store.record([started(), *words, CardShown(card=hostile, words_digest="w")])
    async with reviewing(db, by=text) as held:
        await held.until(lambda: held.card and held.card.stage == "ready", "a card that listens")
        await held.press("x", "ctrl+o")
        assert not FORBIDDEN.search(held.text().replace("\n", ""))
        await held.press("r")
        assert held.card is not None
        held.card.query_one(WordsInput).value = text
        await held.rest(0.6)
        await held.press("enter")
        await held.over()
    ((_, _, said),) = reviews(db)
    assert not FORBIDDEN.search(said)
