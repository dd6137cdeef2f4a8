"""How a session stood against its scenario, in words."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from sessions.events import Scored


def verdict(scored: Scored) -> Content:
    """One line: whether the scenario came out right."""
    if scored.reward >= 1:
        return Content.assemble(("✓ ", "$text-success"), "The records are where they should be.")
    if not scored.records_match:
        return Content.assemble(("✗ ", "$text-error"), "The records are not where they should be.")
    return Content.assemble(
        ("✗ ", "$text-error"), "The records are right, but something was not said."
    )


def findings(scored: Scored) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Headings, each with its lines; only those that have something to say."""
    if scored.differences:
        yield "What is different from where it should be", scored.differences
    if scored.missing:
        yield "What the agent should have said, and did not", scored.missing
    if scored.unconsented_writes:
        count = scored.unconsented_writes
        yield (
            "Without your word",
            (f"{count} change{'s' if count > 1 else ''} while the gate was off",),
        )
