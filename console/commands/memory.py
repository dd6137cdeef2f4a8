"""``saber memory``: show, edit, export and import what agents remember of the policy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from console.commands.options import (
    DATA,
    DB,
    JSON,
    Refused,
    existing,
    print_json,
    with_sentences,
)
from console.commands.paths import Named

if TYPE_CHECKING:
    from agent.memory.bank import Bank, Version
    from domains.core.domain import Domain
    from sessions.store.memory import BankRow
    from sessions.store.store import Store

BANK = click.option("--bank", metavar="NAME", help="Which memory.  [default: the only one]")


@click.group()
def memory() -> None:
    """What agents remember of the policy; each entry is about one capability of a tool.

    Only what you accepted or wrote is in force; every change stays in the history.
    """


@memory.command("list")
@BANK
@DB
@JSON
@with_sentences
def list_(bank: str | None, db: Path, as_json: bool) -> None:
    """List what each memory holds and in which sessions it was read."""
    from agent.memory.keeping import open_bank, own_banks
    from agent.memory.usage import uses
    from console.reports.memory_lines import bank_lines
    from sessions.store import memory as rows
    from sessions.store.store import Store

    with Store.open(existing(db), read_only=True) as store:
        names = [row.name for row in own_banks(store)] if bank is None else [bank]
        streams = [row.name for row in rows.banks(store) if row.stream and bank is None]
        told = [(held, uses(store, held.name), _policy_notice(store, held)) for held in
                (open_bank(store, name) for name in names)]  # fmt: skip
    if as_json:
        print_json([_as_object(held) | {"moved": moved} for held, _, moved in told])
        return
    for each in told:
        for line in bank_lines(*each):
            click.echo(line)
    if streams:
        count = f"{len(streams)} {'memory' if len(streams) == 1 else 'memories'}"
        click.echo(f"Streams own {count}; saber memory list --bank {streams[0]} shows one.")
    elif not told:
        click.echo("There is no memory yet; saber memory begin makes one.")


@memory.command()
@click.argument("capability")
@BANK
@DB
@JSON
@with_sentences
def show(capability: str, bank: str | None, db: Path, as_json: bool) -> None:
    """Show one capability in full, with its history."""
    from agent.memory.keeping import open_bank
    from agent.memory.usage import Use, uses
    from console.reports.memory_lines import capability_lines
    from sessions.store.store import Store

    with Store.open(existing(db), read_only=True) as store:
        held = open_bank(store, bank)
        found, used = held.get(capability), uses(store, held.name).get(capability, Use())
        moved = _policy_notice(store, held)
    if as_json:
        print_json(_as_object(held)["capabilities"][found.name] | {"moved": moved})
        return
    for line in (*([moved] if moved else []), *capability_lines(found, used)):
        click.echo(line)


@memory.command()
@click.argument("capability")
@click.option(
    "--from",
    "file",
    type=Named(),
    metavar="FILE",
    help="A file to take instead of opening your editor.",
)
@BANK
@DB
@with_sentences
def edit(capability: str, file: Path | None, bank: str | None, db: Path) -> None:
    """Write a capability's entry yourself, in your editor or a file; it is in force at once."""
    from agent.memory import markdown
    from agent.memory.files import read_folder
    from agent.memory.keeping import apply_changes
    from agent.memory.lessons import write_by_hand
    from console.commands.memory_editing import edit_entry, keep_text_on_refusal

    with open_for_change(db, bank) as (store, held):
        domain = _domain_of(store, held)
        found = held.get(capability)
        proposed = found.latest if file is None else None
        latest = found.entry if proposed is None else proposed.entry
        if file is not None:
            ((_, entry), *more), _ = read_folder(file)
            if more:
                raise Refused("--from takes one file.")
        elif latest is None:
            raise Refused(f"{capability} has no entry in force to edit; name a file with --from.")
        else:
            entry = edit_entry(
                markdown.write(latest, held.domain),
                lambda each: held.after([write_by_hand(held, domain, capability, each, proposed)]),
            )
        made = write_by_hand(held, domain, capability, entry, proposed)
        with keep_text_on_refusal(markdown.write(entry, held.domain)):
            apply_changes(store, held, [made])
    click.echo(f"{capability} is as you wrote it.")


