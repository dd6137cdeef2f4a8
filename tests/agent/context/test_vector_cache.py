from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.context.vector_cache import Vector, VectorCache


class Encoder:
    """Gives every text a unit vector of its own, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: list[str]) -> Vector:
        self.asked += texts
        rows = np.array([[len(text) + 1, ord((text or "0")[0])] for text in texts], np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def cache(encoder: Encoder, path: Path | None = None, weights: str = "w") -> VectorCache:
    return VectorCache(encoder, weights, 2, path)


@given(st.lists(st.lists(st.text(max_size=3), min_size=1, max_size=5), max_size=8))
def test_vectors_are_the_encoders_and_none_is_asked_for_twice(batches: list[list[str]]) -> None:
    encoder = Encoder()
    memory = cache(encoder)
    for batch in batches:
        np.testing.assert_allclose(memory.vectors(batch), Encoder()(batch))
    assert len(encoder.asked) == len(set(encoder.asked)) == memory.encoded


def test_the_next_run_finds_what_this_one_computed(tmp_path: Path) -> None:
    path = tmp_path / "new" / "vectors.sqlite"
    first = cache(Encoder(), path)
    expected = first.vectors(["a", "b"])
    first.close()
    encoder = Encoder()
    np.testing.assert_array_equal(cache(encoder, path).vectors(["b", "a"]), expected[::-1])
    assert encoder.asked == []
    assert path.stat().st_mode & 0o777 == 0o600


def test_other_weights_share_nothing(tmp_path: Path) -> None:
    cache(Encoder(), tmp_path / "v").vectors(["a"])
    encoder = Encoder()
    cache(encoder, tmp_path / "v", weights="others").vectors(["a"])
    assert encoder.asked == ["a"]


def test_the_file_holds_no_text(tmp_path: Path) -> None:
    cache(Encoder(), tmp_path / "v").vectors(["my card number is 1234"])
    assert b"card number" not in (tmp_path / "v").read_bytes()


@pytest.mark.parametrize(
    "content", [b"not a database" * 100, b"", b"SQLite format 3\x00" + b"\xff" * 4096]
)
def test_a_damaged_file_is_thrown_away_and_filled_again(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "v"
    path.write_bytes(content)
    damaged = cache(Encoder(), path)
    damaged.vectors(["a"])
    damaged.close()
    encoder = Encoder()
    cache(encoder, path).vectors(["a"])
    assert encoder.asked == []


def test_a_file_damaged_while_it_is_open_costs_nothing_but_time(tmp_path: Path) -> None:
    path = tmp_path / "v"
    first = cache(Encoder(), path)
    first.vectors([f"text {number}" for number in range(2000)])
    first.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xee" * (len(whole) - 4096))
    encoder = Encoder()
    second = cache(encoder, path)
    second.vectors(["text 7"])
    second.vectors(["text 8"])
    second.close()
    last = Encoder()
    cache(last, path).vectors(["text 7", "text 8"])
    assert last.asked in ([], ["text 7"])


def test_a_vector_that_is_none_is_computed_again(tmp_path: Path) -> None:
    path = tmp_path / "v"
    first = cache(Encoder(), path)
    first.vectors(["a", "b"])
    first.close()
    with sqlite3.connect(path) as file:
        file.execute("UPDATE vectors SET vector = x'00'")
    file.close()
    encoder = Encoder()
    cache(encoder, path).vectors(["a", "b"])
    assert encoder.asked == ["a", "b"]


def test_where_no_file_can_be_had_memory_serves(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    encoder = Encoder()
    homeless = cache(encoder, tmp_path / "file" / "v")
    homeless.vectors(["a"])
    homeless.vectors(["a"])
    assert encoder.asked == ["a"]


def test_a_locked_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "v"
    mine = cache(Encoder(), path)
    mine.vectors(["a"])
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    encoder = Encoder()
    mine.vectors(["b"])
    other.rollback()
    other.close()
    mine.close()
    assert encoder.asked == []
    assert path.exists()
