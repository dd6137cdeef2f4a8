"""Labels of conflict, and the focus set that is made of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.control.conflict import label_by_person, label_by_rules, read_answer
from agent.control.focus import (
    FocusSet,
    NoFocusSet,
    Trial,
    focus_set_path,
    in_focus,
    read_focus_set,
    write_focus_set,
)
from agent.control.focusing import NothingToLabel, label_run
from agent.models.litellm.model import LiteLLMModel
from agent.models.protocol import ModelFault
from sessions.events import (
    AnyEvent,
    DecisionMade,
    Labelled,
    OtherModelAsked,
    RunPlace,
    Safeguards,
    SessionEnded,
    ToolReturned,
)
from sessions.store.store import Store
from tests.agent.happenings import customer, logged, written
from tests.agent.models.litellm.wire_protocol import Reply
from tests.agent.models.litellm.wire_server import WireServer
from tests.sessions.toy import started
from tests.toy import toy_domain

SECOND = written("c2", "b").model_copy(update={"arguments": {"n": 2}})
REFUSED = ToolReturned(call_id="x", name="take", text="Error: Not that many coins", error=True)
REVISED = DecisionMade(card_id="c", decision="change", words="two", by="person", milliseconds=9)


@pytest.mark.parametrize(
    ("happened", "conflict"),
    [
        ([written("c", "a"), SECOND], True),
        ([written("c", "a")], False),
        ([written("c", "a"), written("c2", "b")], False),
        ([written("c", "a"), SECOND.model_copy(update={"error": True})], False),
        ([REFUSED], True),
        ([REVISED, written("c", "a")], True),
    ],
    ids=["two changes", "one change", "one twice", "one and a failure", "refused", "revised"],
)
def test_the_rules_see_what_happened(happened: list[AnyEvent], conflict: bool) -> None:
    label = label_by_rules(toy_domain(), logged([customer(1, "please"), *happened]))
    assert (label.conflict, bool(label.why), label.by) == (conflict, conflict, "rules")


def test_what_a_person_said_last_of_the_session_holds() -> None:
    said = Labelled(verdict="right", tags=("Conflict",), by="ann", note="two orders")
    of_a_card = said.model_copy(update={"about": "card", "card_id": "c", "tags": ("no-conflict",)})
    later = said.model_copy(update={"tags": ("no-conflict",)})
    first = label_by_person(logged([customer(1), said, of_a_card]))
    assert first is not None
    assert (first.conflict, first.by, first.why) == (True, "ann", ("two orders",))
    second = label_by_person(logged([customer(1), said, later]))
    assert second is not None
    assert not second.conflict
    both = said.model_copy(update={"tags": ("conflict", "no-conflict")})
    assert label_by_person(logged([customer(1), both])) is None


@pytest.mark.parametrize(
    ("answer", "conflict", "malformed"),
    [
        ("CONFLICT", True, False),
        (" **conflict**.\n", True, False),
        ("NO_CONFLICT", False, False),
        ("No conflict.", False, False),
        ("There is a CONFLICT", False, True),
        ("CONFLICT or NO_CONFLICT", False, True),
        ("", False, True),
    ],
)
def test_anything_but_one_of_the_words_is_no_conflict(
    answer: str, conflict: bool, malformed: bool
) -> None:
    label = read_answer(answer, "m")
    assert (label.conflict, label.malformed) == (conflict, malformed)


@given(st.dictionaries(st.text(max_size=3), st.lists(st.booleans(), min_size=1), max_size=6))
def test_a_task_is_in_focus_where_half_of_its_sessions_are(found: dict[str, list[bool]]) -> None:
    trials = [Trial(task, "s", each, "rules") for task, many in found.items() for each in many]
    chosen = in_focus(trials)
    for task, many in found.items():
        assert (task in chosen) == (many.count(True) >= many.count(False))
    assert set(in_focus(reversed(trials))) == set(chosen)


def test_a_set_is_kept_beside_its_session_file_and_read_again(tmp_path: Path) -> None:
    db = tmp_path / "it.sqlite"
    with pytest.raises(NoFocusSet, match="saber focus"):
        read_focus_set(db, "jars")
    made = FocusSet(domain="jars", run="base", tasks=("a", "b"), of=3)
    assert write_focus_set(made, db) == focus_set_path(db, "jars")
    assert read_focus_set(db, "jars") == made
    focus_set_path(db, "jars").write_text('{"domain": 3}')
    with pytest.raises(NoFocusSet, match="not a readable focus set"):
        read_focus_set(db, "jars")


def recorded(store: Store, task: str, *happened: AnyEvent, control: str = "baseline") -> str:
    safeguards = Safeguards.model_validate({"control": control})
    first = started(scenario=task).model_copy(
        update={"run": RunPlace(name="base"), "safeguards": safeguards}
    )
    return store.record([first, customer(1, "please"), *happened, SessionEnded(reason="customer")])


async def test_a_model_judges_what_no_person_has_and_what_it_costs_is_in_the_log(
    tmp_path: Path,
) -> None:
    async with WireServer() as server:
        server.script(Reply("CONFLICT"), Reply("NO_CONFLICT"))
        judge = LiteLLMModel("openai/scripted", api_base=server.base, api_key="k")
        with Store.open(tmp_path / "it.sqlite") as store:
            ids = [recorded(store, task) for task in ("one", "two", "three")]
            said = Labelled(verdict="right", tags=("conflict",), by="ann")
            store.append(ids[2], [said])
            found = await label_run(store, "base", judge)
            asked = [
                [e.event for e in store.read(each) if isinstance(e.event, OtherModelAsked)]
                for each in ids
            ]
    assert (found.tasks, found.of) == (("one", "three"), 3)
    assert [each["by"] for each in found.sessions] == [judge.name, judge.name, "ann"]
    assert [len(each) for each in asked] == [1, 1, 0]
    assert "Customer: please" in str(server.requests[0].body["messages"])


async def test_a_judge_that_cannot_be_asked_makes_no_set(tmp_path: Path) -> None:
    async with WireServer() as server:
        server.script(Reply(status=400, error="no"))
        judge = LiteLLMModel("openai/scripted", api_base=server.base, api_key="k")
        with Store.open(tmp_path / "it.sqlite") as store:
            recorded(store, "one")
            with pytest.raises(ModelFault):
                await label_run(store, "base", judge)


async def test_a_run_that_is_none_or_was_controlled_is_no_baseline(tmp_path: Path) -> None:
    with Store.open(tmp_path / "it.sqlite") as store:
        with pytest.raises(NothingToLabel, match="No session"):
            await label_run(store, "base")
        recorded(store, "one", control="routed")
        with pytest.raises(NothingToLabel, match="baseline"):
            await label_run(store, "base")
