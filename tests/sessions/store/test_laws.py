from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    rule,
)

from sessions.events import (
    AgentSaid,
    AnyEvent,
    CustomerSaid,
    ModelChanged,
    Noted,
    Safeguards,
    SafeguardsChanged,
    Scored,
    SessionEnded,
    ToolCalled,
    WriteApplied,
)
from sessions.store.errors import AlreadyRecorded, SessionBusy
from sessions.store.listing import SessionRow
from sessions.store.store import Store
from sessions.views import SessionStatus, status
from tests.effort import examples
from tests.sessions.toy import decided, shown, started, used

TEXT = st.text(max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
EVENTS: st.SearchStrategy[AnyEvent] = st.one_of(
    st.builds(CustomerSaid, text=TEXT, turn=st.integers(1, 9)),
    st.builds(AgentSaid, text=TEXT),
    st.builds(Noted, text=TEXT),
    st.builds(
        ToolCalled,
        call_id=TEXT,
        name=TEXT,
        arguments=st.dictionaries(TEXT, JSON, max_size=3),
    ),
    st.builds(SessionEnded, reason=st.just("customer")),
    st.builds(lambda n: shown(f"k{n}"), st.integers(0, 3)),
    st.builds(lambda n: decided(f"k{n}", "ask", "why?"), st.integers(0, 3)),
    st.builds(lambda n: decided(f"k{n}", "approve"), st.integers(0, 3)),
    st.builds(lambda n: used(f"k{n}"), st.integers(0, 3)),
    st.builds(ModelChanged, model=TEXT),
    st.builds(SafeguardsChanged, safeguards=st.builds(Safeguards, gate=st.booleans())),
    st.builds(
        Scored, scenario=TEXT, reward=st.sampled_from([0.0, 1.0]),
        records_match=st.booleans(), communicated=st.booleans(),
    ),
    st.builds(
        WriteApplied, card_id=TEXT, call_id=TEXT, name=TEXT, arguments=st.just({}), result=TEXT,
        error=st.booleans(), patch=st.just([]), records_digest=TEXT,
    ),
)  # fmt: skip


class StoreAgainstDict(RuleBasedStateMachine):
    """Whatever is done with a store, it holds what a dictionary of lists would."""

    sessions = Bundle("sessions")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "sessions.db"
        self.store = Store.open(self.path)
        self.model: dict[str, list[AnyEvent]] = {}

    @rule(target=sessions)
    def start(self) -> str:
        (logged,) = self.store.start(started())
        self.model[logged.session] = [logged.event]
        return logged.session

    @rule(session=sessions, events=st.lists(EVENTS, max_size=4), off=st.sampled_from([0, 0, 0, 1]))
    def append(self, session: str, events: list[AnyEvent], off: int) -> None:
        held = self.model[session]
        keyed = [(each.type, each.key) for each in (*held, *events) if each.key is not None]
        try:
            self.store.append(session, events, after=len(held) - off)
        except SessionBusy:
            assert off
        except AlreadyRecorded:
            assert len(keyed) > len(set(keyed))
        else:
            assert not off
            assert len(keyed) == len(set(keyed))
            held.extend(events)

    @rule(session=consumes(sessions))
    def delete(self, session: str) -> None:
        self.store.delete(session)
        del self.model[session]

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = Store.open(self.path)

    @invariant()
    def holds_what_the_model_holds(self) -> None:
        rows = self.store.sessions()
        logs = {row.id: self.store.read(row.id) for row in rows}
        held = {session: [each.event for each in log] for session, log in logs.items()}
        assert held == self.model
        assert [row.id for row in rows] == sorted(self.model, reverse=True)
        for row in rows:
            _assert_is_listed(row, status(logs[row.id]))

    def teardown(self) -> None:
        assert self.store.verify() == []
        self.store.close()
        shutil.rmtree(self.folder)


def _assert_is_listed(row: SessionRow, now: SessionStatus) -> None:
    reward = None if now.scored is None else now.scored.reward
    on = " ".join(name for name, value in now.safeguards if value is True)
    listed = (row.model, row.safeguards, row.cards, row.writes, row.ended, row.reward)
    assert listed == (now.model, on, now.cards, now.writes, now.ended, reward)


StoreAgainstDict.TestCase.settings = settings(
    max_examples=examples(200),
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

TestStoreAgainstDict = StoreAgainstDict.TestCase

# Starting Python takes longer than what is tested, so one program forks every victim.
VICTIMS = """
import os, random, signal, sys, time
from pathlib import Path
from sessions.events import AgentSaid, Noted
from sessions.store.store import Store
from tests.sessions.toy import started

def append_for_ever(path, done):
    store = Store.open(path)
    session = store.start(started())[0].session
    os.write(done, f"{session} 1\\n".encode())
    while True:
        last = store.append(session, [AgentSaid(text="x" * 900), Noted(text="and")])[-1].seq
        os.write(done, f"{session} {last}\\n".encode())

moments = random.Random(2)
for _ in range(40):
    heard, done = os.pipe()
    victim = os.fork()
    if not victim:
        append_for_ever(Path(sys.argv[1]), done)
    os.close(done)
    acknowledged = os.read(heard, 100)
    time.sleep(moments.uniform(0, 0.03))
    os.kill(victim, signal.SIGKILL)
    os.waitpid(victim, 0)
    while more := os.read(heard, 100_000):
        acknowledged += more
    os.close(heard)
    print(acknowledged.decode().splitlines()[-1])
"""


def test_no_acknowledged_event_is_lost_by_a_program_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    told = subprocess.run(
        [sys.executable, "-c", VICTIMS, str(path)], capture_output=True, text=True, check=True
    )
    pairs = [line.split() for line in told.stdout.splitlines()]
    acknowledged = {session: int(seq) for session, seq in pairs}
    assert path.with_name("sessions.db-wal").exists()
    with Store.open(path, read_only=True) as store:
        kept = {row.id: len(store.read(row.id)) for row in store.sessions()}
        assert store.verify() == []
    assert len(kept) == 40
    assert kept.keys() == acknowledged.keys()
    for session, count in kept.items():
        assert count - acknowledged[session] in (0, 2), "an append is whole, or is not there"
    assert max(kept.values()) > 10
