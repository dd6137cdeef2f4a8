"""Imports runs of other programs, and files of our own sessions, as sessions of this store.

``read_runs`` detects the program that wrote a file and parses its runs; ``import_runs`` repeats
their calls on our records and stores each as a session. ``import_sessions`` copies our own
sessions unchanged.
"""

from __future__ import annotations

from sessions.importing.detecting import read_runs
from sessions.importing.runs import Run
from sessions.importing.storing import Report, import_runs, import_sessions

__all__ = ["Report", "Run", "import_runs", "import_sessions", "read_runs"]
