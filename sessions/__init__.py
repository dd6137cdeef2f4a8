"""The record of what happened: the event log and everything derived from it.

``events`` defines the types that a log consists of, ``store`` keeps logs in SQLite, and ``log`` is
one open session as the engine and its screen share it. Everything else reads logs: ``views`` (what
is shown), ``scoring``, ``statistics``, ``exporting``, ``importing``, and ``review``.
"""

from __future__ import annotations
