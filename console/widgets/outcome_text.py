"""The score of a session against its scenario, in words."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from sessions.events import Scored
from sessions.views.outcome import findings as sections
from sessions.views.outcome import session_verdict

_MARKS = {
    "right": ("✓ ", "$text-success"),
    "wrong": ("✗ ", "$text-error"),
    "open": ("? ", "$text-warning"),
}


def verdict(scored: Scored) -> Content:
    """One line that says whether the scenario came out right."""
    stands = session_verdict(scored)
    return Content.assemble(_MARKS[stands.verdict], stands.sentence)


def findings(scored: Scored) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Headings, each with its lines; only those that are not empty."""
    return sections(scored)
