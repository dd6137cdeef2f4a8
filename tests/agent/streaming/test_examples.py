from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.memory.bank import Bank, fold
from agent.memory.change import Change
from agent.streaming.examples import about_whole
from sessions.events.memory import ANY_TOOL
from sessions.store.memory import BankRow
from tests.agent.memory.entries import change
from tests.agent.memory.test_bank import rows


@given(st.lists(st.booleans(), max_size=6), st.integers(1, 3))
def test_what_is_kept_of_a_conversation_never_takes_the_name_of_another(
    undone: list[bool], several: int
) -> None:
    made: list[Change] = []
    for gone in undone:
        bank = _held(made)
        one = about_whole("insight", bank, [], "Look first.")
        assert one.tool == ANY_TOOL
        assert one.capability not in bank.capabilities
        made += [change("edit", one), *([change("undo", one)] if gone else [])]
    new = [about_whole("insight", _held(made), [], "Look.", n) for n in range(1, several + 1)]
    names = {each.capability for each in new}
    assert len(names) == several
    assert names.isdisjoint(_held(made).capabilities)


def _held(made: list[Change]) -> Bank:
    return fold(BankRow("b", "jars", "p", None, "now"), rows(*made))
