from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import domains
from sessions.events import (
    AnyEvent,
    CustomerSaid,
    Labelled,
    Logged,
    Reviewed,
    SessionForked,
)
from sessions.exporting import preference, sft, tau2
from sessions.exporting.confirmations import rows_of
from sessions.exporting.dataset_card import FIELDS
from sessions.exporting.gathering import Gathered
from sessions.exporting.page import page
from sessions.exporting.redacting import Redaction
from sessions.exporting.tables import COLUMNS, flat
from sessions.store.store import Store
from tests.sessions.recorded import record
from tests.sessions.toy import decided, log_of, shown, started

RETAIL = domains.load("retail")
SEEDED = Redaction("seed")


def on_card(card_id: str, verdict: Any, by: str = "ann", **more: Any) -> Labelled:
    return Labelled(about="card", card_id=card_id, verdict=verdict, by=by, **more)


def log(*events: AnyEvent) -> list[Logged]:
    return log_of(
        started(),
        CustomerSaid(text="please", turn=1),
        shown("a"),
        decided("a", "reject", "no"),
        shown("b"),
        decided("b", "reject", "no"),
        *events,
    )


def told(*events: AnyEvent) -> list[list[dict[str, Any]]]:
    return [row["labels"] for row in rows_of(log(*events))]


def test_a_row_has_the_labels_that_hold_on_its_card_and_no_others() -> None:
    assert told() == [[], []]
    events = (
        on_card("b", "wrong"),
        on_card("a", "wrong", "bob", tags=("late", "x"), note="the other"),
        on_card("b", "right"),
        on_card("a", "unclear"),
        Labelled(verdict="wrong", by="ann"),
        Labelled(about="event", seq=3, verdict="wrong", by="ann"),
    )
    assert told(*events) == [
        [
            {"verdict": "wrong", "tags": ["late", "x"], "note": "the other", "by": "bob"},
            {"verdict": "unclear", "tags": [], "note": "", "by": "ann"},
        ],
        [{"verdict": "right", "tags": [], "note": "", "by": "ann"}],
    ]


def test_a_card_that_a_fork_shares_takes_its_labels_to_no_row_of_the_fork() -> None:
    events = (on_card("a", "wrong"), SessionForked(parent="p", seq=7), on_card("a", "right"))
    assert told(*events) == []


def test_what_trains_and_what_is_scored_elsewhere_is_the_same_however_it_was_judged(
    tmp_path: Path,
) -> None:
    with Store.open(tmp_path / "sessions.sqlite") as store:
        (session,) = record(store, RETAIL, RETAIL.scenarios[:1])
        before = exported(store)
        card = next(key for key in (row.key for row in store.rows(session)) if key)
        review = Reviewed(card_id=card, decision="approve", by="bob")
        store.append(session, [Labelled(verdict="wrong", by="ann"), on_card(card, "wrong"), review])
        assert exported(store) == before


def exported(store: Store) -> list[str]:
    sessions = [each.id for each in store.sessions()]
    gathered = Gathered(store, sessions, lambda log: RETAIL)
    makes = (preference.rows_of, sft.rows_of)
    rows = [json.dumps(list(gathered.rows(make, None, str))) for make in makes]
    return ["".join(tau2.parts(gathered)), *rows]


def test_a_table_has_the_labels_as_json_and_the_dataset_card_tells_what_they_are() -> None:
    first, _ = rows_of(log(on_card("a", "wrong", note="=1+1")))
    assert json.loads(flat(first)["labels"]) == first["labels"]
    assert COLUMNS["labels"] == "json"
    assert "right, wrong or unclear" in FIELDS["labels"]


def test_the_page_shows_each_label_where_it_belongs_and_leaves_none_out() -> None:
    text = "".join(
        page(
            log(
                Labelled(verdict="unclear", by="whole"),
                Labelled(about="event", seq=2, verdict="right", by="words", tags=("polite",)),
                Labelled(about="event", seq=3, verdict="right", by="nothing"),
                on_card("a", "wrong", "card", note="<b>"),
            )
        )
    )
    order = [
        "unclear (labelled by whole)",
        "please",
        "right (labelled by words) #polite",
        "declined by you",
        "wrong (labelled by card): &lt;b&gt;",
        "Labelled event 3 right (labelled by nothing)",
    ]
    places = [text.index(each) for each in order]
    assert places == sorted(places)
    assert text.count('<p class="label">') == 4


NAMES = st.sampled_from(["ann", "Bob", "Dr. Ann Lee", "card", "wrong"])


@given(NAMES, NAMES, st.lists(NAMES | st.just("likely"), max_size=4).map(" ".join))
def test_whoever_judged_is_named_nowhere_in_what_they_judged(
    one: str, other: str, note: str
) -> None:
    given_ = (
        on_card("a", "wrong", one, note=note, tags=(note,)),
        Reviewed(card_id="a", decision="approve", words=note, by=other),
    )
    events = log(*given_)
    hidden = SEEDED.without_judge_names(events)
    label, review = hidden[-2].event, hidden[-1].event
    assert isinstance(label, Labelled)
    assert isinstance(review, Reviewed)
    assert (label.by, review.by) == tuple(SEEDED.stand_in("judge", each) for each in (one, other))
    for text in (label.note, *label.tags, review.words):
        assert not {one.lower(), other.lower()} & set(text.lower().split())
        assert text.split().count("likely") == note.split().count("likely")
    assert (label.verdict, label.card_id, review.decision) == ("wrong", "a", "approve")
    assert hidden[:-2] == events[:-2]
    assert SEEDED.without_judge_names(hidden[:2]) == events[:2]


def test_a_judge_of_one_session_is_named_in_no_other_that_is_exported_with_it(
    tmp_path: Path,
) -> None:
    with Store.open(tmp_path / "sessions.sqlite") as store:
        first, second, third = record(store, RETAIL, RETAIL.scenarios[:3])
        store.append(first, [Reviewed(card_id="x", decision="approve", by="ann lee")])
        label = Labelled(verdict="wrong", by="bob", note="Ann Lee says so", tags=("ask ann lee",))
        store.append(second, [label])
        store.append(third, [Labelled(verdict="wrong", by="cy", note="as bob")])
        gathered = Gathered(store, [first, second], lambda log: RETAIL)
        assert gathered.judges() == {"ann lee", "bob"}
        redaction = Redaction("seed", gathered.judges())
        hidden = redaction.without_judge_names(store.read(second))[-1].event
    assert isinstance(hidden, Labelled)
    ann = redaction.stand_in("judge", "ann lee")
    assert (hidden.note, hidden.tags) == (f"{ann} says so", (f"ask {ann}",))
