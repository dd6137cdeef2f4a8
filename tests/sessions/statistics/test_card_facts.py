from __future__ import annotations

import pytest

from sessions.events import AnyEvent, CustomerSaid, WriteApplied
from sessions.statistics.card_facts import CardFacts, card_facts
from sessions.views.cards import decision_rows
from tests.sessions.toy import CANCEL, decided, log_of, shown, started, used

WRITTEN = WriteApplied(
    card_id="a", call_id="c1", name="cancel", arguments=dict(CANCEL.arguments), result="", patch=[],
    records_digest="d",
)  # fmt: skip


def facts(*events: AnyEvent) -> CardFacts:
    said = CustomerSaid(text="Cancel it", turn=1)
    return card_facts(decision_rows(log_of(started(), said, *events)))


@pytest.mark.parametrize("died", [(), (used("a"),)], ids=["before the consent", "after it"])
def test_a_card_that_is_put_again_after_the_program_died_is_one_card(
    died: tuple[AnyEvent, ...],
) -> None:
    again = (shown("b", replaces="a"), decided("b", "approve"), used("b"))
    found = facts(shown("a"), decided("a", "approve"), *died, *again)
    assert (found.shown, found.approved) == (1, 1)


@pytest.mark.parametrize(
    "events",
    [
        (shown("a"), decided("a", "approve"), used("a"), WRITTEN, shown("b", replaces="a")),
        (shown("a"), decided("a", "withdrawn"), shown("b", replaces="a")),
        (shown("a"), decided("a", "approve"), shown("b")),
        (shown("a"), shown("b", replaces="a")),
        (
            shown("a"),
            decided("a", "approve"),
            shown("b", replaces="a").model_copy(update={"words_digest": "others"}),
        ),
    ],
    ids=["written", "withdrawn", "no replacement", "not approved", "in other words"],
)
def test_any_other_card_that_follows_is_another(events: tuple[AnyEvent, ...]) -> None:
    assert facts(*events).shown == 2
