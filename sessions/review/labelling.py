"""What a person says of a session: put into words, and kept in the log wherever that is open."""

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
    """What was said is no label; the message is a sentence for the person."""


def make_label(
    place: Place, verdict: Verdict, *, tags: Iterable[str] = (), note: str = "", by: str
) -> Labelled:
    """The label in these words, cleaned; raises NotLabelled where nobody stands by it."""
    about, which = place
    who = " ".join(clean(by).split())
    if not who:
        raise NotLabelled("A label needs a name to stand by it; say whose it is.")
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
    """A note, and the tags that stand in it as words that begin with ``#``."""
    words = clean(line).split()
    tags = [each[1:] for each in words if each.startswith("#") and each.strip("#")]
    return " ".join(each for each in words if not each.startswith("#")), tags


def own_name() -> str:
    """The name that somebody works under on this machine; raises NotLabelled without one."""
    name = login()
    if not name:
        raise NotLabelled("This machine has no name for you; say whose the label is.")
    return name


class LabelDesk:
    """Where labels are given in the app."""

    def __init__(self, db: Path, open_log: Callable[[], Log | None]) -> None:
        """`open_log` gives the log of the conversation that is open, where one is."""
        self._db = db
        self._open_log = open_log
        self._by: str | None = None

    @property
    def by(self) -> str:
        """Who gave the last label, else whoever works here; empty where that is not known."""
        if self._by is None:
            try:
                return clean(own_name())
            except NotLabelled:
                return ""
        return self._by

    async def keep(self, session: str, label: Labelled) -> list[Logged]:
        """Append a label to a session's log, and give that; raises StoreError.

        A conversation that is open has to hear of it: its log would be behind the file.
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
