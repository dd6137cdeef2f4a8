"""Compares one change with everything that was said about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agent.comparison.act_and_price import compare_acts, compare_mention, compare_price
from agent.comparison.choices import compare_choices
from agent.comparison.counts import compare_counts
from agent.comparison.money import compare_money
from agent.comparison.quoted_requests import requests_behind
from agent.comparison.records import compare_record
from agent.comparison.scope import Scope
from agent.comparison.selections import compare_selections
from agent.comparison.sources import compare_sources
from agent.comparison.talk import Talk
from agent.comparison.trips import compare_dates, compare_times
from domains.core.domain import Domain
from domains.core.facts import Facts
from domains.core.records import Preview, Records
from domains.core.tool import ToolError
from sessions.events import Disagreement


@dataclass(frozen=True, slots=True)
class Comparison:
    """The requests behind a change, and where it differs from what was said."""

    asked: tuple[str, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()


NOTHING_SAID = Comparison()
"""The result for a change that cannot be compared, or about which nothing was said."""


def compare_call(domain: Domain, records: Records, preview: Preview, talk: Talk) -> Comparison:
    """Compare a call that was tried on these records with the conversation.

    A call can pass its tool with arguments so unusual that its facts cannot be worked out. Such a
    change is compared with nothing, and its card is shown all the same.
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
    """Compare what a change does with what was said; ``NOTHING_SAID`` if there are no facts."""
    if facts is None:
        return NOTHING_SAID
    scope = Scope(facts, talk)
    lines = (line for comparison in _COMPARISONS for line in comparison(scope))
    return Comparison(requests_behind(scope), tuple(lines))
