"""Sessions on the command line: named by their id, or by an unambiguous beginning of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.commands.options import Refused, with_sentences

if TYPE_CHECKING:
    from sessions.store.listing import SessionRow

_LISTED = 5
"""How many of the possible sessions are listed."""

_TITLE = 40
"""Longest excerpt from the first words of a listed session, in characters."""


def with_full_session_ids(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let these parameters of a command take beginnings of ids; the command gets whole ids."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run(*args: Any, **given: Any) -> Any:
            found = {name: _full_session_ids(given["db"], given[name]) for name in names}
            return command(*args, **{**given, **found})

        return run

    return decorate


def _full_session_ids(db: Path, said: str | tuple[str, ...] | None) -> Any:
    if isinstance(said, tuple):
        return tuple(full_session_id(db, each) for each in said)
    return None if said is None else full_session_id(db, said)


@with_sentences
def full_session_id(db: Path, said: str) -> str:
    """The id that begins with ``said``; raises Refused if there are several.

    If there is none, ``said`` is returned unchanged for the command to refuse.
    """
    from sessions.store.ids import is_session_id

    beginning = said.upper()
    if is_session_id(beginning):
        return beginning
    if not said or not said.isascii():
        raise Refused("That is not a session id; saber sessions lists them.")
    found = _beginning_with(beginning, db) if db.exists() else []
    if len(found) > 1:
        raise Refused(_ambiguous(said, found))
    return found[0].id if found else said


def _beginning_with(beginning: str, db: Path) -> list[SessionRow]:
    from sessions.store.store import Store

    with Store.open(db, read_only=True) as store:
        return store.beginning_with(beginning)


def _ambiguous(said: str, found: Sequence[SessionRow]) -> str:
    named = ", ".join(f"{row.id} ({_title(row)})" for row in found[:_LISTED])
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    return f"{len(found)} sessions begin with {said}: {named}{more}. Give more of the id."


def _title(row: SessionRow) -> str:
    from domains.text.one_line import quotation

    return quotation(row.title, _TITLE) if row.title else "nothing said"
