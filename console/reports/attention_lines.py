"""Attention checks in the table of ``saber stats``: how many were caught, and the look times."""

from __future__ import annotations

from collections.abc import Iterator

from console.reports.stats_lines import NOTHING, Line, percent, share
from sessions.statistics.attention import Attention


def attention_lines(found: Attention | None) -> Iterator[Line]:
    """Yield the catch rate beside the approval rate of other cards, and both look times."""
    if found is None:
        return
    approved = found.true_approved.value
    true = "" if approved is None else f"; of the other cards {percent(approved)} were approved"
    yield share("checks caught", found.caught, f"deliberately wrong cards that were declined{true}")
    if found.look_ms is not None:
        true_look = found.true_look_ms
        beside = "" if true_look is None else f"; at other cards {_seconds(true_look)}"
        what = f"median time a person looked at them{beside}"
        yield "look at checks", _seconds(found.look_ms), NOTHING, f"{found.looked}", what
    if found.asked or found.withdrawn:
        other = found.asked + found.withdrawn
        what = f"neither caught nor missed: {found.asked} asked about, {found.withdrawn} withdrawn"
        yield "checks undecided", f"{other}", NOTHING, f"{found.shown}", what


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:,.1f} s"
