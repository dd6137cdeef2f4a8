from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.exporting import dataset_card, write_jsonl
from sessions.exporting.confirmations import rows_of
from sessions.exporting.tables import (
    COLUMNS,
    FORMULA,
    escape_formula,
    flat,
    write_csv,
    write_parquet,
)
from sessions.store.errors import ExportError
from tests.sessions.toy import applied, decided, log_of, shown, started, toy, used

FORMULAS = ("=1+1", "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", '=HYPERLINK("x")')


def rows(words: str = "no") -> list[dict[str, Any]]:
    domain = toy()
    log = log_of(
        started(domain), shown("a"), decided("a", "reject", words), shown("b"),
        decided("b", "approve"), used("b"), applied(domain.records(), "b"),
    )  # fmt: skip
    return list(rows_of(log))


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_every_row_has_every_column_and_one_value_in_each() -> None:
    for row in map(flat, rows()):
        assert tuple(row) == tuple(COLUMNS)
        assert all(isinstance(value, str | int | bool | None) for value in row.values())


def test_whatever_is_in_a_row_is_a_column_and_is_explained() -> None:
    explained = {name for names in dataset_card.FIELDS for name in names.split(", ")}
    for row in rows():
        told = set(row)
        assert told - {"call", "card", "hashes"} <= set(COLUMNS)
        assert set(row["card"]) - {"id"} <= set(COLUMNS)
        assert told <= explained


def test_a_csv_file_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    assert write_csv(rows('two\nlines, "quoted"'), path) == 2
    first, second = read(path)
    assert first["reason"] == 'two\nlines, "quoted"'
    assert (first["decision"], second["decision"]) == ("reject", "approve")
    assert second["arguments"] == '{"order_id": "#W1"}'


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_is_a_formula(formula: str, tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    write_csv(rows(formula), path)
    for row in read(path):
        assert not any(value.lstrip(" ").startswith(FORMULA) for value in row.values())
    assert read(path)[0]["reason"] == f"'{formula}"


@given(text=st.text())
def test_a_harmless_cell_stays_as_it_is(text: str) -> None:
    shown_as = escape_formula(text)
    assert shown_as in (text, f"'{text}")
    assert not shown_as.lstrip(" ").startswith(FORMULA)


def test_numbers_are_not_taken_for_formulas() -> None:
    assert escape_formula(-5) == -5


def test_a_parquet_file_reads_back(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    first, second = tmp_path / "one.parquet", tmp_path / "two.parquet"
    assert write_parquet(rows("=1"), first) == write_parquet(rows("=1"), second) == 2
    assert first.read_bytes() == second.read_bytes()
    assert pq.read_table(first).to_pylist() == [flat(row) for row in rows("=1")]


def test_without_pyarrow_there_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"saber-console\[export\]"):
        write_parquet(rows(), tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_datasets_loads_what_is_written(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    write = {"jsonl": write_jsonl, "csv": write_csv, "parquet": write_parquet}[kind]
    counts = dataset_card.Counts()
    path = tmp_path / "set" / f"cards.{kind}"
    path.parent.mkdir()
    write(counts.counting(rows("wrong item")), path)
    path.with_name("README.md").write_text(_card(path, counts))
    loaded = datasets.load_dataset(str(path.parent), cache_dir=str(tmp_path / "cache"))["train"]
    assert len(loaded) == 2
    assert loaded[0]["decision"] == "reject"
    assert loaded[0]["reason"] == "wrong item"


def _card(path: Path, counts: dataset_card.Counts) -> str:
    return dataset_card.card(
        path, counts, program="1", left_out=Counter({"sessions without a card": 3}),
        redaction="none.", licence="cc-by-4.0",
    )  # fmt: skip


def test_the_dataset_card_says_what_there_is_and_what_was_left_out() -> None:
    counts = dataset_card.Counts()
    list(counts.counting(rows()))
    text = _card(Path("cards.jsonl"), counts)
    head, body = text.removeprefix("---\n").split("\n---\n", 1)
    assert 'license: "cc-by-4.0"' in head
    assert '    path: "cards.jsonl"' in head
    assert "2 cards from 1 sessions" in body
    assert "by decision: approve 1, reject 1" in body
    assert "3 sessions without a card" in body


def test_the_dataset_card_is_metadata_that_hugging_face_reads() -> None:
    hub = pytest.importorskip("huggingface_hub")
    found = hub.DatasetCard(_card(Path("cards.csv"), dataset_card.Counts()))
    assert found.data.license == "cc-by-4.0"
    assert found.data.configs[0]["data_files"] == [{"split": "train", "path": "cards.csv"}]
