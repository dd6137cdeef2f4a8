"""What ``saber stats --cards`` prints: what cards catch, and how often they cry wolf."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from console.reports.stats_lines import NOTHING, around, percent, plain
from domains.text.quantity import quantity
from sessions.scoring.card_calls import RESTS_ON
from sessions.statistics.evidence import CardReport, Caught, Reader
from sessions.statistics.intervals import CONFIDENCE, Share

MEANING = (
    "A card earns its place if it speaks against changes that are wrong, and hardly ever against "
    "right ones: read the first share as how much is caught, the second as how often it cries "
    "wolf. A reader refuses a change by not approving it."
)
"""What the table means, in a sentence or two."""

_HEADINGS = {"check": "✗ ", "disagreement": "≠ ", "question": "? "}

_SHOWN = {"card": "shown the card", "raw": "shown the bare call"}


def card_tables(reports: Iterable[CardReport]) -> Group:
    """All groups, and what holds for every number in them."""
    about = f"{MEANING} Intervals are Wilson's, at 95 %. {RESTS_ON}"
    return Group(*map(card_table, reports), Text(about, style="dim"))


def card_table(report: CardReport) -> RenderableType:
    """One group: how many changes there are, and what fired on them."""
    return Padding(
        Group(
            plain(report.name, style="bold"),
            *(plain(each, style="italic") for each in report.remarks),
            *(plain(each) for each in counts(report)),
            _grid(rows(report)),
        ),
        (0, 0, 1, 0),
    )


def counts(report: CardReport) -> Iterator[str]:
    """What was counted, and what was left out of the shares."""
    cards = [
        f"{number} {what}"
        for number, what in (
            (report.live, "shown in their session"),
            (report.recorded, "made afterwards"),
        )
        if number
    ]
    of = f"{quantity(report.sessions, 'session')}; cards: {', '.join(cards)}."
    yield f"{of} Changes: {report.wrong} wrong, {report.right} right and allowed by the policy."
    apart = [
        f"{number} {what}"
        for number, what in (
            (report.against_the_policy, "expected by the task but against the policy"),
            (report.not_decidable, "not decidable"),
        )
        if number
    ]
    if apart:
        yield f"In no share: {', '.join(apart)}."


def rows(report: CardReport) -> Iterator[tuple[str, Caught]]:
    """Every line of the table: all together first, then each line, then the readers."""
    yield "Any ✗ or disagreement", report.any_speaks_against
    yield "Any ✗", report.any_check
    yield "Any disagreement (≠)", report.any_disagreement
    yield "Any question (?)", report.any_question
    for line in report.lines:
        yield f"{_HEADINGS[line.kind]}{line.name}", line.caught
    yield from (reader_row(each) for each in (*report.readers, *report.all_readers))


def reader_row(reader: Reader) -> tuple[str, Caught]:
    """A reader by name and by what they were shown."""
    return f"Refused by {reader.name}, {_SHOWN[reader.form]}", reader.caught


def as_object(reports: Sequence[CardReport]) -> dict[str, Any]:
    """The reports for another program to read, and what they rest on."""
    return {
        "groups": [asdict(each) for each in reports],
        "confidence": CONFIDENCE,
        "meaning": MEANING,
        "rests_on": RESTS_ON,
    }


def _grid(found: Iterable[tuple[str, Caught]]) -> Table:
    grid = Table(box=None, pad_edge=False, show_edge=False)
    grid.add_column("", ratio=1)
    for heading in ("on wrong", "", "95 % interval", "on right", "", "95 % interval"):
        grid.add_column(heading, justify="right", no_wrap=True)
    for name, caught in found:
        grid.add_row(plain(name), *_cells(caught.wrong), *_cells(caught.right))
    return grid


def _cells(found: Share) -> Iterator[Text]:
    yield plain(f"{found.count}/{found.n}")
    yield plain(NOTHING if found.value is None else percent(found.value))
    yield plain(around(found.interval))
