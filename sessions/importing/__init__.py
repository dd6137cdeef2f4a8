"""Runs of other programs, and sessions of our own files, as sessions of this one."""

from __future__ import annotations

from sessions.importing.detecting import runs_of
from sessions.importing.runs import Run
from sessions.importing.taking_in import Report, take_in_runs, take_in_sessions

__all__ = ["Report", "Run", "runs_of", "take_in_runs", "take_in_sessions"]
