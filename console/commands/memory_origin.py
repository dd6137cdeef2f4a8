"""Ask where a session comes from if an older version of the program did not note that.

Sessions that came with a file have since been marked as such. Nothing distinguishes earlier ones
from sessions that were recorded here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from console.commands.options import Refused

if TYPE_CHECKING:
    from agent.memory.feedback import Feedback
    from sessions.store.store import Store

_UNKNOWN = (
    "Session {} was in this file before the file noted which sessions were imported, so nobody "
    "here can tell whose words are in it."
)


def settle_origin(store: Store, session: str, new: Feedback) -> None:
    """Ask where a session comes from, if that is unknown and there is something to learn from it.

    The answer is kept. Raises Refused if no one answers.
    """
    if not any(each.unsure for each in new.evidence):
        return
    click.echo(_UNKNOWN.format(session))
    try:
        here = click.confirm("Was it recorded here, and not imported?")
    except click.Abort:
        raise Refused(
            "Nothing was learned: answer the question, or say --imported to learn from it as from "
            "an imported session."
        ) from None
    store.settle_origin(session, here=here)
