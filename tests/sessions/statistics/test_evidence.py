from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sessions.events import Card, Disagreement, Precondition, Reviewed
from sessions.scoring.card_calls import CallVerdict
from sessions.statistics.evidence import (
    Caught,
    JudgedCard,
    Line,
    SessionEvidence,
    card_report,
    card_reports,
)
from sessions.statistics.intervals import wilson
from tests.sessions.statistics.rows import row
from tests.sessions.toy import card

VERDICTS = ("right", "wrong", "against the policy", "not decidable")


def line(name: str, verdict: str) -> Precondition:
    return Precondition.model_validate({"name": name, "source": "policy", "verdict": verdict})


def told(*lines: Precondition, kinds: tuple[str, ...] = ()) -> Card:
    found = tuple(Disagreement(kind=each, does="x") for each in kinds)
    return card("k").model_copy(update={"before": lines, "disagreements": found})


def judged(verdict: str, shown: Card, *reviews: Reviewed) -> JudgedCard:
    return JudgedCard(shown, 1, "recorded", CallVerdict(verdict), reviews)  # type: ignore[arg-type]


def review(by: str, decision: str, form: str = "card") -> Reviewed:
    return Reviewed.model_validate(
        {"card_id": "k", "by": by, "decision": decision, "form": form}
    )  # fmt: skip


def counted(found: Caught) -> tuple[int, int, int, int]:
    return found.wrong.count, found.wrong.n, found.right.count, found.right.n


OPEN, BROKEN = line("It is open", "holds"), line("It is open", "fails")
ASKED = line("You asked for it", "judge")

STORY = (
    judged("wrong", told(BROKEN, ASKED), review("ann", "reject"), review("bo", "approve", "raw")),
    judged("wrong", told(OPEN, kinds=("amount", "amount")), review("ann", "change")),
    judged("wrong", told(OPEN, ASKED), review("ann", "approve"), review("cy", "reject", "raw")),
    judged("right", told(BROKEN, kinds=("date",)), review("ann", "reject")),
    judged("right", told(OPEN), review("ann", "approve"), review("bo", "approve", "raw")),
    judged("against the policy", told(BROKEN), review("ann", "reject")),
    judged("not decidable", told(BROKEN, kinds=("amount",)), review("cy", "reject", "raw")),
)


def test_every_number_of_a_small_table_is_what_one_counts_by_hand() -> None:
    found = card_report("g", [row()], STORY)
    assert (found.wrong, found.right) == (3, 2)
    assert (found.against_the_policy, found.not_decidable) == (1, 1)
    assert (found.recorded, found.live, found.sessions) == (7, 0, 1)
    assert counted(found.any_check) == (1, 3, 1, 2)
    assert counted(found.any_disagreement) == (1, 3, 1, 2)
    assert counted(found.any_speaks_against) == (2, 3, 1, 2)
    assert counted(found.any_question) == (2, 3, 0, 2)
    assert [(each.kind, each.name, counted(each.caught)) for each in found.lines] == [
        ("check", "It is open", (1, 3, 1, 2)),
        ("disagreement", "amount", (1, 3, 0, 2)),
        ("disagreement", "date", (0, 3, 1, 2)),
        ("question", "You asked for it", (2, 3, 0, 2)),
    ]
    assert found.any_speaks_against.wrong.interval == wilson(2, 3)


def test_readers_are_counted_by_what_they_were_shown() -> None:
    found = card_report("g", [row()], STORY)
    assert [(each.name, each.form, counted(each.caught)) for each in found.readers] == [
        ("ann", "card", (2, 3, 1, 2)),
        ("bo", "raw", (0, 1, 0, 1)),
        ("cy", "raw", (1, 1, 0, 0)),
    ]
    (together,) = found.all_readers
    assert (together.form, counted(together.caught)) == ("raw", (1, 2, 0, 1))


def test_a_check_that_never_fires_is_a_line_all_the_same() -> None:
    found = card_report("g", [row()], [judged("wrong", told(OPEN))])
    assert [(each.name, counted(each.caught)) for each in found.lines] == [
        ("It is open", (0, 1, 0, 0))
    ]  # fmt: skip


def test_sessions_are_counted_apart_by_domain_and_model() -> None:
    def session(name: str, **more: Any) -> SessionEvidence:
        return SessionEvidence(row(session=name, **more), STORY)

    named = (session("a"), session("b"), session("c", model="x"), session("d", domain="other"))
    found = card_reports([*named, SessionEvidence(row(session="e"), ())])
    assert [(each.name, each.sessions, each.wrong) for each in found] == [
        ("other · clerk", 1, 3), ("toy · clerk", 2, 6), ("toy · x", 1, 3)
    ]  # fmt: skip


CARDS = st.lists(
    st.builds(
        judged,
        st.sampled_from(VERDICTS),
        st.builds(
            told,
            st.sampled_from([OPEN, BROKEN, ASKED]),
            kinds=st.lists(st.sampled_from(["amount", "date"]), max_size=2).map(tuple),
        ),
    ),
    max_size=12,
)


@given(CARDS)
def test_what_fires_together_is_no_less_than_each_and_no_more_than_the_sum(
    cards: list[JudgedCard],
) -> None:
    found = card_report("g", [row()], cards)
    parts: list[Line] = [each for each in found.lines if each.kind != "question"]
    for side in ("wrong", "right"):
        together = getattr(found.any_speaks_against, side)
        each = [getattr(line.caught, side) for line in parts]
        assert max((one.count for one in each), default=0) <= together.count
        assert together.count <= sum(one.count for one in each)
        assert {one.n for one in each} <= {together.n}
    apart = found.against_the_policy + found.not_decidable
    assert found.wrong + found.right + apart == len(cards)
