"""Who says something of a recorded session."""

from __future__ import annotations

import getpass


def login() -> str:
    """The name under which somebody is logged in here; empty where the machine knows none."""
    try:
        return getpass.getuser()
    except (KeyError, ImportError, OSError):
        return ""
