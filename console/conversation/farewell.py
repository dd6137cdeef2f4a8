"""What is printed when the app closes: how to continue the session that was open."""

from __future__ import annotations

import shlex
from pathlib import Path

from console.setup import default_db
from sessions.views import SessionStatus


def farewell(held: SessionStatus, db: Path) -> str:
    """The command that resumes a session; empty if it has ended or nothing was said in it."""
    if held.ended is not None or not held.turn:
        return ""
    elsewhere = () if db == default_db() else ("--db", str(db))
    command = shlex.join(("saber", "play", "--resume", held.session, *elsewhere))
    return f"To resume this session: {command}"
