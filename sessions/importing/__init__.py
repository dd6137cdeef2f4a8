"""Imports runs of other programs, and files of our own sessions, as sessions of this store.

``runs_of`` detects the program that wrote a file and parses its runs; ``take_in_runs`` repeats
their calls on our records and stores each as a session. ``take_in_sessions`` copies our own
sessions unchanged.
"""

from __future__ import annotations

from sessions.importing.detecting import runs_of
from sessions.importing.runs import Run
from sessions.importing.taking_in import Report, take_in_runs, take_in_sessions

__all__ = ["Report", "Run", "runs_of", "take_in_runs", "take_in_sessions"]
