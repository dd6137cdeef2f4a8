"""What the list of sessions asks the person: which filter, whether to delete; and what it tells."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

from textual.app import App

from console.browser.session_query import FILTERS, Known
from console.screens.dialogs import PickDialog
from console.setup import default_db
from console.widgets.plain import fitting
from sessions.store.listing import SessionRow


async def pick_filter(app: App[Any], known: Known) -> tuple[str, str] | None:
    """The name and the value of a filter, each chosen from a list; None where it is left."""
    options = [(name, f"{name:<9} {each.meaning}") for name, each in FILTERS.items()]
    name = await app.push_screen_wait(PickDialog("Add a filter", options))
    if name is None:
        return None
    kind = FILTERS[name]
    values = [(each, str(fitting(each))) for each in kind.values or known.get(name, ())]
    typed = "" if kind.values else f"or type it: {kind.meaning}"
    value = await app.push_screen_wait(PickDialog(name, values, typed=typed))
    return None if value is None else (name, value)


async def may_delete(app: App[Any], row: SessionRow) -> bool:
    """Whether the person says yes; what Enter takes at once is no."""
    said = str(fitting(row.title or "nothing said"))
    options = [("", "No, keep it"), ("yes", f"Yes, delete “{said}” and its whole log")]
    return await app.push_screen_wait(PickDialog("Delete for good?", options)) == "yes"


def export_command(session: str, db: Path) -> str:
    """What is typed in a shell to have a session as a page."""
    where = "" if db == default_db() else f" --db {quote(str(fitting(str(db))))}"
    return f"saber export html --session {session} --out session.html{where}"
