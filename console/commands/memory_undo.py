"""``saber memory undo``: show what is in force, ask, and take back that and nothing newer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from console.commands.memory import BANK, open_for_change
from console.commands.memory_deciding import is_confirmed
from console.commands.options import DB, Refused, with_sentences

if TYPE_CHECKING:
    from agent.memory.bank import Bank, Capability, Version


@click.command()
@click.argument("capability")
@click.option(
    "--revision",
    type=int,
    metavar="N",
    help="Only if this revision, as shown by show, is still in force.",
)
@click.option("--yes", is_flag=True, help="Do not ask, whatever is in force.")
@BANK
@DB
@with_sentences
def undo(capability: str, revision: int | None, yes: bool, bank: str | None, db: Path) -> None:
    """Undo the last change of a capability.

    What would be undone is shown and confirmed, unless you name its revision or say --yes.
    """
    from agent.memory.change import Change, Origin
    from agent.memory.keeping import apply_changes

    with open_for_change(db, bank) as (store, held):
        found = held.get(capability)
        holds = found.versions[-1] if found.versions else None
        if revision is not None and (holds is None or holds.revision != revision):
            now = "nothing" if holds is None else f"revision {holds.revision}"
            raise Refused(f"Nothing was undone: {now} of {capability} is in force now.")
        if holds is not None and revision is None:
            _show(held, found)
            if not yes and not is_confirmed("Undo this?"):
                by_number = f"--revision {holds.revision} undoes it without asking"
                raise Refused(f"Nothing was undone; {by_number}.")
        made = Change(
            does="undo", capability=found.name, origin=Origin(kind="person"), by="person"
        )  # fmt: skip
        left = apply_changes(store, held, [made]).get(capability).entry
    assert holds is not None  # undo is refused if nothing is in force
    now = "as it was before" if left else "no longer in force"
    click.echo(f"Undone: {_named(holds)}; {capability} is {now}.")
    if revision is not None:
        for each in _return(found):
            click.echo(each)


def _show(bank: Bank, found: Capability) -> None:
    from domains.text.one_line import line

    click.echo(f"To be undone in {line(bank.name, 64)}: {_named(found.versions[-1])}")
    for each in _lines(found):
        click.echo(f"  {each}")
    for each in _return(found):
        click.echo(each)


def _return(found: Capability) -> Iterator[str]:
    """Yield what ``show`` says of the version that comes back into force; nothing if none does."""
    from console.reports.memory_lines import return_lines

    for version in found.versions[-2:-1]:
        yield from return_lines(version)


def _lines(found: Capability) -> Iterator[str]:
    """Yield what goes and what comes back; what stays the same is left out."""
    from console.reports.memory_lines import difference_lines, entry_lines

    *_, holds = found.versions
    if len(found.versions) > 1:
        told = list(difference_lines(holds.entry, found.versions[-2].entry))
        yield from ([each for each in told if not each.startswith(" ")] or ["nothing in its text"])
    else:
        yield from (f"- {each}" for each in entry_lines(holds.entry))


def _named(version: Version) -> str:
    from domains.text.one_line import line

    return f"revision {version.revision}, by {line(version.by, 64)}"
