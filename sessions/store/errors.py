"""Everything that can go wrong with the session file, in sentences for the user."""

from __future__ import annotations

from pathlib import Path


class StoreError(Exception):
    """The session file cannot be used as requested; the message says why and what to do."""


class NewerFile(StoreError):
    """A newer version of the program made the file; this version can at most read it."""


class SessionBusy(StoreError):
    """Another program has written to this session; the state held here is out of date."""


class ExportError(StoreError):
    """The requested file cannot be written; the message says why and what to do."""


class ImportRefused(StoreError):
    """A file cannot be imported; the message says why, and none of it was recorded."""


class MemoryRefused(StoreError):
    """A memory cannot be used or changed as requested; the message says why and what to do."""


class MemoryMoved(MemoryRefused):
    """The memory was changed elsewhere in the meantime; the state held here is out of date."""


class AlreadyRecorded(StoreError):
    """The session already holds an event with this type and key, which happens at most once."""


_SENTENCES = {
    "SQLITE_FULL": "The disk is full: {path} cannot grow. Nothing of this step was recorded; "
    "free some space and try again.",
    "SQLITE_READONLY": "The session file {path} cannot be written. Check the permissions of the "
    "file and its folder, or choose another with --db.",
    "SQLITE_CANTOPEN": "The session file {path} cannot be opened. Check that its folder exists "
    "and is writable, or choose another with --db.",
    "SQLITE_BUSY": "Another program has locked the session file {path}. Close it, or choose "
    "another file with --db.",
    "SQLITE_LOCKED": "Another program has locked the session file {path}. Close it, or choose "
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
    """Whether another connection holds the required lock."""
    return _name(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _name(error: Exception) -> str:
    return getattr(error, "sqlite_errorname", None) or ""
