from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from console.reports.evidence import card_maker
from console.screens.review import ReviewScreen
from console.setup import Setup
from console.widgets.raw_card import RawCard
from console.widgets.review_card import ReviewCard
from sessions.events import Form, Logged, Reviewed
from sessions.review.desk import ReviewDesk
from sessions.statistics.reviewing import reviewed_cards
from sessions.statistics.reviewing import reviews as counted
from sessions.store.store import Store
from sessions.views import CustomerWords, LookUp, Note
from sessions.views.reviewing import BlindCard
from tests.console.stage import LARGE, SMALL, BareApp
from tests.console.test_review import Reviewing
from tests.effort import first
from tests.imported import FORBIDDEN, KEANUS_ALLOWED, WRITES, take_in


def desk_on(store: Store, by: str, *, form: Form = "card") -> ReviewDesk:
    ids = [row.id for row in reversed(store.sessions())]
    return ReviewDesk(store, ids, by, form=form, make=card_maker(None, None))


def through(desk: ReviewDesk, decision: Any = "approve", most: int = 99) -> list[BlindCard]:
    """The cards that the desk puts up, each decided."""
    found: list[BlindCard] = []
    while len(found) < most and (card := desk.advance()) is not None:
        found.append(card)
        desk.record(decision, "", 1)
    return found


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "s.db"
    with Store.open(path) as store:
        take_in(store, tmp_path)
    return path


def reviews(db: Path) -> list[Reviewed]:
    with Store.open(db, read_only=True) as store:
        logs = [store.read(row.id) for row in store.sessions()]
    return [each.event for log in logs for each in log if isinstance(each.event, Reviewed)]


def test_every_write_is_put_up_under_what_was_before_it_and_nothing_more(db: Path) -> None:
    with Store.open(db) as store:
        found = through(desk_on(store, "bo"))
        assert [each.origin for each in found] == ["recorded"] * WRITES
        for each in found:
            assert all(item.seq < each.seq for item in each.items)
            (note,) = [item for item in each.items if isinstance(item, Note)]
            assert "gave it" not in note.text, "its own program's reward is a verdict"
        first, second = (each for each in found if each.session == found[1].session)
    assert first.card.arguments == {"reservation_id": FORBIDDEN}
    assert second.card.arguments == {"reservation_id": KEANUS_ALLOWED}
    done = [item.name for item in first.items if isinstance(item, LookUp)]
    assert done == ["get_user_details"]
    assert [item.text for item in second.items if isinstance(item, CustomerWords)][-1] == (
        "No, the other one!"
    )


def test_what_came_of_it_changes_nothing_of_what_a_reviewer_is_shown(db: Path) -> None:
    with Store.open(db) as store:
        log = store.read(next(each.session for each in through(desk_on(store, "x"), most=1)))
        (first, *_) = through(desk_on(store, "y"), most=1)
        place = first.seq
        other = [each.event for each in log[:place]]
        imported = other[1].model_copy(update={"recorded_reward": 0.0, "ending": "error"})
        again = store.record([other[0], imported, *other[2:]])
        desk = ReviewDesk(store, [again], "z", make=card_maker(None, None))
        shown = desk.advance()
    assert shown is not None
    assert shown.items == first.items
    assert shown.card.model_copy(update={"id": first.card.id}) == first.card


def test_it_goes_on_where_it_was_left_and_another_person_begins_anew(db: Path) -> None:
    with Store.open(db) as store:
        assert len(through(desk_on(store, "bo"), most=2)) == 2
        rest = through(desk_on(store, "bo"))
        assert len(rest) == WRITES - 2
        assert through(desk_on(store, "bo")) == []
        anew = through(desk_on(store, "ann"), "reject")
        assert [each.card.id for each in anew[2:]] == [each.card.id for each in rest]
        assert store.verify() == []
        logs = [store.read(row.id) for row in store.sessions()]
    found = counted([reviewed_cards(log) for log in logs], draws=20)
    assert found is not None
    assert (found.cards, found.reviewers) == (WRITES, ("ann", "bo"))
    (pair,) = found.approval.pairs
    assert (pair.percent.value, pair.percent.n) == (0.0, WRITES)


def test_what_was_decided_in_one_form_is_not_blind_in_the_other(db: Path) -> None:
    with Store.open(db) as store:
        raw = through(desk_on(store, "bo", form="raw"), most=3)
        cards = through(desk_on(store, "bo"))
    assert {each.card.id for each in raw}.isdisjoint(each.card.id for each in cards)
    assert len(raw) + len(cards) == WRITES
    assert sorted(each.form for each in reviews(db)) == ["card"] * 2 + ["raw"] * 3


def test_a_skipped_card_keeps_the_rest_of_its_conversation_back(db: Path) -> None:
    with Store.open(db) as store:
        desk = desk_on(store, "bo")
        shown = []
        while (card := desk.advance()) is not None:
            shown.append(card.card.arguments["reservation_id"])
    assert KEANUS_ALLOWED not in shown, "what was skipped before it would be told"


def test_old_reviews_are_of_the_card() -> None:
    old = {"type": "reviewed", "card_id": "a", "decision": "approve", "by": "bo"}
    assert Reviewed.model_validate(old).form == "card"


def test_records_that_are_not_here_are_a_sentence_and_are_passed_over(db: Path) -> None:
    with Store.open(db) as store:
        log: list[Logged] = store.read(store.sessions()[0].id)
        first = log[0].event.model_copy(update={"records_digest": "0" * 64})
        gone = store.record([first, *(each.event for each in log[1:])])
        desk = ReviewDesk(store, [gone], "bo", make=card_maker(None, None))
        assert desk.advance() is None
        (fault,) = desk.faults
    assert gone in fault
    assert "--data" in fault


@pytest.mark.parametrize("size", first(1, [SMALL, LARGE]), ids=["80x24", "140x40"])
@pytest.mark.parametrize("form", ["card", "raw"])
async def test_the_screen_marks_it_as_made_afterwards_or_shows_the_bare_call(
    db: Path, form: Form, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.widgets.key_guard.GRACE", 0.1)
    with Store.open(db) as store:
        desk = desk_on(store, "bo", form=form)
        shown = await asyncio.to_thread(desk.advance)
        assert shown is not None
        app = BareApp(Setup(db=db, review=desk))
        async with app.run_test(size=size) as pilot:
            held = Reviewing(app, pilot, desk)
            await app.push_screen(ReviewScreen(desk), held.why.append)
            text = await held.ready()
            card = app.screen.query_one(ReviewCard)
            if form == "card":
                assert "card made afterwards" in text
                assert shown.card.sentence[:30] in text
            else:
                assert isinstance(card, RawCard)
                assert "made afterwards" not in text
                assert shown.card.sentence[:30] not in text
                assert '"reservation_id": "' in text
                assert card.overridden == ()
            await held.press("a")
            await held.until(lambda: reviews(db), "a decision")
            await held.until(lambda: held.card is not card and held.card, "the next card")
            await held.until(lambda: held.card and held.card.stage == "ready", "that it listens")
            await held.press("q")
            await held.over()
    (review,) = reviews(db)
    assert (review.form, review.card_id, review.decision) == (form, shown.card.id, "approve")
