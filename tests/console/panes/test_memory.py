from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from agent.memory.bank import Bank
from agent.memory.keeping import apply_changes as keep
from agent.memory.keeping import open_bank
from agent.memory.retrieval import recall_if_here
from agent.session.conversation import Conversation
from agent.session.replay import Replay
from console.panes.memory import MemoryPane
from console.panes.pane import Pane
from console.panes.session_view import SessionView
from console.panes.side import PANES, panes_of
from console.widgets.key_line import ShownKey
from console.widgets.pane_keys import PaneKeys
from sessions.events.memory import RETRIEVE
from sessions.store.store import Store
from sessions.views.memory import capabilities_read
from tests.agent.memory.entries import change, entry
from tests.agent.memory.test_recalling import ByNumber, asked
from tests.agent.memory.test_recalling import bank as numbered
from tests.agent.memory.test_retrieval import TAKE, bank, begun
from tests.agent.scripted import call
from tests.toy import toy_domain

LEARNED = entry("late", tool="take", key_insight="Who waited may take seven.", check={
    "name": "no more than five", "effect": "relaxes", "condition": "who waited"})  # fmt: skip
WAITING = entry("other", tool="take", key_insight="Nobody said so yet.")


class Plain(MemoryPane):
    room = 60


def told(held: object) -> str:
    return "".join(text for text, _ in Plain(cast(SessionView, held)).parts())


async def held_with(store: Store) -> Conversation:
    memory = keep(store, bank(store, TAKE, LEARNED), [change("propose", WAITING)])
    held, _ = await begun(
        store, memory,
        call(RETRIEVE), call(RETRIEVE, capabilities=["late", "take"]), "Yes.",
        call(RETRIEVE, capabilities=["nothing"]), "No.",
    )  # fmt: skip
    await held.say("may I?")
    await held.say("and more?")
    return held


async def test_what_was_read_and_when_and_what_waits_is_told_live_and_in_a_replay(
    tmp_path: Path,
) -> None:
    with Store.open(tmp_path / "s.db") as store:
        held = await held_with(store)
        text = told(held)
        assert "b · revision 3\n2 in force · 1 not accepted" in text
        assert "Read by the agent (2)" in text
        assert (
            "● turn 1 · late\n  Who waited may take seven.\n  relaxes “no more than five”" in text
        )
        assert "● turn 1 · take\n  as the policy states it" in text
        assert "turn 2" not in text  # what it asked for there is none of
        waits = open_bank(store, "b").waiting()[0].id
        assert f"Not accepted (1)\n? other · {waits}\n  Nobody said so yet." in text
        keep(store, open_bank(store, "b"), [change("accept", capability="other")])
        log = store.read(held.log.session)
        replay = Replay(
            toy_domain(), log, None, recall_if_here(store, held.log.session, held.status.memory)
        )
        assert "Read by the agent (0)\nnothing so far" in told(replay)
        replay.go_to(replay.length)
        assert told(replay) == text
        elsewhere = Replay(toy_domain(), log)
        elsewhere.go_to(elsewhere.length)
        assert "This session file no longer has the memory" in told(elsewhere)
        assert "● turn 1 · late\n  Who waited may take seven." in told(elsewhere)


async def test_what_was_handed_at_a_turn_is_told_and_counts_as_read(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        held, _ = await asked(store, replace(numbered(store), read_by="embedding"), ByNumber())
        text = told(held)
        assert "the agent is given the closest entries at each turn" in text
        assert "Read by the agent (5)" in text
        assert "● turn 2 · take_7 · 0.70\n  lesson 7" in text
        assert "○ turn 1 · also take_7, take_6" in text
        assert text.count("lesson 7") == 1
        assert capabilities_read(held.log.events) == {f"take_{n}" for n in range(3, 8)}
        control, _ = await asked(store, replace(open_bank(store, "b"), read_by="none"))
        assert "not read (baseline for comparison)" in told(control)
        assert capabilities_read(control.log.events) == frozenset()


async def test_a_policy_that_moved_is_told(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        bank(store, TAKE)
        made = open_bank(store, "b")
        held, _ = await begun(
            store, Bank(made.name, made.domain, "another", made.revision, made.capabilities)
        )
        assert "The policy of jars has changed" in " ".join(told(held).split())


def test_only_a_session_with_a_memory_has_the_pane() -> None:
    for memory, more in ((None, ()), (object(), (MemoryPane,))):
        held = SimpleNamespace(status=SimpleNamespace(memory=memory))
        assert panes_of(cast(SessionView, held)) == (*PANES, *more)


@pytest.mark.parametrize("width", [80, 200])
def test_every_panes_key_has_room(width: int) -> None:
    class Keys(PaneKeys):
        size = SimpleNamespace(width=width)  # type: ignore[assignment]

    panes: tuple[type[Pane], ...] = (*PANES, MemoryPane)
    names = ("End", *(pane.TITLE for pane in panes), "Help")
    line = Keys().fit(tuple(ShownKey("f2", "f2", name) for name in names))
    assert sum(sum(map(len, each.cells(narrow=True))) for each in line) - 1 <= width
    assert all(cut.description[:4] == name[:4] for cut, name in zip(line, names, strict=True))
