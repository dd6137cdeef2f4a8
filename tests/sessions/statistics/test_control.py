from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sessions.events import AgentNudged, GuardFired, RouteDecided, WriteVerified
from sessions.statistics.control import control_facts, passed_by_majority, together
from tests.agent.happenings import logged

SIMPLE = RouteDecided(turn=1, label="simple", latched=False, by="m", malformed=True)
COMPLEX = RouteDecided(turn=2, label="complex", latched=True, by="m", features=("two orders", "x"))
FIRED = GuardFired(call_id="1", name="take", arguments={}, guard="seen", why="w")
KEPT = WriteVerified(call_id="1", by="m", outcome="kept", candidates=())


def test_what_control_did_is_counted_from_the_log() -> None:
    found = control_facts(logged([SIMPLE, COMPLEX, FIRED, KEPT, KEPT, AgentNudged(text="do it")]))
    assert (found.coupled_since, found.immediate, found.emergent) == ((2,), 0, 1)
    assert found.triggers == ("two orders",)
    assert (dict(found.outcomes), dict(found.guards)) == ({"kept": 2}, {"seen": 1})
    assert (found.nudges, found.malformed) == (1, 1)
    opening = control_facts(logged([COMPLEX.model_copy(update={"turn": 1})]))
    assert (opening.immediate, opening.emergent) == (1, 0)
    both = together([found, opening, found])
    assert (both.immediate, both.emergent, both.outcomes["kept"]) == (1, 2, 4)
    assert control_facts(logged([SIMPLE])).coupled_since == ()


@given(st.lists(st.booleans(), max_size=8))
def test_three_in_four_is_a_majority(earned: list[bool]) -> None:
    share = sum(earned) / len(earned) if earned else 0
    assert passed_by_majority(earned) == (share >= 0.75)
