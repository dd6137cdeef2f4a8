from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from domains.airline.load import load
from domains.core.domain import Domain, DomainError
from tests.domains.airline.small_airline import airline
from tests.shared_data import TAU2, TAU2_AIRLINE


def complaint(folder: Path, content: Any) -> str:
    (folder / "db.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "policy.md").write_text("# Policy", encoding="utf-8")
    with pytest.raises(DomainError) as caught:
        load(folder)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    assert "db.json" in message
    return message


@pytest.mark.parametrize("folder", [TAU2, TAU2_AIRLINE])
def test_tau2s_records_load_from_either_folder(airline_tau2: Domain, folder: Path) -> None:
    assert load(folder).base.digest == airline_tau2.base.digest


def test_tau2s_records_load_well_within_two_seconds(airline_tau2: Domain) -> None:
    start = time.process_time()
    load(TAU2)
    assert time.process_time() - start < 2


def test_the_demo_airline_and_its_scenarios_load(airline_demo: Domain) -> None:
    assert airline_demo.base.source == "the demo airline"
    assert airline_demo.scenarios


def test_importing_the_airline_brings_no_validation_library() -> None:
    script = "import domains.airline, sys; sys.exit('pydantic' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("table", ["flights", "users", "reservations"])
def test_a_missing_table_is_named(tmp_path: Path, table: str) -> None:
    content = airline()
    del content[table]
    assert f": {table}: field required" in complaint(tmp_path, content)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("reservations", "R1", "cabin"), "first", "reservations.R1.cabin"),
        (("reservations", "R1", "flights", 0, "price"), 9.5, "reservations.R1.flights.0.price"),
        (("reservations", "R1", "user_id"), "bob", "reservations.R1.user_id: users has no 'bob'"),
        (("reservations", "R1", "flights", 0, "flight_number"), "F9", "flights has no 'F9'"),
        (("users", "ada", "reservations", 3), "R9", "users.ada.reservations.3"),
        (("users", "ada", "membership"), "platinum", "users.ada.membership"),
        (("users", "ada", "payment_methods", "gift", "amount"), float("nan"), "gift.gift_card"),
        (("flights", "F1", "dates", "2024-05-20", "status"), "lost", "F1.dates.2024-05-20"),
        (("now",), "yesterday", "now"),
        (("extra",), {}, "extra"),
    ],
)
def test_a_wrong_field_is_named(
    tmp_path: Path, path: tuple[str | int, ...], value: Any, field: str
) -> None:
    content = airline()
    holder: Any = content
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    assert field in complaint(tmp_path, content)


def test_a_file_too_large_to_be_records_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "policy.md").write_text("# Policy", encoding="utf-8")
    with (tmp_path / "db.json").open("wb") as file:
        file.truncate(200 * 1024**2)
    start = time.process_time()
    with pytest.raises(DomainError, match=r"db\.json is larger than 32 MB"):
        load(tmp_path)
    assert time.process_time() - start < 1
