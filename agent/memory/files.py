"""Writes a bank as a folder of Markdown files, and reads such a folder as proposals to a bank."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agent.memory import markdown
from agent.memory.bank import Bank
from agent.memory.change import Change, Origin
from agent.memory.entry import Entry, one_line
from agent.memory.fitting import refuse_unfit
from agent.models.redaction import without_secrets
from domains.core.domain import Domain
from domains.text.one_line import line
from sessions.store.memory import MemoryRefused

MOST_FILES = 10_000
LONGEST_DOMAIN = 80
"""The maximum length in characters of the domain that a file states."""


def export(bank: Bank, folder: Path) -> list[Path]:
    """Write what is in force, one file for each capability. Raises OSError.

    Files of capabilities that are not in force are left as they are: git shows them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, entry in sorted(bank.entries.items()):
        path = folder / f"{name}.md"
        text = without_secrets(markdown.write(entry, bank.domain))  # may predate the secret
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return written


def read_folder(path: Path) -> tuple[list[tuple[str, Entry]], str]:
    """The entries of a folder or of one file, each with its file's name, and their domain.

    Raises MemoryRefused for anything that is not an entry, for two of one capability, and for
    several domains; OSError if it cannot be read. Error messages and the domain contain no secret
    keys.
    """
    try:
        return _read_folder(path)
    except MemoryRefused as refused:
        raise MemoryRefused(without_secrets(str(refused))) from None


def _read_folder(path: Path) -> tuple[list[tuple[str, Entry]], str]:
    found = [(file.name, *markdown.read(_text(file), one_line(file.name))) for file in _files(path)]
    seen: dict[str, str] = {}
    for name, entry, _ in found:
        if entry.capability in seen:
            raise MemoryRefused(
                f"{one_line(name)} and {one_line(seen[entry.capability])} are both about "
                f"{entry.capability}; each capability has one file."
            )
        seen[entry.capability] = name
    domains = {domain for _, _, domain in found if domain}
    if len(domains) > 1:
        raise MemoryRefused("These files are about several domains; import each by itself.")
    domain = line(without_secrets(next(iter(domains), "")), LONGEST_DOMAIN)
    return [(name, entry) for name, entry, _ in found], domain


def refuse_foreign(domain: Domain, found: list[tuple[str, Entry]]) -> None:
    """Raise MemoryRefused if an entry is about something that the domain does not have."""
    for name, entry in found:
        try:
            refuse_unfit(entry, domain)
        except MemoryRefused as refused:
            told = without_secrets(f"{one_line(name)}: {refused}")
            raise MemoryRefused(f"{told} Nothing was imported.") from None


def proposals(bank: Bank | None, found: list[tuple[str, Entry]]) -> list[Change]:
    """Proposals for the entries that are neither in force nor waiting in this form.

    For a bank that does not exist yet, that is all of them.
    """
    waiting = [] if bank is None else [each.entry for each in bank.waiting()]
    known = set() if bank is None else {*bank.entries.values(), *waiting}
    return [
        Change(
            does="propose", capability=entry.capability, entry=entry, by="import",
            origin=Origin(kind="file", words=one_line(name)),
        )
        for name, entry in found
        if entry not in known
    ]  # fmt: skip


def _files(path: Path) -> Iterator[Path]:
    if not path.exists():
        raise MemoryRefused(f"There is no file or folder {path}.")
    files = sorted(path.glob("*.md")) if path.is_dir() else [path]
    if not files:
        raise MemoryRefused(f"There are no Markdown files in {path}.")
    if len(files) > MOST_FILES:
        raise MemoryRefused(f"There are more than {MOST_FILES:,} files in {path}.")
    yield from files


def _text(path: Path) -> str:
    if not path.is_file():
        raise MemoryRefused(f"{one_line(str(path))} is not a file.")
    with path.open("rb") as file:
        raw = file.read(markdown.LARGEST + 1)
    if len(raw) > markdown.LARGEST:
        raise MemoryRefused(f"{one_line(path.name)} is larger than any entry.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise MemoryRefused(f"{one_line(path.name)} is not UTF-8 text.") from None
