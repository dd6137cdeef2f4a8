"""Second decisions on recorded cards, as part of what ``saber stats`` prints."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from console.reports.stats_lines import (
    NOTHING,
    Line,
    around,
    estimate,
    numbers,
    percent,
    plain,
)
from console.reports.stats_lines import share as share_line
from domains.text.quantity import quantity
from sessions.statistics.agreement import Agreement, PairAgreement
from sessions.statistics.intervals import Estimate
from sessions.statistics.reviewing import Reviews

ABOUT = (
    "κ and α are 1 where all agree, and 0 where they do as often as by chance. Intervals of "
    "agreement, κ and α: a bootstrap over sessions, since cards of one resemble each other; none "
    "if the decisions are too few or too much alike. A card is wrong if its change does not lead "
    "to an acceptable end of the scenario."
)
"""What a reader has to know about these numbers."""


def review_parts(found: Reviews | None) -> Iterator[RenderableType]:
    """Yield the second decisions of a group; nothing if there are none."""
    if found is None:
        return
    told = f"{quantity(found.cards, 'card')} of {quantity(found.sessions, 'session')}"
    yield plain(f"Reviewed by {', '.join(found.reviewers)}: {told}")
    yield numbers((*_agreements(found), *_detections(found)))
    if found.unknown:
        yield Text(
            f"It is not known of {quantity(found.unknown, 'card')} whether the change was wrong. "
            "A change that the task expects against the policy counts as one of these."
        )


def all_reviews(found: Reviews) -> RenderableType:
    """The second decisions on the cards of all groups together."""
    parts = (Text("All groups together", style="bold"), *review_parts(found))
    return Padding(Group(*parts), (0, 0, 1, 0))


def _agreements(found: Reviews) -> Iterator[Line]:
    yield from _agreement(found.approval, "approve or not")
    if found.tells_apart:
        yield from _agreement(found.agreement, "approve, reject or change")


def _agreement(found: Agreement, what: str) -> Iterator[Line]:
    for pair in found.pairs:
        yield from _pair(pair, what)
    yield _measure("Krippendorff's α", found.alpha, found.why, f"all who decided: {what}")


def _pair(pair: PairAgreement, what: str) -> Iterator[Line]:
    both, agreed = f"{pair.one} and {pair.other}: {what}", pair.percent
    value = NOTHING if agreed.value is None else percent(agreed.value)
    yield "agree", value, around(agreed.interval), f"{agreed.n}", both
    yield _measure("Cohen's κ", pair.kappa, pair.why, both)


def _measure(name: str, found: Estimate, why: str, what: str) -> Line:
    """κ or α as a line, with the reason if it has no value."""
    if found.value is None:
        return name, NOTHING, NOTHING, f"{found.n}", f"{what}. {why}"
    return estimate(name, found, "{:.2f}", what)


def _detections(found: Reviews) -> Iterator[Line]:
    for each in found.detections:
        lines = (
            share_line("hits", each.hits, f"wrong cards that {each.decider} did not approve"),
            share_line(
                "false alarms",
                each.false_alarms,
                f"right cards that {each.decider} did not approve",
            ),
        )
        yield from (line for line in lines if line[3] != "0")
