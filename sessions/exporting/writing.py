"""Write files completely or not at all, and replace existing files only on request."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TextIO

from sessions.store.errors import ExportError


@contextmanager
def atomic_write(target: Path, *, force: bool = False) -> Iterator[IO[bytes]]:
    """Open a stream whose content becomes the file, but only if the block ends without an error.

    Raises ExportError if the file already exists and ``force`` is not set, or if it cannot be
    written.
    """
    refuse_existing(target, force=force)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror}.") from error


def refuse_existing(target: Path, *, force: bool) -> None:
    """Raise ExportError if the target is a folder, or exists already and ``force`` is not set."""
    if target.is_dir():
        raise ExportError(f"{target} is a folder; name a file.")
    if not force and (target.exists() or target.is_symlink()):
        raise ExportError(f"{target} exists already; choose another name, or give --force.")


def write_jsonl(
    rows: Iterable[Mapping[str, Any]], target: Path | TextIO, *, force: bool = False
) -> int:
    """Write rows as JSON lines and return their number; a file appears completely or not at all.

    Raises ExportError as :func:`atomic_write` does.
    """
    if not isinstance(target, Path):
        return sum(1 for line in map(_line, rows) if target.write(line))
    with atomic_write(target, force=force) as stream:
        return sum(1 for line in map(_line, rows) if stream.write(line.encode("ascii")))


def no_rows(thing: str, left_out: Mapping[str, int]) -> str:
    """A sentence on why there is nothing to write; readers refuse a file without rows."""
    why = "; ".join(f"{count} {what}" for what, count in sorted(left_out.items()))
    told = f" Left out: {why}." if why else ""
    return (
        f"No {thing} fits this format, and an empty file could not be read.{told} Nothing was "
        "written."
    )


def write_text(text: str, target: Path, *, force: bool = False) -> None:
    """Write a text file as UTF-8; raises ExportError."""
    with atomic_write(target, force=force) as stream:
        stream.write(text.encode("utf-8"))


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row) + "\n"


def _sync_folder(folder: Path) -> None:
    """Make the new file name durable too, on systems that can sync folders."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
