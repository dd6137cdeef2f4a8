from __future__ import annotations

import json
import os
import time
import tracemalloc
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import domains
from domains.airline.reading import read_base as read_airline
from domains.core.domain import DomainError
from domains.core.records import Base, Records
from domains.core.tool import ToolCall
from domains.retail.reading import read_base as read_retail
from tests.domains.airline.small_airline import airline
from tests.domains.applying import apply
from tests.domains.retail.test_quirks import store
from tests.shared_data import TAU2

SMALL: dict[str, Callable[[], dict[str, Any]]] = {"retail": store, "airline": airline}
TABLES = [("retail", name) for name in store()] + [("airline", name) for name in airline()]
NAN, INFINITY = float("nan"), float("inf")


def complaint(folder: Path, name: str = "retail") -> str:
    with pytest.raises(DomainError) as caught:
        domains.load(name, folder)
    message = str(caught.value)
    assert str(folder) in message
    assert "\n" not in message
    assert message.endswith("choose another folder.")
    return message


def written(folder: Path, content: Any, policy: str = "# Policy") -> Path:
    match content:
        case bytes():
            (folder / "db.json").write_bytes(content)
        case str():
            (folder / "db.json").write_text(content, encoding="utf-8")
        case _:
            (folder / "db.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "policy.md").write_text(policy, encoding="utf-8")
    return folder


def with_field(name: str, path: str, value: Any) -> dict[str, Any]:
    content = SMALL[name]()
    holder: Any = content
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    for step in steps:
        holder = holder[step]
    holder[last] = value
    return content


@pytest.mark.parametrize("name", SMALL)
def test_the_small_files_are_fine_as_they_are(tmp_path: Path, name: str) -> None:
    assert domains.load(name, written(tmp_path, SMALL[name]())).base.collections


@pytest.mark.parametrize(("name", "table"), TABLES)
@pytest.mark.parametrize("instead", ["nothing", "a list", "an id"])
def test_a_table_that_is_missing_or_none_is_named(
    tmp_path: Path, name: str, table: str, instead: str
) -> None:
    content = SMALL[name]()
    del content[table]
    if instead != "nothing":
        content[table] = [] if instead == "a list" else {"x": "x"}
    assert f": {table}" in complaint(written(tmp_path, content), name)


@pytest.mark.parametrize(
    ("name", "path", "value", "told"),
    [
        ("retail", "orders/#W1/items/0/price", NAN, "orders.#W1.items.0.price: input should be a"),
        ("retail", "products/mug/variants/m1/price", INFINITY, "m1.price: input should be a finit"),
        ("retail", "products/mug/variants/m1/price", -0.01, "m1.price: input should be greater th"),
        ("retail", "products/mug/variants/m1/price", 10**400, "m1.price: input should be a valid"),
        ("retail", "orders/#W1/payment_history/0/amount", "1e999", "amount: input should be a fin"),
        ("retail", "users/ann/name", "Ann", "users.ann.name: input should be a valid dictionary"),
        ("retail", "users/ann/name/first_name", "\ud800", "first_name: contains half a character"),
        ("airline", "reservations/R1/flights/0/price", NAN, "R1.flights.0.price: input should be"),
        ("airline", "reservations/R1/flights/0/price", -1, "R1.flights.0.price: input should be"),
        ("airline", "flights/F1/dates/2024-05-20/prices/economy", -1, "prices.economy: input shou"),
        ("airline", "flights/F1/dates/2024-05-20/available_seats/economy", 0.5, "seats.economy"),
        ("airline", "users/ada/saved_passengers", {}, "ada.saved_passengers: input should be a v"),
    ],
)
def test_a_value_that_cannot_be_is_named(
    tmp_path: Path, name: str, path: str, value: Any, told: str
) -> None:
    assert told in complaint(written(tmp_path, with_field(name, path, value)), name)


@pytest.mark.parametrize(
    ("name", "path", "told"),
    [
        ("retail", "users/ann/orders/0", "users.ann.orders.0: orders has no 'x'"),
        ("retail", "orders/#W1/user_id", "orders.#W1.user_id: users has no 'x'"),
        ("retail", "orders/#W1/items/0/product_id", "items.0.product_id: products has no 'x'"),
        ("retail", "orders/#W1/items/0/item_id", "item_id: products.mug.variants has no 'x'"),
        (
            "retail",
            "orders/#W1/payment_history/0/payment_method_id",
            "payment_method_id: users.ann.payment_methods has no 'x'",
        ),
        ("airline", "users/ada/reservations/0", "reservations.0: reservations has no 'x'"),
        ("airline", "reservations/R1/user_id", "reservations.R1.user_id: users has no 'x'"),
        ("airline", "reservations/R1/flights/0/flight_number", "flights has no 'x'"),
        ("airline", "reservations/R1/flights/0/date", "0.date: flights.F1.dates has no 'x'"),
    ],
)
def test_an_id_of_nothing_is_named(tmp_path: Path, name: str, path: str, told: str) -> None:
    assert told in complaint(written(tmp_path, with_field(name, path, "x")), name)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("retail", "products/mug/product_id"),
        ("retail", "products/mug/variants/m1/item_id"),
        ("retail", "users/ann/payment_methods/gift/id"),
        ("airline", "users/ada/payment_methods/gift/id"),
        ("airline", "flights/F1/flight_number"),
    ],
)
def test_a_record_with_another_id_than_its_own_is_named(
    tmp_path: Path, name: str, path: str
) -> None:
    told = complaint(written(tmp_path, with_field(name, path, "x")), name)
    assert f"{path.replace('/', '.')}: is 'x'" in told


