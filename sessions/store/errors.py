"""What can go wrong with the session file, in sentences for a person."""

from __future__ import annotations

from pathlib import Path


class StoreError(Exception):
    """The session file cannot be used as asked; the message says why and what to do."""


class NewerFile(StoreError):
    """A newer version of the program made the file; this one can at most read it."""


class SessionBusy(StoreError):
    """Another program has written to this session; what this one holds of it is out of date."""


class ExportError(StoreError):
    """The file that was asked for cannot be written; the message says why and what to do."""


class ImportRefused(StoreError):
    """A file that cannot be taken in; the message says why, and nothing was recorded of it."""


class MemoryRefused(StoreError):
    """A memory that cannot be used or changed as asked; the message says why and what to do."""


class MemoryMoved(MemoryRefused):
    """Somebody else changed the memory meanwhile; what this program holds of it is out of date."""


class AlreadyRecorded(StoreError):
    """The session already holds an event of this type and key; it happens at most once."""


_SENTENCES = {
    "SQLITE_FULL": "The disk is full: {path} cannot grow. Nothing of this step was recorded; "
    "free some space and try again.",
    "SQLITE_READONLY": "The session file {path} cannot be written. Check who may write it and "
    "its folder, or choose another with --db.",
    "SQLITE_CANTOPEN": "The session file {path} cannot be opened. Check that its folder exists "
    "and may be written, or choose another with --db.",
    "SQLITE_BUSY": "Another program is holding the session file {path}. Close it, or choose "
    "another file with --db.",
    "SQLITE_LOCKED": "Another program is holding the session file {path}. Close it, or choose "
    "another file with --db.",
    "SQLITE_NOTADB": "{path} is not a session file: it is not an SQLite database.",
    "SQLITE_CORRUPT": "The session file {path} is damaged and was left as it is. Restore it from "
    "a backup, or choose another with --db.",
    "SQLITE_IOERR": "Reading or writing the session file {path} failed. Nothing of this step was "
    "recorded; check the disk.",
}


def explain(error: Exception, path: Path) -> StoreError:
    """The SQLite or system error as a sentence about this file."""
    name = "SQLITE_CORRUPT" if isinstance(error, UnicodeDecodeError) else _name(error)
    for known, sentence in _SENTENCES.items():
        if name.startswith(known):
            return StoreError(sentence.format(path=path))
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return StoreError(f"The session file {path} cannot be used: {reason}.")


def is_busy(error: Exception) -> bool:
    """Whether another connection holds the lock that was wanted."""
    return _name(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _name(error: Exception) -> str:
    return getattr(error, "sqlite_errorname", None) or ""
