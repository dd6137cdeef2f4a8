from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from console import cli
from tests.console.forked_saber import in_terminal, saber
from tests.domains.retail.test_load import write_store
from tests.domains.retail.test_quirks import store
from tests.shared_data import ANY_TAU2, TAU2, TAU2_VERIFIED


def task(task_id: str, reason: str, **scored: Any) -> dict[str, Any]:
    told = {
        "domain": "retail",
        "reason_for_call": reason,
        "known_info": "You are Ann Lee.",
        "unknown_info": "You do not know your zip code",
        "task_instructions": "You are terse. Be kind.",
    }
    return {
        "id": task_id,
        "description": {"purpose": "The agent should refuse."},
        "user_scenario": {"instructions": told},
        "evaluation_criteria": {"actions": [], **scored},
    }


CANCEL = {
    "action_id": "a",
    "name": "cancel_pending_order",
    "arguments": {"order_id": "#W1", "reason": "no longer needed"},
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    write_store(folder, store())
    tasks = [
        task("1", "You want to return the mug.", nl_assertions=["It is refused."]),
        task("2", "You want to cancel your \x1b[31morder.", actions=[CANCEL]),
    ]
    (folder / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    (folder / "split_tasks.json").write_text('{"train": ["1"], "test": ["2"]}', encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def _no_data_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAU2_DATA_DIR", raising=False)


def scenarios(*arguments: object) -> Result:
    return CliRunner().invoke(cli.saber, ["scenarios", *map(str, arguments)])


def listed(*arguments: object) -> list[str]:
    done = scenarios(*arguments)
    assert done.exit_code == 0, done.output
    return [line.split()[0] for line in done.stdout.splitlines()]


def refused(*arguments: object) -> str:
    done = scenarios(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


def test_tasks_beside_the_records_are_listed_with_tags_and_splits(data: Path) -> None:
    first, second = scenarios("--data", data).stdout.splitlines()
    assert first == "1  Ann Lee: return the mug  return · train"
    assert second == "2  Ann Lee: cancel your     cancel · test"


def test_the_list_is_narrowed_by_words_split_and_tag(data: Path) -> None:
    assert listed("--data", data, "--search", "MUG ann") == ["1"]
    assert listed("--data", data, "--split", "test") == ["2"]
    assert listed("--data", data, "--tag", "cancel") == ["2"]
    assert listed("--data", data, "--tag", "cancel", "--split", "train") == []
    assert "No scenario matches" in scenarios("--data", data, "--search", "zebra").stderr


def test_a_split_or_tag_that_there_is_not_is_told_with_those_there_are(data: Path) -> None:
    assert refused("--data", data, "--split", "tset").endswith("There are: train, test.")
    assert "There are: return, cancel." in refused("--data", data, "--tag", "book")
    assert "There are: gaps." in refused("--split", "test")


def test_where_there_are_no_splits_that_is_told(data: Path) -> None:
    (data / "split_tasks.json").unlink()
    assert "None of them has a split" in refused("--data", data, "--split", "test")


def test_a_role_is_shown_without_what_is_expected(data: Path) -> None:
    shown = scenarios("show", "1", "--data", data).stdout
    for line in ("You are Ann Lee.", "• You want to return the mug.", "• Be kind."):
        assert line in shown.splitlines()
    assert "• You do not know your zip code" in shown.splitlines()
    assert "refuse" not in shown
    shown = scenarios("show", "2", "--data", data).stdout
    assert "• You want to cancel your [31morder." in shown.splitlines()
    assert "#W1" not in shown


def test_spoilers_are_shown_when_asked_for(data: Path) -> None:
    shown = scenarios("show", "2", "--data", data, "--spoilers").stdout
    assert 'cancel_pending_order(order_id="#W1", reason="no longer needed")' in shown
    assert "Scored by DB, COMMUNICATE" in shown
    shown = scenarios("show", "1", "--data", data, "--spoilers").stdout
    assert "nothing" in shown
    assert "It is refused." in shown
    assert "should refuse" not in shown


def test_programs_are_told_the_same(data: Path) -> None:
    rows = json.loads(scenarios("--data", data, "--json").stdout)
    assert [row["id"] for row in rows] == ["1", "2"]
    assert rows[0]["splits"] == ["train"]
    assert rows[0]["source"] == "tau2"
    assert "ends" not in rows[0]
    row = json.loads(scenarios("show", "2", "--data", data, "--json", "--spoilers").stdout)
    assert row["ends"][0][0]["name"] == "cancel_pending_order"
    assert "\x1b" not in row["title"]


def test_options_may_stand_before_show_and_after_it(data: Path) -> None:
    before = scenarios("--data", data, "show", "1").stdout
    assert before == scenarios("show", "1", "--data", data).stdout
    assert before


def test_an_unknown_id_is_a_sentence(data: Path) -> None:
    assert refused("show", "9", "--data", data).startswith("There is no scenario '9' in retail")


def test_the_environment_names_the_data_where_nothing_else_does(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAU2_DATA_DIR", str(data))
    assert listed() == ["1", "2"]
    assert "clicky-keyboard" in listed("--data", "demo")


def test_an_installed_package_is_named_and_a_folder_of_that_name_goes_before_it(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = data.parent / "site" / "tau2"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(package.parent)
    write_store(package / "data/tau2/domains/retail", store())
    tasks = json.dumps([task("of-the-package", "You want to return the mug.")])
    (package / "data/tau2/domains/retail/tasks.json").write_text(tasks)
    assert listed("--data", "tau2") == ["of-the-package"]
    data.rename(data.with_name("tau2"))
    monkeypatch.chdir(data.parent)
    assert listed("--data", "tau2") == ["1", "2"]


def test_tasks_may_lie_elsewhere_and_need_the_records(data: Path) -> None:
    other = data.with_name("mine.json")
    other.write_text(json.dumps([task("mine", "You want to keep the mug.")]))
    assert listed("--data", data, "--tasks", other) == ["mine"]
    assert "--tasks needs --data" in refused("--tasks", other)
    assert "There is no tasks.json" in refused("--data", data, "--tasks", data.parent)


def test_a_broken_task_is_a_sentence_for_a_shell(data: Path) -> None:
    (data / "tasks.json").write_text('[{"id": "1"}]')
    done = saber("scenarios", "--data", str(data))
    assert done.returncode == 2
    assert "tasks.json" in done.stderr
    assert "task 1 (id 1).user_scenario" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_option_before_the_command_is_told_to_stand_after_it(data: Path) -> None:
    done = saber("--data", str(data), "scenarios")
    assert done.returncode == 2
    assert "--data goes after the command" in done.stderr


def test_broken_tasks_or_an_unknown_task_leave_a_sentence_in_the_terminal(data: Path) -> None:
    db = ("--db", str(data / "s.sqlite"))
    output, code = in_terminal("play", *db, "--data", str(data), "--scenario", "9")
    assert "There is no scenario '9'" in " ".join(output.split())
    assert code == 2


@pytest.mark.skipif(not TAU2_VERIFIED.is_dir(), reason="τ²-bench's tasks are not here")
@pytest.mark.parametrize(("domain", "count"), [("retail", 40), ("airline", 20)])
def test_the_test_split_of_the_verified_tasks_is_listed(domain: str, count: int) -> None:
    where = ("--domain", domain, "--data", TAU2, "--tasks", TAU2_VERIFIED)
    assert len(listed(*where, "--split", "test")) == count


@pytest.mark.skipif(not ANY_TAU2.is_dir(), reason="τ²-bench's records are not here")
def test_what_stands_in_a_gap_is_a_split_of_its_own_told_with_gap_and_variant() -> None:
    where = ("--data", ANY_TAU2)
    lines = scenarios(*where, "--split", "gaps").stdout.splitlines()
    assert len(lines) == 12
    assert lines[1].endswith("exchange · gaps · same-item-exchange, simplified")
    assert not set(listed(*where)) & set(listed(*where, "--split", "gaps"))
    shown = json.loads(scenarios("show", "18-different", *where, "--json").stdout)
    told = shown["gap"], shown["parent"], shown["variant"]
    assert told == ("same-item-exchange", "18-parent", "different")
    assert "explanation" not in shown
    spoiled = scenarios("show", "18-different", *where, "--spoilers").stdout
    assert "A gap in the policy, missing exception: the sister with another" in spoiled
