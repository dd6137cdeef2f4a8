"""Edit an entry of a memory in the user's own editor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from console.commands.options import Refused

if TYPE_CHECKING:
    from agent.memory.entry import Entry


def edit_entry(text: str, try_out: Callable[[Entry], object]) -> Entry:
    """Return the entry that the user saved; raises Refused if nothing usable was saved.

    A text that is not an entry, or for which ``try_out`` raises MemoryRefused, is opened again with
    the reason, as often as the user wants to correct it.
    """
    from agent.memory import markdown
    from sessions.store.memory import MemoryRefused

    while True:
        try:
            edited = click.edit(text, extension=".md")
        except click.ClickException as error:
            raise Refused(f"The editor failed: {error.message}") from None
        if edited is None:
            raise Refused("Nothing was saved, so nothing was changed.")
        try:
            entry = markdown.read(edited, "What you wrote")[0]
            try_out(entry)
        except MemoryRefused as error:
            if not _wants_to_mend(error):
                raise _with_text(error, edited) from None
            text = edited
        else:
            return entry


def _wants_to_mend(error: Exception) -> bool:
    try:
        return click.confirm(f"{error} Edit it again?", default=True)
    except click.Abort:
        return False


@contextmanager
def keep_text_on_refusal(text: str) -> Iterator[None]:
    """Return the user's text in a Refused error if the memory refuses to keep it."""
    from sessions.store.memory import MemoryRefused

    try:
        yield
    except MemoryRefused as error:
        if not text:
            raise
        raise _with_text(error, text) from None


def _with_text(error: Exception, text: str) -> Refused:
    from agent.models.redaction import without_secrets
    from sessions.cleaning import clean

    return Refused(f"{error} This is what you wrote:\n\n{without_secrets(clean(text)).rstrip()}")
