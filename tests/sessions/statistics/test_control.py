from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.events import (
    PERSON,
    RULES,
    AgentNudged,
    AnyEvent,
    DecisionMade,
    GuardFired,
    RouteDecided,
    ToolReturned,
    WriteVerified,
)
from sessions.statistics.control import control_facts, is_passed_by_majority, together
from tests.agent.happenings import logged, written

SIMPLE = RouteDecided(turn=1, label="simple", latched=False, by="m", malformed=True)
COMPLEX = RouteDecided(turn=2, label="complex", latched=True, by="m", features=("two orders", "x"))
FIRED = GuardFired(call_id="1", name="take", arguments={}, guard="seen", why="w")
KEPT = WriteVerified(call_id="1", by="m", outcome="kept", candidates=())
LOOKED = ToolReturned(call_id="1", name="look", text="3")
REFUSED = ToolReturned(call_id="2", name="take", text="Error: no", error=True)
SENT_BACK = DecisionMade(card_id="c", decision="change", words="2", by="person", milliseconds=9)


def test_what_control_did_is_counted_from_the_log() -> None:
    found = control_facts(logged([SIMPLE, COMPLEX, FIRED, KEPT, KEPT, AgentNudged(text="do it")]))
    assert ([each.turn for each in found.coupled], found.immediate, found.emergent) == ([2], 0, 1)
    assert (dict(found.outcomes), dict(found.guards)) == ({"kept": 2}, {"seen": 1})
    assert (found.nudges, found.malformed) == (1, 1)
    opening = control_facts(logged([COMPLEX.model_copy(update={"turn": 1})]))
    assert (opening.immediate, opening.emergent) == (1, 0)
    both = together([found, opening, found])
    assert (both.immediate, both.emergent, both.outcomes["kept"]) == (1, 2, 4)
    assert control_facts(logged([SIMPLE])).coupled == ()
    later = SIMPLE.model_copy(update={"turn": 2})
    assert control_facts(logged([SIMPLE, later])).malformed == 2


@pytest.mark.parametrize(
    ("route", "trigger"),
    [
        (COMPLEX, "the model's word"),
        (COMPLEX.model_copy(update={"malformed": True}),
         "no label came, and the domain's default is COMPLEX"),
        (COMPLEX.model_copy(update={"by": PERSON}), "a person"),
        (COMPLEX.model_copy(update={"by": RULES, "features": ("Two are named: #1, #2.", "x")}),
         "Two are named"),
    ],
)  # fmt: skip
def test_what_a_session_was_coupled_for_is_told_without_anybodys_words(
    route: RouteDecided, trigger: str
) -> None:
    (found,) = control_facts(logged([SIMPLE, route])).coupled
    assert found.trigger == trigger


@pytest.mark.parametrize(
    ("happened", "after"),
    [
        ([], "words alone"),
        ([LOOKED], "look-ups"),
        ([written("c", "a"), LOOKED], "a change made"),
        ([LOOKED, REFUSED, LOOKED], "a refused call"),
        ([SENT_BACK, REFUSED], "a card sent back"),
    ],
)
def test_it_is_told_what_the_session_had_come_by_since_it_was_looked_at_last(
    happened: list[AnyEvent], after: str
) -> None:
    (found,) = control_facts(logged([SENT_BACK, REFUSED, SIMPLE, *happened, COMPLEX])).coupled
    assert found.after == after


@given(st.lists(st.booleans(), max_size=8))
def test_three_in_four_is_a_majority(earned: list[bool]) -> None:
    share = sum(earned) / len(earned) if earned else 0
    assert is_passed_by_majority(earned) == (share >= 0.75)
