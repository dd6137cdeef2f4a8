"""Write the dataset as a table, for spreadsheets (CSV) and for data frames (Parquet).

Each column holds one value. Structured values are written as JSON text, so that a table has the
same columns whatever the domain.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from sessions.exporting.confirmations import Row
from sessions.exporting.writing import atomic_write
from sessions.store.errors import ExportError

COLUMNS: dict[str, str] = {
    "session": "text", "seq": "integer", "turn": "integer", "origin": "text",
    "shown_at": "text", "domain": "text",
    "source": "text", "scenario": "text", "model": "text", "policy_digest": "text",
    "tools_digest": "text", "tool": "text", "arguments": "json", "card_id": "text",
    "sentence": "text", "asked": "json", "stays": "json", "closes": "json",
    "removed": "json", "non_ascii": "json", "policy_shown": "flag", "replaces": "text",
    "disagreements": "json", "learned": "json", "preconditions": "json", "effects": "json",
    "reflection": "json", "retrieved": "json", "questions": "json", "decision": "text",
    "reason": "text", "by": "text", "time_to_decide_ms": "integer", "overrode": "json",
    "next_call": "json", "consented": "flag", "applied": "json",
    "attention_check": "flag", "meant": "json", "altered": "text", "caught": "flag",
    "labels": "json",
    "reviews": "json", "outcome": "json",
    "card_hash": "text", "decision_hash": "text", "session_hash": "text",
}  # fmt: skip
"""The columns in order, and the type of each."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""The prefixes that make a spreadsheet treat a cell as a formula."""

GROUP = 1000
"""The number of rows in a Parquet row group, which are in memory at once."""


def flat(row: Row) -> dict[str, Any]:
    """A row of the dataset, flattened into a row of the table."""
    card, hashes = row["card"], row["hashes"]
    values = {
        **row,
        "tool": row["call"]["name"],
        "arguments": row["call"]["arguments"],
        **{name: card[name] for name in card if name != "id"},
        "card_id": card["id"],
        **{f"{name}_hash": value for name, value in hashes.items()},
    }
    return {name: _cell(values[name], kind) for name, kind in COLUMNS.items()}


def write_csv(rows: Iterable[Row], target: Path, *, force: bool = False) -> int:
    """Write the table as CSV and return the number of rows; raises ExportError.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    with atomic_write(target, force=force) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(COLUMNS)
        count = 0
        for row in rows:
            writer.writerow([escape_formula(value) for value in flat(row).values()])
            count += 1
        text.flush()
        text.detach()
    return count


def escape_formula(value: Any) -> Any:
    """The value of a cell, with an apostrophe in front if it would be taken for a formula."""
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA):
        return f"'{value}"
    return value


def write_parquet(rows: Iterable[Row], target: Path, *, force: bool = False) -> int:
    """Write the table as Parquet and return the number of rows; raises ExportError."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ExportError(
            "Parquet files need pyarrow: install saber-console[export], or write .jsonl or .csv."
        ) from error
    types = {"text": pa.string(), "json": pa.string(), "integer": pa.int64(), "flag": pa.bool_()}
    schema = pa.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
    count = 0
    with (
        atomic_write(target, force=force) as stream,
        pq.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for group in _groups(map(flat, rows)):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
            count += len(group)
    return count


def _groups(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while group := list(islice(rows, GROUP)):
        yield group


def _cell(value: Any, kind: str) -> Any:
    return json.dumps(value, ensure_ascii=False) if kind == "json" and value is not None else value
