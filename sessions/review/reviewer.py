"""The name of the person who judges a recorded session."""

from __future__ import annotations

import getpass


def login() -> str:
    """The login name of the current user; empty if the machine knows none."""
    try:
        return getpass.getuser()
    except (KeyError, ImportError, OSError):
        return ""
