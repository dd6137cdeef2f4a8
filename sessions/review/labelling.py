"""Create labels for a session, and append them to its log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

from sessions.cleaning import clean
from sessions.events import Labelled, Logged, Verdict
from sessions.log import Log
from sessions.review.reviewer import login
from sessions.store.listing import tag
from sessions.views.labels import Place


class NotLabelled(Exception):
    """The input is not a valid label; the message is a sentence for the user."""


def make_label(
    place: Place, verdict: Verdict, *, tags: Iterable[str] = (), note: str = "", by: str
) -> Labelled:
    """A label with this content, cleaned; raises NotLabelled if it has no author."""
    about, which = place
    who = " ".join(clean(by).split())
    if not who:
        raise NotLabelled("A label needs an author; say who gives it.")
    return Labelled.model_validate(
        {
            "about": about,
            "seq": which if about == "event" else None,
            "card_id": which if about == "card" else None,
            "verdict": verdict,
            "tags": tuple(dict.fromkeys(filter(None, map(tag, tags)))),
            "note": clean(note).strip(),
            "by": who,
        }
    )


def split_tags(line: str) -> tuple[str, list[str]]:
    """The note without its tags, and the tags, which are its words that begin with ``#``."""
    words = clean(line).split()
    tags = [each[1:] for each in words if each.startswith("#") and each.strip("#")]
    return " ".join(each for each in words if not each.startswith("#")), tags


def own_name() -> str:
    """The user's login name on this machine; raises NotLabelled without one."""
    name = login()
    if not name:
        raise NotLabelled("Your user name is not known on this machine; say who gives the label.")
    return name


class LabelDesk:
    """Adds labels to sessions from within the app."""

    def __init__(self, db: Path, open_log: Callable[[], Log | None]) -> None:
        """Set up the desk; `open_log` returns the log of the open conversation, if there is one."""
        self._db = db
        self._open_log = open_log
        self._by: str | None = None

    @property
    def by(self) -> str:
        """The last label's author, otherwise the user's login name; empty if neither is known."""
        if self._by is None:
            try:
                return clean(own_name())
            except NotLabelled:
                return ""
        return self._by

    async def keep(self, session: str, label: Labelled) -> list[Logged]:
        """Append a label to a session's log, and return the log; raises StoreError.

        If that session is the open conversation, the label goes through its log, which would
        otherwise fall behind the file.
        """
        self._by = label.by
        held = self._open_log()
        if held is not None and held.session == session:
            await held.append(label)
            return list(held.events)
        return await asyncio.to_thread(_append, self._db, session, label)


def _append(db: Path, session: str, label: Labelled) -> list[Logged]:
    from sessions.store.store import Store

    with Store.open(db) as store:
        store.append(session, [label])
        return store.read(session)
