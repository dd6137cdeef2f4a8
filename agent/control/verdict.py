"""A router's verdict on a session."""

from __future__ import annotations

from dataclasses import dataclass

from sessions.events import Route


@dataclass(frozen=True, slots=True)
class Verdict:
    """A label, who gave it, and why."""

    label: Route
    by: str
    raw: str = ""
    """The model's answer, unchanged."""

    malformed: bool = False
    features: tuple[str, ...] = ()
