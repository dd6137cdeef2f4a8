"""``saber doctor``: check the installation, and say what to do about what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from console.commands.options import DB, JSON, print_json, with_sentences

if TYPE_CHECKING:
    from console.reports.doctor import Check

_MARKS = {"ok": ("✓", "green"), "note": ("!", "yellow"), "wrong": ("✗", "red")}


@click.command()
@DB
@JSON
@with_sentences
def doctor(db: Path, as_json: bool) -> None:
    """Check the session file, keys, models, terminal and libraries; changes and sends nothing.

    ✓ is fine, ! is worth knowing, ✗ is wrong; any ✗ makes the exit code 2. A large file takes a
    while, because every event of every session is read.
    """
    from dataclasses import asdict

    from console.reports.doctor import examine
    from sessions.cleaning import clean_json

    found = []
    for check in examine(db):
        found.append(check)
        if not as_json:
            _show(check)
    if as_json:
        print_json(clean_json([asdict(check) for check in found]))
    if any(check.verdict == "wrong" for check in found):
        raise click.exceptions.Exit(2)


def _show(check: Check) -> None:
    from sessions.cleaning import clean

    mark, colour = _MARKS[check.verdict]
    click.echo(f"{click.style(mark, fg=colour)} {check.name}: {clean(check.told)}")
    if check.advice:
        click.echo(f"    {clean(check.advice)}")
