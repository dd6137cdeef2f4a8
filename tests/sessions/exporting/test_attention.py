from __future__ import annotations

import asyncio
import csv
import json
import re
from collections import Counter
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import domains
from agent.headless.playing import play
from agent.models.choosing import make_model
from agent.session.conversation import Conversation
from agent.simulated.customer import AtTheGate
from agent.simulated.scripted import ScriptedCustomer
from domains.core.personal import personal_values
from sessions.events import (
    AnyEvent,
    CustomerSaid,
    Logged,
    Safeguards,
    SessionForked,
)
from sessions.exporting import agentack, dataset_card, preference, sft, write_jsonl
from sessions.exporting import attention as exported
from sessions.exporting.confirmations import rows_of
from sessions.exporting.page import page
from sessions.exporting.raw import lines
from sessions.exporting.redacting import Redaction
from sessions.exporting.tables import COLUMNS, flat, write_csv
from sessions.importing.storing import import_sessions
from sessions.json_strings import map_strings
from sessions.store.store import Store
from tests.effort import first
from tests.sessions.scoring.checks import ALTERED, check_decided, check_shown
from tests.sessions.toy import applied, decided, log_of, shown, started, toy, used

said = partial(CustomerSaid, text="cancel it", turn=1)


def story(*more: AnyEvent) -> list[Logged]:
    """A check that was missed and one that was caught, each before a card."""
    domain = toy()
    return log_of(
        started(domain), said(), check_shown("x"), check_decided("x", "approve"),
        shown("a"), decided("a", "reject", "no"), check_shown("y"),
        check_decided("y", "change", "fewer"), shown("b"), decided("b", "approve"), used("b"),
        applied(domain.records(), "b"), *more,
    )  # fmt: skip


@cache
def played(name: str) -> tuple[Logged, ...]:
    """The events of every demo scenario of a domain, held with a check before every card."""
    return tuple(asyncio.run(_played(name)))


async def _played(name: str) -> list[Logged]:
    domain = domains.load(name)
    found: list[Logged] = []
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "s.sqlite") as store:
        for scenario in domain.scenarios:
            customer = ScriptedCustomer(scenario)
            gate = AtTheGate(customer)
            held = await Conversation.start(
                store, domain, make_model("clerk"), gate, scenario=scenario,
                safeguards=Safeguards(attention_checks=1),
            )  # fmt: skip
            gate.listen(held.log.events)
            await play(held, customer)
            found += held.log.events
    return found


def test_a_check_is_a_row_that_says_so_before_the_row_of_the_true_card() -> None:
    rows = list(rows_of(story()))
    assert [row["card"]["id"] for row in rows] == ["x", "a", "y", "b"]
    assert [row["attention_check"] for row in rows] == [True, False, True, False]
    assert [row["caught"] for row in rows] == [False, None, True, None]
    missed, true = rows[:2]
    assert (missed["meant"], missed["altered"]) == ({"order_id": "#W1"}, ALTERED)
    assert missed["call"]["arguments"] == {"order_id": "#W2"}
    assert (missed["consented"], missed["applied"], missed["next_call"]) == (False, None, None)
    assert (missed["decision"], missed["by"], missed["time_to_decide_ms"]) == (
        "approve", "person", 700,
    )  # fmt: skip
    assert (true["meant"], true["altered"]) == (None, None)
    assert true["next_call"]["arguments"] == {"order_id": "#W1"}
    assert list(missed) == list(true)
    assert list(missed["card"]) == list(true["card"])


def test_what_was_asked_about_a_check_is_kept_and_one_that_waits_is_undecided() -> None:
    log = log_of(
        started(), said(), check_shown("x"), check_decided("x", "ask", "why?"), check_shown("y")
    )
    asked, waiting = rows_of(log)
    assert (asked["questions"], asked["decision"], asked["caught"]) == (["why?"], "ask", None)
    assert asked["reason"] is None
    assert (waiting["decision"], waiting["caught"], waiting["attention_check"]) == (
        None, None, True,
    )  # fmt: skip


def test_a_check_that_a_fork_shares_is_its_parents() -> None:
    shared = log_of(started(), said(), check_shown("x"), check_decided("x", "approve"))
    fork = [
        *shared,
        *log_of(*(event.event for event in shared), SessionForked(parent="p", seq=4))[4:],
    ]
    assert exported.own_checks(shared)
    assert exported.own_checks(fork) == []
    assert list(rows_of(fork)) == []


