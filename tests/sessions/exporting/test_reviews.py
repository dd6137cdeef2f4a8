from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from sessions.events import Reviewed
from sessions.exporting import rows
from sessions.exporting.confirmations import rows_of
from sessions.exporting.redacting import Redaction
from sessions.exporting.tables import write_csv
from sessions.store.store import Store
from tests.sessions.toy import decided, shown, started

REVIEWS = (
    Reviewed(card_id="a", decision="change", words="=cmd|'/c calc'!A1", by="bo", milliseconds=7),
    Reviewed(card_id="b", decision="approve", by="cy"),
    Reviewed(card_id="a", decision="approve", words="ask bo", by="cy"),
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    with Store.open(tmp_path / "sessions.db") as opened:
        cards = [each for name in "abc" for each in (shown(name), decided(name, "reject"))]
        opened.record([started(), *cards, *REVIEWS])
    return opened


def test_each_card_has_its_second_decisions_in_the_order_they_were_made(store: Store) -> None:
    found = [row["reviews"] for row in rows(store)]
    assert found == [
        [
            {
                "by": "bo",
                "decision": "change",
                "words": "=cmd|'/c calc'!A1",
                "milliseconds": 7,
                "form": "card",
            },
            {
                "by": "cy",
                "decision": "approve",
                "words": "ask bo",
                "milliseconds": 0,
                "form": "card",
            },
        ],
        [{"by": "cy", "decision": "approve", "words": "", "milliseconds": 0, "form": "card"}],
        [],
    ]


def test_in_a_table_they_are_json(store: Store, tmp_path: Path) -> None:
    out = tmp_path / "c.csv"
    write_csv(rows(store), out)
    with out.open(newline="", encoding="utf-8") as stream:
        cells = [row["reviews"] for row in csv.DictReader(stream)]
    assert [len(json.loads(cell)) for cell in cells] == [2, 1, 0]


def test_redacted_no_reviewer_is_named_and_each_keeps_one_stand_in(store: Store) -> None:
    (session,) = store.sessions()
    log = Redaction(seed="s").without_judge_names(store.read(session.id))
    first, second, _ = (row["reviews"] for row in rows_of(log))
    assert "bo" not in {each["by"] for each in first}
    assert first[1]["by"] == second[0]["by"] != first[0]["by"]
    assert first[1]["words"] == f"ask {first[0]['by']}"
