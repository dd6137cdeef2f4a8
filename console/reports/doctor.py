"""The checks of ``saber doctor``, each with what to do if it fails.

The checks change nothing and send nothing: they report only the names of keys, and only which
models would be asked.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from console import encoding
from domains.text.quantity import quantity

Verdict = Literal["ok", "note", "wrong"]
"""``note``: it works, but there is something to know."""

LITTLE, TOO_LITTLE = 1_000_000_000, 50_000_000
"""Bytes of free disk space below which that is noted, and below which it is wrong."""

SMALLEST, ROOMY = (80, 24), (120, 40)
"""Columns and rows: the least that the app needs, and enough for panes beside each other."""

LIBRARIES = (
    "textual", "pydantic", "sqlite-utils", "litellm", "sentence-transformers", "torch", "faiss-cpu",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Check:
    """One check and its result."""

    name: str
    verdict: Verdict
    told: str
    """What was found."""

    advice: str = ""
    """What to do about it."""


def examine(db: Path, environment: Mapping[str, str] = os.environ) -> Iterator[Check]:
    """Yield every check, in the order in which a user wants to know of them."""
    yield from _file(db)
    yield _space(db)
    yield from _keys(environment)
    yield from _records(environment)
    yield from _terminal(environment)
    yield _weights()
    yield _libraries()
    yield _sqlite()


def _file(db: Path) -> Iterator[Check]:
    from sessions.store.database import version_at
    from sessions.store.errors import StoreError
    from sessions.store.schema import SCHEMA_VERSION

    if not db.exists():
        yield _to_be_made(db)
        return
    try:
        made_by = version_at(db)
        if made_by < SCHEMA_VERSION:
            told = f"{db} has version {made_by}, and this program's files have {SCHEMA_VERSION}"
            yield Check("session file", "note", told, "It is upgraded when it is opened.")
        else:
            yield from _contents(db)
    except StoreError as error:
        yield Check("session file", "wrong", str(error))
    yield _permissions(db)


def _to_be_made(db: Path) -> Check:
    there = next((each for each in db.parents if each.exists()), Path("/"))
    if os.access(there, os.W_OK | os.X_OK):
        return Check("session file", "ok", f"{db} is created when the first session is recorded")
    advice = "Choose another file with --db, or SABER_DB."
    return Check("session file", "wrong", f"{db} cannot be created: {there} is read-only", advice)


def _contents(db: Path) -> Iterator[Check]:
    from sessions.store.store import Store

    restore = "Keep the file, and restore it from a backup beside it."
    with Store.open(db, read_only=True) as store:
        kept = store.sessions()
        events = sum(row.head_seq for row in kept)
        warnings = " ".join(store.warnings)
        yield Check("session file", "note" if warnings else "ok", warnings or f"{db} opens")
        damaged = store.check()
        told = "; ".join(damaged) or "every page, list and word of the index is consistent"
        yield Check("integrity", "wrong" if damaged else "ok", told, restore * bool(damaged))
        changed = store.verify()
        counted = f"{quantity(len(kept), 'session')} with {quantity(events, 'event')} read through"
        told = " ".join((f"{counted}.", *changed)) if changed else f"{counted}, every hash matches"
        advice = "Do not trust those sessions; restore them from a backup."
        yield Check("logs", "wrong" if changed else "ok", told, advice * bool(changed))


def _permissions(db: Path) -> Check:
    mode, folder = (stat.S_IMODE(each.stat().st_mode) for each in (db, db.parent))
    if mode & 0o077:
        told = f"others may read or write {db} ({mode:04o})"
        return Check("permissions", "note", told, f"Run: chmod 600 {db}")
    if folder & 0o022 and not folder & stat.S_ISVTX:
        told = f"others may put files into {db.parent} ({folder:04o})"
        return Check("permissions", "note", told, f"Run: chmod 700 {db.parent}")
    if not os.access(db, os.W_OK) or not os.access(db.parent, os.W_OK):
        told = f"{db} or its folder is read-only: sessions can be read but not recorded"
        return Check("permissions", "wrong", told, "Choose another file with --db.")
    return Check("permissions", "ok", f"{db} is yours alone ({mode:04o})")


def _space(db: Path) -> Check:
    there = next(each for each in (db.absolute(), *db.absolute().parents) if each.exists())
    free = shutil.disk_usage(there).free
    told = f"{free / 1e9:.1f} GB free"
    if free >= LITTLE:
        return Check("disk", "ok", told)
    verdict: Verdict = "wrong" if free < TOO_LITTLE else "note"
    return Check("disk", verdict, told, "Free some space: what cannot be recorded is not done.")


def _keys(environment: Mapping[str, str]) -> Iterator[Check]:
    from agent.models.choosing import available_models
    from agent.models.providers import PROVIDERS, public_address

    keys = [name for each in PROVIDERS for name in each.keys if environment.get(name, "").strip()]
    told = f"found: {', '.join(keys)}" if keys else "none found"
    hint = "Only the clerk and local servers answer; export a key, such as OPENAI_API_KEY."
    yield Check("keys", "ok" if keys else "note", told, hint * (not keys))
    asked = [f"{each.name} ({each.title})" for each in available_models(environment)]
    bases = [
        f"{each.title} would be contacted at {public_address(base)}"
        for each in PROVIDERS
        if (base := each.base(environment)) is not None
    ]
    told = "; ".join((f"to choose from: {', '.join(asked)}", *bases))
    yield Check("models", "ok", f"{told} (none was contacted)")


def _records(environment: Mapping[str, str]) -> Iterator[Check]:
    named = environment.get("TAU2_DATA_DIR")
    if not named:
        return
    if Path(named).is_dir():
        yield Check("records", "ok", f"TAU2_DATA_DIR names {named}")
    else:
        advice = "Unset it, or name τ²-bench's data folder."
        yield Check(
            "records", "wrong", f"TAU2_DATA_DIR names {named}, which is not a folder", advice
        )


def _terminal(environment: Mapping[str, str]) -> Iterator[Check]:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        advice = "The app needs a terminal; saber run, sessions and export do not."
        yield Check("terminal", "note", "input or output is redirected", advice)
    else:
        yield _size(*shutil.get_terminal_size())
    term = environment.get("TERM", "")
    if term in ("", "dumb"):
        told = f"TERM is {term or 'not set'}"
        yield Check("terminal type", "wrong", told, "Export TERM=xterm-256color.")
    else:
        yield Check("terminal type", "ok", f"TERM is {term}; {_colours(term, environment)}")
    advice = encoding.ADVICE * (not encoding.is_utf8())
    told = f"output is {encoding.encoding_to_use() or 'none'}"
    yield Check("characters", "note" if advice else "ok", told, advice)


def _size(columns: int, rows: int) -> Check:
    told = f"{columns} columns by {rows} rows"
    if columns < SMALLEST[0] or rows < SMALLEST[1]:
        advice = "Make the window at least {} by {}.".format(*SMALLEST)
        return Check("terminal", "wrong", told, advice)
    if columns < ROOMY[0] or rows < ROOMY[1]:
        return Check("terminal", "note", told, "More can be seen at {} by {}.".format(*ROOMY))
    return Check("terminal", "ok", told)


def _colours(term: str, environment: Mapping[str, str]) -> str:
    if environment.get("NO_COLOR"):
        return "no colours, because NO_COLOR is set"
    if environment.get("COLORTERM", "") in ("truecolor", "24bit"):
        return "16 million colours"
    return "256 colours" if "256" in term else "few colours"


def _weights() -> Check:
    from agent.context.embedding_worker import WeightsRefused, check_weights, weights_folder

    try:
        check_weights(weights_folder())
    except WeightsRefused as error:
        # Blocks are then chosen by how recent they are, and the app says so.
        return Check("embedding weights", "note", str(error))
    return Check("embedding weights", "ok", "identical to the published ones")


def _libraries() -> Check:
    missing, there = [], []
    for name in LIBRARIES:
        try:
            there.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        told = f"not installed: {', '.join(missing)}"
        return Check("libraries", "wrong", told, "Install saber-console again.")
    return Check("libraries", "ok", ", ".join(there))


def _sqlite() -> Check:
    from sessions.store.database import MIN_SQLITE_VERSION, sqlite3

    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
        searches = True
    except sqlite3.OperationalError:
        searches = False
    finally:
        connection.close()
    told = f"SQLite {sqlite3.sqlite_version}, Python {sys.version.split()[0]}"
    if searches and sqlite3.sqlite_version_info >= MIN_SQLITE_VERSION:
        return Check("SQLite", "ok", told)
    needed = f"SQLite {'.'.join(map(str, MIN_SQLITE_VERSION))} with FTS5 is needed"
    return Check("SQLite", "wrong", f"{told}; {needed}", "Run: pip install pysqlite3")