@pytest.mark.parametrize("make", [preference.rows_of, sft.rows_of], ids=["preference", "sft"])
def test_what_is_learnt_from_has_no_checks_and_says_how_many_it_left_out(make: object) -> None:
    with_checks, without = story(), [each for each in story() if "check" not in each.event.type]
    left_out: Counter[str] = Counter()
    found = list(make(with_checks, toy(), left_out))  # type: ignore[operator]
    bare = list(make(without, toy(), Counter()))  # type: ignore[operator]
    assert left_out[exported.LEFT_OUT] == 2
    kept = ("prompt", "chosen", "rejected", "messages")
    assert [{k: row.get(k) for k in kept} for row in found] == [
        {k: row.get(k) for k in kept} for row in bare
    ]


def test_a_trace_of_approvals_has_no_checks() -> None:
    assert "#W2" not in json.dumps(list(agentack.rows(story())))


def test_a_page_tells_what_the_check_was() -> None:
    text = "".join(page(story()))
    assert (
        "That card was an attention check: it deliberately said order id #W2 in place of #W1."
        in text
    )


def test_the_dataset_card_counts_checks_apart_and_says_what_they_are() -> None:
    counts = dataset_card.Counts()
    list(counts.counting(rows_of(story())))
    text = dataset_card.card(
        Path("cards.jsonl"), counts, program="1", left_out=Counter(), redaction="none.",
        licence="other",
    )  # fmt: skip
    assert "by decision: approve 1, reject 1" in text
    assert "attention checks, left out of the lines above: caught 1, missed 1" in text
    assert "`attention_check`: true for a deliberately wrong card" in text
    assert "in attention checks only, which a question ends, also ask" in text


def test_a_table_has_the_marks_as_columns(tmp_path: Path) -> None:
    rows = list(rows_of(story()))
    assert {"attention_check", "meant", "altered", "caught"} <= COLUMNS.keys()
    assert flat(rows[0])["meant"] == '{"order_id": "#W1"}'
    write_csv(rows, tmp_path / "cards.csv")
    with (tmp_path / "cards.csv").open(newline="") as file:
        assert [each["attention_check"] for each in csv.DictReader(file)] == [
            "True", "False", "True", "False",
        ]  # fmt: skip


def test_datasets_loads_rows_of_checks_beside_rows_of_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    path = tmp_path / "set" / "cards.jsonl"
    path.parent.mkdir()
    write_jsonl(rows_of(story()), path)
    loaded = datasets.load_dataset(str(path.parent), cache_dir=str(tmp_path / "cache"))["train"]
    assert loaded["attention_check"][:] == [True, False, True, False]
    assert loaded.filter(lambda row: not row["attention_check"])["decision"][:] == [
        "reject", "approve",
    ]  # fmt: skip


@pytest.mark.parametrize("name", first(1, ["retail", "airline"]))
def test_what_is_personal_in_a_check_is_redacted(name: str) -> None:
    domain, seeded = domains.load(name), Redaction("seed")
    checks = 0
    for log in _sessions(played(name)):
        hide = seeded.redactor_for(log, domain)
        told = [logged.event.model_dump() for logged in log]
        personal = {value for _, value in personal_values(told, domain.personal)}
        rows = list(rows_of(log))
        checks += sum(row["attention_check"] for row in rows)
        text = json.dumps(map_strings(rows, hide))
        left = [each for each in personal if _stands(json.dumps(each)[1:-1], text)]
        assert left == []
    assert checks > 5


def test_sessions_with_checks_go_from_file_to_file_to_the_byte(tmp_path: Path) -> None:
    with Store.open(tmp_path / "one.db") as store:
        for log in _sessions(played("retail"))[:4]:
            store.record([each.event for each in log])
        first = _exported(store, tmp_path / "one.jsonl")
    assert first.read_text().count('"attention_check_decided"') >= 4
    with Store.open(tmp_path / "two.db") as store:
        import_sessions(store, first)
        assert store.verify() == []
        second = _exported(store, tmp_path / "two.jsonl")
    assert first.read_bytes() == second.read_bytes()


def _exported(store: Store, path: Path) -> Path:
    write_jsonl(lines(store, [each.id for each in reversed(store.sessions())]), path)
    return path


def _sessions(events: tuple[Logged, ...]) -> list[list[Logged]]:
    found: dict[str, list[Logged]] = {}
    for logged in events:
        found.setdefault(logged.session, []).append(logged)
    return list(found.values())


def _stands(value: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
