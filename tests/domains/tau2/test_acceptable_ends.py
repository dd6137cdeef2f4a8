from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import domains
from domains.core.domain import Action, Domain, DomainError, Scenario
from domains.core.draft import Draft
from domains.core.tool import ToolCall
from domains.tau2 import acceptable_ends
from domains.tau2 import tasks as tau2_tasks
from domains.tau2.acceptable_ends import is_for, place_of, read, ways, with_ends
from domains.tau2.acceptable_ends_schema import Entry
from tests.domains.scenarios.scenario_ends import as_text, failed_checks
from tests.domains.tau2.acceptable_ends_table import TABLE, table
from tests.shared_data import TAU2, TAU2_VERIFIED

NAMES = ("airline", "retail")

needs_tasks = pytest.mark.skipif(
    not (TAU2.is_dir() and TAU2_VERIFIED.is_dir()), reason="τ²-bench's tasks are not here"
)

ENTRIES = [(name, entry) for name in NAMES for entry in read(place_of(name)).entries]
ids = [f"{name}-{entry.task}-{'-'.join(entry.written_for)}" for name, entry in ENTRIES]
every_entry = pytest.mark.parametrize(("name", "entry"), ENTRIES, ids=ids)

ANY_ORDER = [
    *[("airline", task) for task in ("17", "22")],
    *[("retail", task) for task in ("28", "29", "74", "81", "98", "100", "111", "112")],
]
"""Tasks for which the paper lists the orders of one list of writes."""


def folder_of(edition: str) -> Path | None:
    """Where the tasks of an edition are, if they are here."""
    if edition == "tau2 0.2":
        found = importlib.util.find_spec("tau2")
        return Path(str(found.origin)).parent / "data/tau2/domains" if found else None
    return {"tau2": TAU2, "verified": TAU2_VERIFIED}[edition]


@lru_cache
def domain_of(name: str) -> Domain:
    return domains.load(name, TAU2)


@lru_cache
def tasks(name: str, edition: str) -> dict[str, Scenario]:
    folder = folder_of(edition)
    assert folder is not None
    source = edition.split()[0]
    read_ones = tau2_tasks.read(folder / name / "tasks.json", domain_of(name))
    return {each.id: replace(each, source=source) for each in read_ones}


def versions(name: str, entry: Entry) -> dict[str, Scenario]:
    """The task of an entry in each edition that it is for, of those that are here."""
    found = [each for each in entry.written_for if folder_of(each) is not None]
    if not found:
        pytest.skip("the tasks of that edition are not here")
    return {edition: tasks(name, edition)[entry.task] for edition in found}


