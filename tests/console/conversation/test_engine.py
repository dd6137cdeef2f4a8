from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.gate.operator import AutoApprover
from agent.memory.keeping import make_bank
from console.conversation import engine
from console.conversation.engine import Engine
from console.setup import Setup
from domains.core.domain import Domain, Scenario
from domains.core.records import Base
from sessions.events.memory import RETRIEVE
from sessions.scoring import sources
from tests.sessions.toy import scenario, toy


class SlowBase(Base):
    """Notes in which threads its digest is worked out."""

    def __init__(self, collections: Mapping[str, Mapping[str, dict[str, Any]]]) -> None:
        super().__init__(collections, "two orders")
        self.threads: set[int] = set()

    @property
    def digest(self) -> str:
        if self._digest is None:
            self.threads.add(threading.get_ident())
        return super().digest


@pytest.mark.parametrize("again", [False, True])
async def test_records_and_tasks_are_read_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    reading: set[int] = set()

    def read(_: Domain) -> tuple[Scenario, ...]:
        reading.add(threading.get_ident())
        return (scenario(()),)

    def fresh(*_: object) -> Domain:
        return replace(toy(), base=SlowBase(toy().base.collections), read_scenarios=read)

    monkeypatch.setattr(engine, "load", fresh)
    monkeypatch.setattr(sources, "load_domain_of_session", fresh)
    monkeypatch.setattr(Engine, "ranker", lambda _: None)
    opened = Engine(tmp_path / "sessions.sqlite")
    setup = Setup(domain="toy", scenario="one", db=opened.db)
    held = await opened.open(setup, AutoApprover())
    if again:
        reading.clear()
        held = await opened.open(replace(setup, resume=held.log.session), AutoApprover())
    await opened.close()
    here = threading.get_ident()
    assert reading
    assert here not in reading
    assert isinstance(held.domain.base, SlowBase)
    assert again or (held.domain.base.threads and here not in held.domain.base.threads)


async def test_a_session_has_the_memory_that_was_named_and_reads_it_as_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "load", lambda *_: toy())
    monkeypatch.setattr(Engine, "ranker", lambda _: None)
    opened = Engine(tmp_path / "sessions.sqlite")
    used = make_bank(opened.store, "b", toy()).as_used
    setup = Setup(domain="toy", db=opened.db, memory="b", memory_by="none")
    held = await opened.open(setup, AutoApprover())
    await opened.close()
    assert held.status.memory == used.model_copy(update={"by": "none"})
    assert held.memory is not None
    assert RETRIEVE not in held.domain.tools
