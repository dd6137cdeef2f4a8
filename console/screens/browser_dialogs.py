"""The dialogs and texts of the session browser: pick a filter, confirm a deletion, export."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

from textual.app import App

from console.browser.session_query import FILTERS, Known
from console.screens.dialogs import PickDialog
from console.setup import default_db
from console.widgets.plain import shorten_and_clean
from sessions.store.listing import SessionRow


async def pick_filter(app: App[Any], known: Known) -> tuple[str, str] | None:
    """Let the user pick a filter and then its value; return both, or None if they cancel."""
    options = [(name, f"{name:<9} {each.meaning}") for name, each in FILTERS.items()]
    name = await app.push_screen_wait(PickDialog("Add a filter", options))
    if name is None:
        return None
    kind = FILTERS[name]
    values = [(each, str(shorten_and_clean(each))) for each in kind.values or known.get(name, ())]
    typed = "" if kind.values else f"or type it: {kind.meaning}"
    value = await app.push_screen_wait(PickDialog(name, values, typed=typed))
    return None if value is None else (name, value)


async def confirm_deletion(app: App[Any], row: SessionRow) -> bool:
    """Whether the user confirms the deletion; "No" is preselected."""
    said = str(shorten_and_clean(row.title or "nothing said"))
    options = [("", "No, keep it"), ("yes", f"Yes, delete “{said}” and its whole log")]
    return await app.push_screen_wait(PickDialog("Delete for good?", options)) == "yes"


def export_command(session: str, db: Path) -> str:
    """The shell command that exports a session as an HTML page."""
    where = "" if db == default_db() else f" --db {quote(str(shorten_and_clean(str(db))))}"
    return f"saber export html --session {session} --out session.html{where}"
