from __future__ import annotations

import json
from pathlib import Path

import pytest

import domains
from agent.gate.operator import AutoApprover
from agent.session.conversation import Conversation
from agent.session.resuming import CHANGED
from console.sources import folder_named
from domains import registry
from domains.core.domain import Domain, DomainError
from domains.core.records import RecordsMismatch
from sessions.events import Noted, SessionStarted
from sessions.scoring import records_of
from sessions.scoring.sources import load_domain_of_session
from sessions.store.store import Store
from sessions.views import SessionStatus, status
from tests.agent.scripted import ScriptedModel
from tests.console.commands.test_scenarios import task
from tests.console.stage import PLAIN
from tests.domains.retail.test_load import write_store
from tests.domains.retail.test_quirks import store


def write_tasks(path: Path, reason: str = "You want to return the mug.") -> None:
    path.write_text(json.dumps([task("1", reason)]), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_store(tmp_path / "data", store())
    write_tasks(tmp_path / "data" / "tasks.json")
    return tmp_path / "data"


def moved_to(place: Path, path: Path) -> Path:
    return path.rename(place)


def forget() -> None:
    """As another run of the program would begin."""
    registry._load.cache_clear()
    registry._with_tasks.cache_clear()


async def held(folder: Path, data: Path | None, tasks: Path | None = None) -> SessionStatus:
    """A session that was begun, and what is known of it from its log."""
    domain = domains.load("retail", data, tasks)
    with Store.open(folder / "s.sqlite") as db:
        scenario = domain.scenarios[0]
        talk = await Conversation.start(
            db,
            domain,
            ScriptedModel(),
            AutoApprover(),
            scenario=scenario,
            safeguards=PLAIN,
            data=data,
            tasks=tasks,
        )
        forget()
        return status(db.read(talk.status.session))


async def resumed(folder: Path, session: str, domain: Domain) -> Conversation:
    with Store.open(folder / "s.sqlite") as db:
        return await Conversation.resume(db, session, domain, ScriptedModel(), AutoApprover())


async def test_a_session_remembers_where_its_records_and_tasks_were(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tasks(tmp_path / "mine.json", "You want to keep the mug.")
    monkeypatch.chdir(tmp_path)
    session = await held(tmp_path, Path("data"), Path("mine.json"))
    assert (session.data, session.tasks) == (str(data), str(tmp_path / "mine.json"))
    monkeypatch.chdir(tmp_path.parent)
    domain = load_domain_of_session(session, None, None)
    talk = await resumed(tmp_path, session.session, domain)
    assert talk.scenario is not None
    assert talk.scenario.role.wants == ("You want to keep the mug.",)
    assert not any(isinstance(each.event, Noted) for each in talk.log.events)


async def test_a_demo_session_is_resumed_on_the_demo_records_whatever_is_set(
    data: Path, tmp_path: Path
) -> None:
    session = await held(tmp_path, None)
    assert load_domain_of_session(session, data, None).base.source == "the demo store"


async def test_records_that_went_elsewhere_are_taken_from_there(data: Path, tmp_path: Path) -> None:
    session = await held(tmp_path, data)
    moved = moved_to(tmp_path / "moved", data)
    with pytest.raises(DomainError, match=str(data)):
        load_domain_of_session(session, None, None)
    assert load_domain_of_session(session, moved, None).scenarios


async def test_of_two_folders_the_one_with_the_very_records_is_taken(
    data: Path, tmp_path: Path
) -> None:
    session = await held(tmp_path, data)
    moved = moved_to(tmp_path / "moved", data)
    others = store()
    others["orders"]["#W1"]["status"] = "cancelled"
    write_store(data, others)
    assert load_domain_of_session(session, moved, None).base.source == f"records in {moved}"
    with pytest.raises(RecordsMismatch), Store.open(tmp_path / "s.sqlite") as db:
        records_of(load_domain_of_session(session, None, None), db.read(session.session))


async def test_tasks_that_went_elsewhere_are_taken_from_there(data: Path, tmp_path: Path) -> None:
    write_tasks(tmp_path / "mine.json", "You want to keep the mug.")
    session = await held(tmp_path, data, tmp_path / "mine.json")
    moved = moved_to(tmp_path / "yours.json", tmp_path / "mine.json")
    with pytest.raises(DomainError, match=r"mine\.json"):
        load_domain_of_session(session, None, None).scenario("1")
    wants = load_domain_of_session(session, None, moved).scenario("1").role.wants
    assert wants == ("You want to keep the mug.",)


async def test_a_task_that_was_changed_meanwhile_is_told_in_the_log(
    data: Path, tmp_path: Path
) -> None:
    session = await held(tmp_path, data)
    write_tasks(data / "tasks.json", "You want to keep the mug.")
    talk = await resumed(tmp_path, session.session, load_domain_of_session(session, None, None))
    assert [each.event.text for each in talk.log.events if isinstance(each.event, Noted)] == [
        CHANGED
    ]


async def test_a_session_whose_task_is_gone_stays_as_it_was(data: Path, tmp_path: Path) -> None:
    session = await held(tmp_path, data)
    (data / "tasks.json").unlink()
    with Store.open(tmp_path / "s.sqlite") as db:
        before = db.read(session.session)
    with pytest.raises(DomainError, match="no scenario '1'"):
        await resumed(tmp_path, session.session, load_domain_of_session(session, None, None))
    with Store.open(tmp_path / "s.sqlite") as db:
        assert db.read(session.session) == before


def test_a_log_from_before_tasks_were_recorded_can_be_read() -> None:
    old = {"domain": "retail", "source": "x", "model": "clerk", "safeguards": {}, "program": "1"}
    digests = dict.fromkeys(("policy_digest", "tools_digest", "records_digest"), "0")
    started = SessionStarted.model_validate({**old, **digests, "scenario": "1"})
    assert (started.tasks, started.scenario_digest) == (None, None)


def test_the_demo_records_and_folders_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert folder_named("demo") is None
    assert folder_named("some") == tmp_path / "some"
    (tmp_path / "demo").mkdir()
    assert folder_named("demo") == tmp_path / "demo"
