from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sessions.events import AnyEvent, Reviewed, SessionForked
from sessions.statistics.reviewing import CHOICES, ReviewedCard, reviewed_cards, reviews
from sessions.views.reviewing import CUSTOMER
from tests.sessions.toy import decided, log_of, shown, started


def reviewed(card: str, decision: str, by: str = "bo") -> Reviewed:
    return Reviewed.model_validate({"card_id": card, "decision": decision, "by": by})


def cards_of(*events: AnyEvent, wrong: dict[str, bool] | None = None) -> list[ReviewedCard]:
    return list(reviewed_cards(log_of(started(), *events), wrong))


def test_first_and_second_decisions_stand_beside_each_other() -> None:
    found = cards_of(
        shown("a"), decided("a", "ask", "why?"), decided("a", "change", "fewer"),
        shown("b"), decided("b", "approve", by="simulated"), shown("c"), decided("c", "reject"),
        reviewed("a", "reject"), reviewed("a", "approve", by="ann"), reviewed("b", "approve"),
        wrong={"a": True},
    )  # fmt: skip
    assert found == [
        ReviewedCard("a", {CUSTOMER: "change", "bo": "reject", "ann": "approve"}, True),
        ReviewedCard("b", {CUSTOMER: "approve", "bo": "approve"}, None),
    ]


def test_nobodys_approval_and_a_withdrawal_are_no_decisions() -> None:
    found = cards_of(
        *(shown("a"), decided("a", "approve", by="auto"), reviewed("a", "reject")),
        *(shown("b"), decided("b", "approve", by="rule"), reviewed("b", "reject")),
        *(shown("c"), decided("c", "withdrawn", by="interruption"), reviewed("c", "reject")),
        *(shown("d"), reviewed("d", "reject")),
    )
    assert [each.decisions for each in found] == [{"bo": "reject"}] * 4


def test_what_a_fork_shares_is_counted_with_its_parent_alone() -> None:
    shared = (shown("a"), reviewed("a", "reject"), SessionForked(parent="p", seq=3))
    assert cards_of(*shared, decided("a", "approve")) == []
    again = (decided("a", "approve"), reviewed("a", "change", by="cy"))
    assert cards_of(*shared, *again) == []
    (found,) = cards_of(*shared, *again, shown("b"), reviewed("b", "approve"))
    assert found.card == "b"


def test_a_reviewer_cannot_pass_for_whoever_decided_first() -> None:
    (found,) = cards_of(shown("a"), decided("a", "reject"), reviewed("a", "approve", by=CUSTOMER))
    assert found.decisions == {CUSTOMER: "reject"}


def test_without_a_review_there_is_nothing_to_report() -> None:
    assert cards_of(shown("a"), decided("a", "approve")) == []
    assert reviews([(), ()]) is None


def test_hits_and_false_alarms_are_counted_for_everybody_who_decided() -> None:
    cards = [
        ReviewedCard("a", {CUSTOMER: "approve", "bo": "reject"}, wrong=True),
        ReviewedCard("b", {CUSTOMER: "change", "bo": "change"}, wrong=True),
        ReviewedCard("c", {CUSTOMER: "approve", "bo": "reject"}, wrong=False),
        ReviewedCard("d", {"bo": "approve"}, wrong=False),
        ReviewedCard("e", {CUSTOMER: "approve", "bo": "approve"}, wrong=None),
    ]
    found = reviews([cards[:2], cards[2:]], draws=50)
    assert found is not None
    assert (found.cards, found.sessions, found.unknown, found.reviewers) == (5, 2, 1, ("bo",))
    first, second = found.detections
    assert (first.decider, first.hits.count, first.hits.n) == (CUSTOMER, 1, 2)
    assert (first.false_alarms.count, first.false_alarms.n) == (0, 1)
    assert (second.hits.count, second.hits.n, second.false_alarms.count) == (2, 2, 1)
    assert second.false_alarms.n == 2
    assert second.hits.interval is not None
    assert second.hits.interval.method == "wilson"


def test_where_it_is_not_known_which_cards_were_wrong_only_agreement_is_told() -> None:
    found = reviews([[ReviewedCard("a", {CUSTOMER: "approve", "bo": "reject"})]], draws=50)
    assert found is not None
    assert found.detections == ()
    assert found.agreement.pairs


@given(st.lists(st.tuples(st.sampled_from(CHOICES), st.sampled_from(CHOICES)), min_size=1))
def test_who_agrees_in_three_ways_agrees_on_approving(made: list[tuple[str, str]]) -> None:
    cards = [ReviewedCard(f"{n}", {CUSTOMER: a, "bo": b}) for n, (a, b) in enumerate(made)]
    found = reviews([cards], draws=20)
    assert found is not None
    (three,), (two,) = found.agreement.pairs, found.approval.pairs
    assert three.percent.value is not None
    assert two.percent.value is not None
    assert two.percent.value >= three.percent.value
    apart = {"reject", "change"} <= {each for pair in made for each in pair}
    assert found.tells_apart is apart
    assert apart or three.percent.value == two.percent.value