@memory.command("export")
@click.option("--out", required=True, type=Named(), metavar="DIR", help="The folder to write to.")
@BANK
@DB
@with_sentences
def export_(out: Path, bank: str | None, db: Path) -> None:
    """Write the entries in force as Markdown, one file per capability."""
    from agent.memory.files import export
    from agent.memory.keeping import open_bank
    from sessions.store.store import Store

    with Store.open(existing(db), read_only=True) as store:
        written = export(open_bank(store, bank), out)
    click.echo(f"Wrote {_count(len(written), 'file')} to {out}.")


@memory.command("import")
@click.argument("path", type=Named())
@click.option(
    "--bank", metavar="NAME", help="The memory to import into; made if there is none of that name."
)
@click.option("--domain", help="The domain of their tools.  [default: as the files say]")
@DATA
@DB
@with_sentences
def import_(path: Path, bank: str | None, domain: str | None, data: Path | None, db: Path) -> None:
    """Propose the entries of a file or folder; none is in force until you accept it."""
    from agent.memory.files import proposals, read_folder, refuse_foreign
    from agent.memory.keeping import apply_changes, make_bank, open_bank
    from domains import load
    from sessions.store.store import Store

    found, said = read_folder(path)
    with Store.open(db) as store:
        row = _row(store, bank)
        named = domain or said or (row.domain if row else "")
        if not named:
            raise Refused(
                "These files do not say which domain they are about; name it with --domain."
            )
        if row is not None and row.domain != named:
            raise Refused(
                f"The memory {row.name} is about {row.domain}, but these entries are about {named}."
            )
        of = load(named, Path(row.data) if row and row.data else data)
        refuse_foreign(of, found)
        held = open_bank(store, row.name) if row else None
        changes = proposals(held, found)
        if held is None:
            make_bank(store, bank or of.name, of, data, changes)
        else:
            apply_changes(store, held, changes)
    click.echo(
        f"{_count(len(changes), 'entry')} not accepted yet, {len(found) - len(changes)} there "
        "already; saber memory list shows them, saber memory accept puts them into force."
    )


def _row(store: Store, name: str | None) -> BankRow | None:
    """The memory to import into, or None if it is to be made.

    Raises Refused if no name is given and there are several memories.
    """
    from agent.memory.keeping import own_banks
    from sessions.store import memory as rows

    if name is not None:
        return next((row for row in rows.banks(store) if row.name == name), None)
    there = own_banks(store)
    if len(there) > 1:
        names = ", ".join(row.name for row in there)
        raise Refused(f"There are several memories ({names}); say which with --bank.")
    return there[0] if there else None


@contextmanager
def open_for_change(db: Path, name: str | None) -> Iterator[tuple[Store, Bank]]:
    """Open a memory that a person may change; raises StoreError."""
    from agent.memory.keeping import open_bank, refuse_stream
    from sessions.store.store import Store

    with Store.open(existing(db)) as store:
        held = open_bank(store, name)
        refuse_stream(held)
        yield store, held


def _policy_notice(store: Store, bank: Bank) -> str:
    """A sentence that the policy has changed or cannot be read; empty if neither is so."""
    from domains.core.domain import DomainError

    try:
        return bank.policy_notice(_domain_of(store, bank).policy_digest)
    except DomainError:
        return f"The policy that the memory {bank.name} was made under cannot be read here."


def _domain_of(store: Store, bank: Bank) -> Domain:
    """The domain of a memory, on the records it was made with; raises DomainError."""
    from agent.memory.keeping import row_of
    from domains import load

    data = row_of(store, bank.name).data
    return load(bank.domain, Path(data) if data else None)


def _as_object(bank: Bank) -> dict[str, Any]:
    return {
        "bank": bank.name,
        "domain": bank.domain,
        "policy_digest": bank.policy_digest,
        "revision": bank.revision,
        "capabilities": {
            name: {
                "capability": name,
                "entry": each.entry and each.entry.model_dump(mode="json"),
                "not_accepted": [_proposal(version) for version in each.waiting],
                "history": [
                    {"revision": revision, "at": at, **change.model_dump(mode="json")}
                    for revision, at, change in each.history
                ],
            }
            for name, each in sorted(bank.capabilities.items())
        },
    }


def _proposal(version: Version) -> dict[str, Any]:
    return {"id": version.id, **version.entry.model_dump(mode="json")}


def _count(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"
