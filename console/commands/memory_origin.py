"""Whose words a session has that an older version of the program left unmarked: a person is asked.

Sessions that came with another file are marked as such since then; of those that were here before,
nothing tells them from what was recorded here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from console.commands.options import Refused

if TYPE_CHECKING:
    from agent.memory.feedback import Feedback
    from sessions.store.store import Store

_UNKNOWN = (
    "Session {} was in this file before it was noted which sessions came with other files, so that "
    "nobody can tell here whose words are in it."
)


def settle_origin(store: Store, session: str, new: Feedback) -> None:
    """Ask where a session comes from, if that is not known and there is something to learn of it.

    The answer is kept. Raises Refused where nobody answers.
    """
    if not any(each.unsure for each in new.evidence):
        return
    click.echo(_UNKNOWN.format(session))
    try:
        here = click.confirm("Was it recorded here, and not imported?")
    except click.Abort:
        raise Refused(
            "Nothing was learned: answer that, or say --imported to learn from it as from a "
            "stranger's."
        ) from None
    store.settle_origin(session, here=here)
