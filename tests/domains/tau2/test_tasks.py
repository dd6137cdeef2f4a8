from __future__ import annotations

import copy
import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import domains
from domains import registry
from domains.core.domain import Domain, DomainError
from domains.scenarios.search import search
from domains.tau2 import tasks as tau2_tasks
from domains.tau2.roles import LONGEST_TITLE
from tests.domains.retail.test_load import write_store
from tests.domains.retail.test_quirks import store
from tests.domains.text.test_sentences import said
from tests.effort import tries
from tests.shared_data import TAU2, TAU2_VERIFIED

EDITIONS = [
    pytest.param(name, folder, id=f"{name}-{folder.name}")
    for name in ("retail", "airline")
    for folder in (TAU2, TAU2_VERIFIED)
]
COUNTS = {"retail": 114, "airline": 50}
HELPERS = {"find_user_id_by_name_zip", "transfer_to_human_agents"}


@pytest.fixture(autouse=True)
def _shared_data() -> None:
    if not (TAU2.is_dir() and TAU2_VERIFIED.is_dir()):
        pytest.skip("τ²-bench's tasks are not here")


def loaded(name: str, folder: Path) -> Domain:
    return domains.load(name, TAU2, None if folder == TAU2 else folder)


@cache
def raw(name: str, folder: Path) -> list[dict[str, Any]]:
    tasks: list[dict[str, Any]] = json.loads((folder / name / "tasks.json").read_text("utf-8"))
    return tasks


@pytest.mark.parametrize(("name", "folder"), EDITIONS)
def test_every_published_task_is_a_scenario(name: str, folder: Path) -> None:
    found = loaded(name, folder).scenarios
    assert len(found) == COUNTS[name]
    assert [each.id for each in found] == [task["id"] for task in raw(name, folder)]
    assert {each.source for each in found} == {"tau2" if folder == TAU2 else "verified"}
    assert len({each.digest for each in found}) == len(found)


@pytest.mark.parametrize(("name", "folder"), EDITIONS)
def test_what_a_task_is_scored_by_is_what_its_file_says(name: str, folder: Path) -> None:
    default = ["DB", "COMMUNICATE"]
    for each, task in zip(loaded(name, folder).scenarios, raw(name, folder), strict=True):
        scored = task["evaluation_criteria"]
        gold = [(call.name, call.arguments) for call in each.ends[0]]
        assert gold == [(call["name"], call["arguments"]) for call in scored["actions"]]
        assert tuple(action.call for action in each.actions) == each.ends[0]
        compared = [None if a.compare is None else list(a.compare) for a in each.actions]
        assert compared == [call.get("compare_args") for call in scored["actions"]]
        assert set(each.communicate) <= set(scored["communicate_info"])
        assert list(each.assertions) == (scored["nl_assertions"] or [])
        assert list(each.basis) == scored.get("reward_basis", default)
        assert each.transfer == ("transfer_to_human_agents" in {call[0] for call in gold})


@pytest.mark.parametrize(("name", "folder"), EDITIONS)
def test_every_gold_action_is_a_call_of_a_tool_there_is(name: str, folder: Path) -> None:
    domain = loaded(name, folder)
    calls = [action.call for each in domain.scenarios for action in each.actions]
    assert len(calls) > 100
    for call in calls:
        tool = domain.tools.get(call.name)
        assert tool is not None
        known = tool.schema["function"]["parameters"]["properties"]
        if (name, folder, call.name) != ("retail", TAU2_VERIFIED, "get_item_details"):
            assert set(call.arguments) <= set(known)


@pytest.mark.parametrize(("name", "folder"), EDITIONS)
def test_a_role_says_all_that_the_customer_is_told(name: str, folder: Path) -> None:
    for each, task in zip(loaded(name, folder).scenarios, raw(name, folder), strict=True):
        told, role = task["user_scenario"]["instructions"], each.role
        assert role.who.startswith(("You", "You're"))
        assert said("".join(role.wants)) == said(told["reason_for_call"])
        assert said(role.manner) == said(told["task_instructions"])
        assert said("".join(role.does_not_know)) == said(told["unknown_info"] or "")
        assert sorted(said("".join((role.who, *role.knows)))) == sorted(said(told["known_info"]))


@pytest.mark.parametrize(("name", "folder"), EDITIONS)
def test_a_title_is_short_and_in_the_customers_own_words(name: str, folder: Path) -> None:
    for each, task in zip(loaded(name, folder).scenarios, raw(name, folder), strict=True):
        parts = task["user_scenario"]["instructions"].values()
        told = " ".join(part or "" for part in parts).replace("_", " ").casefold()
        assert len(each.title) <= LONGEST_TITLE
        name_of, _, wish = each.title.rpartition(": ")
        assert name_of
        words = (name_of + " " + wish.removeprefix("ask ").rstrip("…")).casefold().split()
        assert all(word in told for word in words)


