from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import domains
from domains.core.domain import Domain, DomainError
from domains.retail.load import load
from tests.domains.retail.test_quirks import store
from tests.shared_data import TAU2, TAU2_RETAIL


def write_store(folder: Path, content: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / "db.json").write_text(text, encoding="utf-8")
    (folder / "policy.md").write_text("# Policy", encoding="utf-8")


def complaint(folder: Path) -> str:
    with pytest.raises(DomainError) as caught:
        load(folder)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def test_the_demo_store_and_its_scenarios_load(demo: Domain) -> None:
    assert demo.name == "retail"
    assert demo.policy
    assert demo.scenarios
    assert demo.base.source == "the demo store"


@pytest.mark.parametrize("folder", [TAU2, TAU2_RETAIL])
def test_tau2s_records_load_from_either_folder(tau2: Domain, folder: Path) -> None:
    assert load(folder).base.digest == tau2.base.digest
    assert len(load(folder).scenarios) == 114


def test_tau2s_records_load_well_within_a_second(tau2: Domain) -> None:
    start = time.process_time()
    load(TAU2)
    assert time.process_time() - start < 1


def test_a_domain_is_loaded_once(demo: Domain) -> None:
    assert domains.load("retail") is demo


def test_importing_domains_brings_no_validation_library() -> None:
    script = "import domains, domains.retail, sys; sys.exit('pydantic' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_unknown_domain_is_told_with_the_known_ones() -> None:
    with pytest.raises(DomainError, match=r"no domain 'zoo'; there are: retail"):
        domains.load("zoo")


def test_a_folder_without_records_says_what_it_should_hold(tmp_path: Path) -> None:
    message = complaint(tmp_path)
    assert str(tmp_path) in message
    assert "db.json" in message


def test_a_folder_that_cannot_be_looked_into_is_told_in_a_sentence(tmp_path: Path) -> None:
    assert "cannot be read" in complaint(tmp_path / ("x" * 300))


def test_a_missing_policy_is_named(tmp_path: Path) -> None:
    write_store(tmp_path, store())
    (tmp_path / "policy.md").unlink()
    assert "policy.md" in complaint(tmp_path)


def test_broken_json_is_told_with_its_place(tmp_path: Path) -> None:
    write_store(tmp_path, '{\n  "products": {,}\n}')
    message = complaint(tmp_path)
    assert "db.json" in message
    assert "line 2, column 16" in message


@pytest.mark.parametrize("content", ["", "[" * 100_000, "null", "[]", "NaN", '"text"'])
def test_a_file_of_something_else_is_refused_in_a_sentence(tmp_path: Path, content: str) -> None:
    write_store(tmp_path, content)
    assert "db.json" in complaint(tmp_path)


def test_a_file_that_is_not_text_is_refused_in_a_sentence(tmp_path: Path) -> None:
    write_store(tmp_path, store())
    (tmp_path / "db.json").write_bytes(b"\xff\xfe\x00\x01")
    assert "db.json" in complaint(tmp_path)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("orders", "#W1", "status"), "lost", "orders.#W1.status"),
        (("orders", "#W1", "items", 0, "price"), "dear", "orders.#W1.items.0.price"),
        (("orders", "#W1", "items", 0, "price"), float("nan"), "orders.#W1.items.0.price"),
        (("users", "ann", "email"), None, "users.ann.email"),
        (("users", "ann", "payment_methods", "gift"), {"source": "coins"}, "payment_methods.gift"),
        (("products", "mug", "variants", "m1", "available"), "perhaps", "m1.available"),
        (("extra",), {}, "extra"),
    ],
)
def test_a_wrong_field_is_named(
    tmp_path: Path, path: tuple[str | int, ...], value: Any, field: str
) -> None:
    content = store()
    holder: Any = content
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    write_store(tmp_path, content)
    message = complaint(tmp_path)
    assert field in message
    assert "db.json" in message


def test_a_field_with_a_hostile_name_is_told_harmlessly(tmp_path: Path) -> None:
    write_store(tmp_path, {**store(), "a\x1b]0;b\n\u202ec": {}})
    assert "a]0;bc" in complaint(tmp_path)


def test_a_record_under_another_id_is_named(tmp_path: Path) -> None:
    content = store()
    content["orders"]["#W9"] = content["orders"].pop("#W1")
    write_store(tmp_path, content)
    assert "orders.#W9.order_id" in complaint(tmp_path)


def test_an_order_of_nobody_is_named(tmp_path: Path) -> None:
    content = store()
    content["orders"]["#W1"]["user_id"] = "bob"
    write_store(tmp_path, content)
    assert "orders.#W1.user_id: users has no 'bob'" in complaint(tmp_path)
