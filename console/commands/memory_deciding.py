"""``saber memory accept`` and ``refuse``: decide proposals, and only those that were shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from console.commands.memory import BANK, open_for_change
from console.commands.options import DB, Refused, with_sentences

if TYPE_CHECKING:
    from agent.memory.bank import Bank, Version

_EVERY = click.option("--all", "every", is_flag=True, help="All proposals that wait.")
_NAMES = click.argument("names", nargs=-1, metavar="[PROPOSAL|CAPABILITY]...")


@click.command()
@_NAMES
@_EVERY
@BANK
@DB
@with_sentences
def accept(names: Sequence[str], every: bool, bank: str | None, db: Path) -> None:
    """Put proposals into force: by the ids from list and show, or shown here and confirmed."""
    _decide(names, every, bank, db, accept=True)


@click.command()
@_NAMES
@_EVERY
@BANK
@DB
@with_sentences
def refuse(names: Sequence[str], every: bool, bank: str | None, db: Path) -> None:
    """Refuse proposals, which are named and confirmed as for accept."""
    _decide(names, every, bank, db, accept=False)


def _decide(
    names: Sequence[str], every: bool, bank: str | None, db: Path, *, accept: bool
) -> None:  # fmt: skip
    from agent.memory.keeping import apply_changes
    from agent.memory.learning import decide

    if every == bool(names):
        raise click.UsageError("Name proposals or capabilities, or say --all.")
    with open_for_change(db, bank) as (store, held):
        waiting = held.waiting()
        named = _by_id(waiting, names)
        asked = waiting if every else _of_capabilities(held, named, names)
        chosen = [*named, *asked]
        if accept:
            _refuse_one_over_another(held, chosen)
        _ask(held, asked, accept=accept)
        made = [decide(each.entry.capability, each.revision, accept=accept) for each in chosen]
        after = apply_changes(store, held, made)
    told = ", ".join(each.entry.capability for each in chosen) or "nothing waited"
    click.echo(f"{'Accepted' if accept else 'Refused'}: {told}.")
    _tell_others(after, chosen)


def _by_id(waiting: Iterable[Version], names: Sequence[str]) -> list[Version]:
    """The proposals that are named by their ids."""
    from agent.memory.bank import ID_LENGTH

    ids = tuple(name for name in names if len(name) >= ID_LENGTH)
    return [each for each in waiting if each.digest.startswith(ids)]


def _of_capabilities(bank: Bank, by_id: Sequence[Version], names: Sequence[str]) -> list[Version]:
    """The proposals that are named by capability and not by id; raises Refused."""
    from domains.text.one_line import quotation

    named = {each.revision for each in by_id}
    found: list[Version] = []
    for name in dict.fromkeys(names):
        if _by_id(by_id, [name]):
            continue
        known = bank.capabilities.get(name)
        if known is None or not known.waiting:
            raise Refused(
                f"No proposal for {quotation(name)} waits in the memory {bank.name}; saber memory "
                "list shows those that do, with their ids."
            )
        found += [each for each in known.waiting if each.revision not in named]
    return found


def _refuse_one_over_another(bank: Bank, chosen: Sequence[Version]) -> None:
    """Show the proposals and raise Refused if several are about one capability.

    Each would replace the one before it, so only the last would be in force.
    """
    by_capability: dict[str, list[Version]] = {}
    for each in chosen:
        by_capability.setdefault(each.entry.capability, []).append(each)
    for name, several in by_capability.items():
        if len(several) > 1:
            _show(bank, several)
            ids = ", ".join(each.id for each in several)
            raise Refused(
                f"Nothing was decided: {ids} are all about {name}, and each would replace the one "
                "before it. Accept one by its id; those that still wait are then shown compared "
                "with it, and can be accepted or refused by their ids."
            )


def _ask(bank: Bank, asked: Sequence[Version], *, accept: bool) -> None:
    """Show the proposals that were not named by id, and ask; raises Refused if declined."""
    if not asked:
        return
    _show(bank, asked)
    ids = " ".join(each.id for each in asked)
    if not is_confirmed("Put this into force?" if accept else "Refuse to remember this?"):
        raise Refused(f"Nothing was decided. To decide without being asked, give the ids: {ids}")


def is_confirmed(question: str) -> bool:
    """Whether the user is there and says yes."""
    try:
        return click.confirm(question)
    except click.Abort:
        return False


def _tell_others(bank: Bank, decided: Iterable[Version]) -> None:
    """Show what else waits for these capabilities, compared with what is in force now."""
    of = {each.entry.capability: each.revision for each in decided}
    others = [
        (each, each.revision > of[each.entry.capability])
        for each in bank.waiting()
        if each.entry.capability in of
    ]
    for title, is_later in (
        ("Proposed before that and not decided yet:", False),
        ("Proposed since then and not decided yet:", True),
    ):
        found = [each for each, later in others if later == is_later]
        if found:
            click.echo(title)
            _show(bank, found)


def _show(bank: Bank, proposals: Iterable[Version]) -> None:
    from console.reports.memory_lines import proposal_lines

    for each in proposals:
        click.echo(f"{each.id}:")
        for line in proposal_lines(bank, each.entry.capability, each.entry, each.origin):
            click.echo(line)