@pytest.mark.parametrize(("name", "folder"), EDITIONS)
def test_splits_are_those_of_the_records_where_the_tasks_have_none(name: str, folder: Path) -> None:
    splits = json.loads((TAU2 / name / "split_tasks.json").read_text("utf-8"))
    found = loaded(name, folder).scenarios
    for split, listed in splits.items():
        assert {each.id for each in found if split in each.splits} == set(listed)


def test_a_published_task_is_found_by_words_of_its_role() -> None:
    found = search(loaded("airline", TAU2).scenarios, "suitcases garcia")
    assert [each.id for each in found] == ["3"]


def test_two_choices_of_tasks_share_one_set_of_records() -> None:
    verified, own = loaded("retail", TAU2_VERIFIED), loaded("retail", TAU2)
    assert verified.base is own.base
    assert verified.scenario("10").digest != own.scenario("10").digest


# -- a folder of our own


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Records, and the first tasks of τ²-bench, which need not be about them to be read."""
    write_store(tmp_path, store())
    write(tmp_path, raw("retail", TAU2)[:3])
    return tmp_path


def write(folder: Path, content: Any, file: str = "tasks.json") -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / file).write_text(text, encoding="utf-8")


def complaint(folder: Path) -> str:
    registry._load.cache_clear()
    registry._with_tasks.cache_clear()
    with pytest.raises(DomainError) as caught:
        _ = domains.load("retail", folder).scenarios
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def changed(path: tuple[str | int, ...], value: Any) -> list[dict[str, Any]]:
    tasks = copy.deepcopy(raw("retail", TAU2)[:3])
    holder: Any = tasks[2]
    for step in path[:-1]:
        holder = holder[step]
    if value is REMOVED:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return tasks


REMOVED = "<removed>"  # a word, since workers must agree on the names of the cases
ACTIONS = ("evaluation_criteria", "actions")
TOLD = ("user_scenario", "instructions")
BREAKS: list[tuple[tuple[str | int, ...], list[Any]]] = [
    (("id",), [7, None, "", " 2", "a\nb", "x" * 999, REMOVED, "0"]),
    (("user_scenario",), [7, None, [], {}, "text", REMOVED]),
    (("user_scenario", "persona"), [7, [], {"a": 1}]),
    (TOLD, [7, None, [], {}, REMOVED]),
    ((*TOLD, "reason_for_call"), [7, None, [], REMOVED, "x" * 20_001]),
    ((*TOLD, "task_instructions"), [7, None, [], REMOVED]),
    ((*TOLD, "known_info"), [7, [], {"a": 1}]),
    ((*TOLD, "unknown_info"), [7, True]),
    ((*TOLD, "domain"), [7, None, "airline"]),
    ((*TOLD, "reson"), ["misspelt"]),
    (("initial_state",), [7, {"message_history": [1]}, "state", [1]]),
    (("evaluation_criteria",), [7, [], "text", [{}]]),
    (ACTIONS, [7, {}, "text", [7], [{}]]),
    ((*ACTIONS, 0, "action_id"), [7, None, REMOVED]),
    ((*ACTIONS, 0, "name"), [7, None, REMOVED, "nope", ""]),
    ((*ACTIONS, 0, "arguments"), [7, None, REMOVED, [], {"a": float("nan")}]),
    ((*ACTIONS, 0, "arguments", "zip"), [[{"a": float("inf")}]]),
    ((*ACTIONS, 0, "requestor"), ["user", 7, None]),
    ((*ACTIONS, 0, "compare_args"), [7, "zip", [7], ["zap"]]),
    ((*ACTIONS, 0, "info"), [7]),
    ((*ACTIONS, 0, "argument"), [{}]),
    (("evaluation_criteria", "env_assertions"), [7, [{}], "x"]),
    (("evaluation_criteria", "communicate_info"), [7, "10", [10], {}]),
    (("evaluation_criteria", "nl_assertions"), [7, "x", [None]]),
    (("evaluation_criteria", "reward_basis"), [7, None, "DB", ["ENV"], ["ENV_ASSERTION"]]),
    (("evaluation_criteria", "reward_bases"), [["DB"]]),
]
CASES = [(path, value) for path, values in BREAKS for value in values]


@pytest.mark.parametrize(("path", "value"), CASES, ids=lambda each: repr(each)[:60])
def test_a_broken_field_is_named_with_its_file_and_task(
    folder: Path, path: tuple[str | int, ...], value: Any
) -> None:
    write(folder, changed(path, value))
    message = complaint(folder)
    assert str(folder / "tasks.json") in message
    assert "task 3 (id " in message
    named = str(path[-1])
    assert named in message or (named == "zip" and "arguments" in message)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=5,
)
PATHS = st.sampled_from([path for path, _ in BREAKS] + [("description",), ("issues",)])


@settings(max_examples=tries(60))
@given(PATHS, JSON | st.just(REMOVED))
def test_whatever_stands_in_a_field_the_tasks_load_or_a_sentence_names_the_file(
    tmp_path_factory: pytest.TempPathFactory, path: tuple[str | int, ...], value: Any
) -> None:
    folder = tmp_path_factory.getbasetemp() / "fuzzed"
    folder.mkdir(exist_ok=True)
    try:
        tasks = changed(path, value)
    except KeyError:  # what is not there cannot be removed
        return
    write(folder, tasks)
    message = ""
    try:
        tau2_tasks.read(folder / "tasks.json", domains.load("retail"))
    except DomainError as error:
        message = str(error)
    assert not message or str(folder / "tasks.json") in message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("{", "not valid JSON"),
        ("{}", "list"),
        ("null", "list"),
        ("[7]", "task 1"),
        ("[null]", "task 1"),
        ("[" * 100_000, "nested too deeply"),
        ("[" + "9" * 5000 + "]", "too many digits"),
    ],
)
def test_a_file_of_something_else_is_refused(folder: Path, content: str, words: str) -> None:
    write(folder, content)
    message = complaint(folder)
    assert "tasks.json" in message
    assert words in message


def test_a_file_that_is_too_large_is_refused_unread(folder: Path) -> None:
    with (folder / "tasks.json").open("r+b") as file:
        file.truncate(200 * 1024 * 1024)
    assert "is larger than" in complaint(folder)


def test_the_records_are_there_even_where_the_tasks_are_broken(folder: Path) -> None:
    write(folder, "{ broken")
    domain = domains.load("retail", folder)
    assert domain.records()
    with pytest.raises(DomainError, match=r"tasks\.json"):
        domain.scenario("0")


def test_records_without_tasks_are_for_free_play(folder: Path) -> None:
    (folder / "tasks.json").unlink()
    domain = domains.load("retail", folder)
    assert domain.scenarios == ()
    with pytest.raises(DomainError, match="has none for these records"):
        domain.scenario("0")


def test_an_id_that_occurs_twice_is_named_with_both_places(folder: Path) -> None:
    tasks = raw("retail", TAU2)[:3]
    write(folder, [*tasks, tasks[1]])
    assert "task 4 (id 1).id: task 2 has this id too" in complaint(folder)


@pytest.mark.parametrize(
    ("splits", "words"),
    [
        ({"train": ["0", "9"]}, "train.1: tasks.json has no task '9'"),
        ({"train": "0"}, "train: input should be a valid list"),
        ({"train": [0]}, "train.0: input should be a valid string"),
        ([], "valid dictionary"),
        ("{", "not valid JSON"),
    ],
)
def test_broken_splits_are_named(folder: Path, splits: Any, words: str) -> None:
    write(folder, splits, "split_tasks.json")
    message = complaint(folder)
    assert str(folder / "split_tasks.json") in message
    assert words in message


def test_a_task_may_be_one_text_and_may_be_unscored(folder: Path) -> None:
    task = {"id": "a", "user_scenario": {"instructions": "You are Ann Lee. You want a new lamp."}}
    write(folder, [task])
    (only,) = domains.load("retail", folder).scenarios
    assert only.role.who == "You are Ann Lee."
    assert only.role.wants == ("You want a new lamp.",)
    assert only.title.startswith("Ann Lee: ")
    assert only.basis == ()
    assert only.ends == ((),)


def test_tasks_are_taken_from_a_file_of_any_name(folder: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    shutil.copy(folder / "tasks.json", mine)
    write(tmp_path, {"few": ["2"]}, "split_mine.json")
    found = domains.load("retail", folder, mine).scenarios
    assert [each.splits for each in found] == [(), (), ("few",)]


def test_splits_of_other_tasks_are_not_taken(folder: Path, tmp_path: Path) -> None:
    write(folder, {"train": ["0"]}, "split_tasks.json")
    other = tmp_path / "other"
    other.mkdir()
    write(other, raw("retail", TAU2)[1:2])
    assert domains.load("retail", folder, other).scenarios[0].splits == ()


def test_a_folder_without_tasks_is_told(folder: Path, tmp_path: Path) -> None:
    domain = domains.load("retail", folder, tmp_path / "nowhere")
    with pytest.raises(DomainError, match=r"There is no tasks.json of retail in"):
        _ = domain.scenarios
    long = domains.load("retail", folder, tmp_path / ("x" * 300))
    with pytest.raises(DomainError, match="cannot be read"):
        _ = long.scenarios


@pytest.mark.parametrize("name", ["retail", "airline"])
@pytest.mark.parametrize(
    ("folder", "edition"), [(TAU2, "tau2"), (TAU2_VERIFIED, "verified")], ids=["published", "ver"]
)
@pytest.mark.parametrize("called", ["verified", "tasks"])
def test_whose_tasks_a_file_holds_is_told_by_them_and_not_by_its_path(
    tmp_path: Path, name: str, folder: Path, edition: str, called: str
) -> None:
    if not (folder / name / "tasks.json").is_file():
        pytest.skip("these tasks are not here")
    place = tmp_path / called / "tasks.json"
    place.parent.mkdir()
    place.write_bytes((folder / name / "tasks.json").read_bytes())
    found = domains.load(name, TAU2, place).scenarios
    assert {each.source for each in found} == {edition}