def writes(domain: Domain, calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    return tuple(call for call in calls if domain.tools.mutates(call.name))


def end_of(domain: Domain, calls: tuple[ToolCall, ...], *, strict: bool = False) -> str:
    """Where calls lead; where strict, none may fail and no declared check may."""
    draft = domain.records().draft()
    for call in calls:
        attempt = Draft(draft)
        if strict:
            assert not failed_checks(domain, draft, call)
        result = domain.tools.run(call, attempt)
        assert not (strict and result.error), result.text
        if not result.error:
            for change in attempt.changes():
                draft.put(change.collection, change.key, change.after or {})
    return as_text(draft.changes())


@needs_tasks
@every_entry
def test_an_entry_is_for_the_tasks_it_was_written_for(name: str, entry: Entry) -> None:
    for edition, task in versions(name, entry).items():
        assert acceptable_ends.fingerprint(task) == entry.written_for[edition]
        assert is_for(entry, task)
        assert not set(entry.need_not_say) & set(task.communicate)


@needs_tasks
@every_entry
def test_every_way_runs_is_allowed_and_ends_elsewhere(name: str, entry: Entry) -> None:
    domain = domain_of(name)
    listed = list(ways(entry))
    ends = [end_of(domain, calls, strict=True) for calls in listed]
    assert len(set(ends)) == len(ends)
    for task in versions(name, entry).values():
        own = writes(domain, task.ends[0])
        end_of_own = end_of(domain, own)
        there = [calls for calls, end in zip(listed, ends, strict=True) if end == end_of_own]
        assert there in ([], [own])
        assert not listed or len(there) < len(listed)


@needs_tasks
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edition", ["tau2", "tau2 0.2", "verified"])
def test_no_two_acceptable_ends_of_a_task_are_the_same(name: str, edition: str) -> None:
    if folder_of(edition) is None:
        pytest.skip("the tasks of that edition are not here")
    domain = domain_of(name)
    for task in with_ends(domain, own_only(tasks(name, edition))):
        ends = [end_of(domain, calls) for calls in task.ends]
        assert len(set(ends)) == len(ends)
        assert bool(task.ends_from) == (len(ends) > 1)


def own_only(found: dict[str, Scenario]) -> list[Scenario]:
    return [replace(task, ends=task.ends[:1], ends_from="") for task in found.values()]


@needs_tasks
def test_tasks_are_read_with_their_acceptable_ends() -> None:
    assert len(tasks("airline", "verified")["14"].ends) == 7
    assert len(tasks("retail", "verified")["69"].ends) == 2
    assert tasks("retail", "tau2")["0"].ends_from == ""


@needs_tasks
def test_words_that_a_task_asks_for_by_mistake_need_not_be_said() -> None:
    assert tasks("airline", "verified")["14"].communicate == ("327", "1000")
    assert tasks("airline", "tau2")["14"].communicate == ("327", "1000", "1786")
    for task_id in ("33", "34"):
        assert tasks("retail", "verified")[task_id].communicate == ()


@needs_tasks
@every_entry
def test_a_task_with_another_gold_list_keeps_its_own_end_alone(name: str, entry: Entry) -> None:
    for task in own_only(versions(name, entry)):
        look_up = Action(ToolCall("calculate", {"expression": "1 + 1"}))
        fixed = replace(task, actions=(*task.actions, look_up))
        assert with_ends(domain_of(name), [fixed]) == (fixed,)
        assert with_ends(domain_of(name), [replace(task, source="saber")])[0].ends_from == ""


@needs_tasks
@pytest.mark.parametrize(("name", "task_id"), ANY_ORDER)
def test_orders_that_the_paper_tells_apart_end_alike(name: str, task_id: str) -> None:
    domain = domain_of(name)
    for edition in ("tau2", "verified"):
        own = writes(domain, tasks(name, edition)[task_id].ends[0])
        assert len({end_of(domain, order) for order in permutations(own)}) == 1


@needs_tasks
def test_the_address_that_is_changed_back_may_be_so_before_or_after_the_order() -> None:
    domain = domain_of("retail")
    there, order, back = writes(domain, tasks("retail", "verified")["22"].ends[0])
    assert end_of(domain, (there, order, back)) == end_of(domain, (there, back, order))


@needs_tasks
def test_the_editions_of_a_task_that_only_names_another_card_end_alike() -> None:
    domain = domain_of("airline")
    ends = {end_of(domain, tasks("airline", each)["21"].ends[0]) for each in ("tau2", "verified")}
    assert len(ends) == 1


@needs_tasks
@pytest.mark.parametrize(("task_id", "order_id"), [("18", "#W2890441"), ("91", "#W3239882")])
def test_what_verified_exchanges_for_something_sold_out_stays(task_id: str, order_id: str) -> None:
    end = end_of(domain_of("retail"), tasks("retail", "verified")[task_id].ends[0])
    assert order_id not in end


def test_our_own_scenarios_have_no_ends_from_elsewhere(demo: Domain, airline_demo: Domain) -> None:
    for domain in (demo, airline_demo):
        assert with_ends(domain, domain.scenarios) == domain.scenarios


def test_a_domain_without_the_file_has_its_scenarios_as_they_are(demo: Domain) -> None:
    assert with_ends(replace(demo, name="toy"), demo.scenarios) == demo.scenarios


def test_the_table_says_what_the_data_say() -> None:
    assert TABLE.read_text(encoding="utf-8") == table()


@pytest.mark.parametrize(("name", "letter", "count"), [("airline", "C", 24), ("retail", "D", 18)])
def test_every_item_of_the_papers_appendices_is_compared_once(
    name: str, letter: str, count: int
) -> None:
    found = read(place_of(name))
    assert [row.item for row in found.compared] == [f"{letter}{n}" for n in range(1, count + 1)]
    assert all(len(row.paper.split()) <= 12 for row in found.compared)
    tasks_of = {row.item: row.tasks for row in found.compared}
    for entry in found.entries:
        item = entry.source.removeprefix("SABER ").split(",")[0]
        if entry.source.startswith("SABER "):
            assert entry.task in tasks_of[item]


CALL: dict[str, Any] = {"name": "cancel_reservation", "arguments": {"reservation_id": "A"}}
ENTRY: dict[str, Any] = {
    "task": "1",
    "written_for": {"tau2": "0"},
    "source": "x",
    "why": "y",
    "ends": [[CALL]],
}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"task": 1}, "entries.0.task"),
        ({"why": ""}, "entries.0.why"),
        ({"ends": []}, "entries.0"),
        ({"ends": [["cancel"]]}, "entries.0.ends.0.0"),
        ({"written_for": {}}, "entries.0.written_for"),
        ({"wyh": "y"}, "entries.0.wyh"),
        ({"ends": [[{"in_any_order": [CALL] * 6}]]}, "entries.0.ends"),
    ],
)
def test_a_file_that_is_wrong_is_told_with_its_field(
    tmp_path: Path, change: dict[str, Any], field: str
) -> None:
    path = tmp_path / "ends.json"
    path.write_text(json.dumps({"compared": [], "entries": [ENTRY | change]}), encoding="utf-8")
    with pytest.raises(DomainError) as told:
        read(path)
    assert str(path) in str(told.value)
    assert field in str(told.value)
