"""An entry of a memory in a person's own editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from console.commands.options import Refused

if TYPE_CHECKING:
    from agent.memory.entry import Entry


def edit_entry(text: str) -> Entry:
    """The entry as it was saved; raises Refused where it was not, MemoryRefused for what is none.

    What is no entry is opened again, with the reason, as often as somebody wants to mend it.
    """
    from agent.memory import markdown
    from sessions.store.memory import MemoryRefused

    while True:
        try:
            edited = click.edit(text, extension=".md")
        except click.ClickException as error:
            raise Refused(f"The editor did not work: {error.message}") from None
        if edited is None:
            raise Refused("Nothing was saved, so nothing was changed.")
        try:
            return markdown.read(edited, "What you wrote")[0]
        except MemoryRefused as error:
            if not click.confirm(f"{error} Edit it again?", default=True):
                raise
            text = edited
