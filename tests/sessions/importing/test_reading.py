from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from sessions.importing import reading
from sessions.store.errors import ImportRefused

HOSTILE = {
    "is not UTF-8": b'["\xff\xfe"]',
    "is not UTF-8 text": gzip.compress(b"[]" * 1000),
    "nested too deeply": b"[" * 200_000,
    "more than 10,000,000 values": b"[" + b"[]," * 10_000_001 + b"[]]",
    "out of range": b"[" + b"9" * 5000 + b"]",
    "out of range.": b'{"reward": 1e999}',
    "a number in it": b'[{"reward": NaN}]',
    "Expecting value": b"DROP TABLE sessions; --",
    "Extra data": b"[]\n<script>alert(1)</script>",
}


@pytest.mark.parametrize("sentence", HOSTILE)
def test_what_is_no_harmless_json_is_refused_in_a_sentence(sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_bytes(HOSTILE[sentence])
    with pytest.raises(ImportRefused, match=sentence.rstrip(".")) as refused:
        reading.read_json(path)
    assert str(refused.value).endswith(".")
    assert len(str(refused.value)) < 400


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_bytes(b"\xef\xbb\xbf[1]")
    assert reading.read_json(path) == [1]


def test_a_file_that_is_too_large_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    with path.open("wb") as file:
        file.truncate(reading.LARGEST + 1)
    with pytest.raises(ImportRefused, match="larger than 256 MB"):
        reading.read_json(path)


def test_a_folder_a_pipe_and_nothing_at_all_are_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe):
        with pytest.raises(ImportRefused, match="is not a file"):
            reading.read_json(path)
    with pytest.raises(ImportRefused, match="There is no file"):
        list(reading.read_json_lines(tmp_path / "none"))


def test_a_file_that_cannot_be_opened_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.json"
    path.write_text("{}")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ImportRefused, match=r"cannot be read: Permission denied\."):
        reading.first_line_has_key(path, "event")


def test_a_line_that_never_ends_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", 1000)
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b'{"format": "' + b"x" * 5000)
    with pytest.raises(ImportRefused, match="line 1 is longer"):
        list(reading.read_json_lines(path))
