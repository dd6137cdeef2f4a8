"""The comparison of one change with all that was said about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agent.comparison.asked import requests_behind
from agent.comparison.choices import compare_choices
from agent.comparison.counts import compare_counts
from agent.comparison.money import compare_money
from agent.comparison.records import compare_record
from agent.comparison.scope import Scope
from agent.comparison.selections import compare_selections
from agent.comparison.sources import compare_sources
from agent.comparison.talk import Talk
from agent.comparison.trips import compare_dates, compare_times
from agent.comparison.wishes import compare_acts, compare_mention, compare_price
from domains.core.domain import Domain
from domains.core.facts import Facts
from domains.core.records import Preview, Records
from domains.core.tool import ToolError
from sessions.events import Disagreement


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was said about a change, and where that does not fit what its trial does."""

    asked: tuple[str, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()


NOTHING_SAID = Comparison()
"""Where there is no conversation, or nothing in it bears on the change."""


def compare_call(domain: Domain, records: Records, preview: Preview, talk: Talk) -> Comparison:
    """The comparison for a call that was tried on these records.

    A call may pass its tool with arguments so odd that its values cannot be told; such a change is
    compared with nothing, and its card stands all the same.
    """
    try:
        facts = domain.facts(records.draft(), preview)
    except (LookupError, TypeError, ValueError, AttributeError, ToolError):
        return NOTHING_SAID
    return compare(facts, talk)


_COMPARISONS: tuple[Callable[[Scope], Iterator[Disagreement]], ...] = (
    compare_money,
    compare_acts,
    compare_mention,
    compare_record,
    compare_selections,
    compare_choices,
    compare_counts,
    compare_dates,
    compare_times,
    compare_price,
    compare_sources,
)


def compare(facts: Facts | None, talk: Talk) -> Comparison:
    """Hold what a change does against what was said; nothing where there is nothing to hold."""
    if facts is None:
        return NOTHING_SAID
    scope = Scope(facts, talk)
    lines = (line for comparison in _COMPARISONS for line in comparison(scope))
    return Comparison(requests_behind(scope), tuple(lines))