@pytest.mark.parametrize(
    ("key", "place"),
    [('"price": 12.5', "products.mug.variants.m2.price"), ('"#W2": {}', "orders.#W2")],
)
def test_a_key_that_is_there_twice_is_named(tmp_path: Path, key: str, place: str) -> None:
    name = key.partition(":")[0]
    text = json.dumps(store()).replace(f"{name}:", f"{key}, {name}:", 1)
    if name == '"price"':
        text = json.dumps(store()).replace(key, f"{key}, {key}", 1)
    assert f"{place}: occurs more than once" in complaint(written(tmp_path, text))


def test_of_keys_that_are_there_twice_one_that_can_be_found_is_named(tmp_path: Path) -> None:
    text = '{"a": {"b": {"c": 1, "c": 2}, "b": 3}, "d": {"e": 1, "e": 2}}'
    assert ": d.e: occurs more than once" in complaint(written(tmp_path, text))
    text = '{"a": {"b": {"c": 1, "c": 2}, "b": 3}}'
    assert ": a.b: occurs more than once" in complaint(written(tmp_path, text))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b"\xff\xfe{\x00}\x00", "is not UTF-8 text: see line 1"),
        (b'{\n "a":\n "\xef"}', "is not UTF-8 text: see line 3"),
        (b"\x00" * 1000, "is not valid JSON: Expecting value in line 1, column 1"),
        (b'{"products": {', "is not valid JSON"),
        (b'{"products": ' + b"1" * 5000 + b"}", "a number in it has too many digits"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"a":' * 100_000, "is nested too deeply"),
        (b"null", "the whole file: input should be"),
        (b"[]", "the whole file: input should be"),
        (json.dumps(airline()).encode(), "products: field required"),
    ],
)
def test_a_file_of_something_else_is_told(tmp_path: Path, content: bytes, told: str) -> None:
    assert told in complaint(written(tmp_path, content))


def test_the_mark_that_some_editors_begin_a_file_with_is_no_fault(tmp_path: Path) -> None:
    folder = written(tmp_path, b"\xef\xbb\xbf" + json.dumps(store()).encode(), "\ufeff# Policy")
    assert domains.load("retail", folder).policy == "# Policy"


@pytest.mark.parametrize("file", ["db.json", "policy.md"])
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_what_is_no_file_is_told_and_not_opened(
    tmp_path: Path, file: str, make: Callable[[Path], None]
) -> None:
    (written(tmp_path, store()) / file).unlink()
    make(tmp_path / file)
    assert f"{file} is not a file" in complaint(tmp_path)


@pytest.mark.parametrize(
    ("file", "size", "told"),
    [("db.json", 200, "db.json is larger than 32 MB"), ("policy.md", 50, "policy.md is larger th")],
)
def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, file: str, size: int, told: str
) -> None:
    with (written(tmp_path, store()) / file).open("wb") as junk:
        junk.truncate(size * 1024**2)
    start = time.process_time()
    tracemalloc.start()
    assert told in complaint(tmp_path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5 * 1024**2
    assert time.process_time() - start < 1


def test_a_policy_without_a_word_is_told(tmp_path: Path) -> None:
    assert "policy.md is empty" in complaint(written(tmp_path, store(), "\n"))


@pytest.mark.skipif(not TAU2.is_dir(), reason="τ²-bench's records are not here")
@pytest.mark.parametrize(("name", "read"), [("retail", read_retail), ("airline", read_airline)])
def test_records_that_tau2s_tasks_leave_behind_are_not_refused(
    tmp_path: Path, name: str, read: Callable[[Path, str], Base | tuple[Base, str]]
) -> None:
    records = domains.load(name, TAU2).records()
    tasks = json.loads((TAU2 / name / "tasks.json").read_text(encoding="utf-8"))
    actions = [each for task in tasks for each in task["evaluation_criteria"]["actions"] or []]
    for number, action in enumerate(actions):
        if records.tools.mutates(action["name"]):
            apply(records, ToolCall(action["name"], action["arguments"]), f"card {number}")
    assert len(records.diff()) > 40
    path = tmp_path / "db.json"
    path.write_text(json.dumps(content_of(records)), encoding="utf-8")
    opened = read(path, "what they left")
    base = opened if isinstance(opened, Base) else opened[0]
    assert base.collections == content_of(records)


def content_of(records: Records) -> dict[str, Any]:
    return {table: deepcopy(dict(records.items(table))) for table in records.base.collections}
