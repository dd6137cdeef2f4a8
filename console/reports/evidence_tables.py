"""What ``saber stats --cards`` prints: what cards catch, and how often they give false alarms."""

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
from sessions.scoring.card_calls import VERDICT_EXPLANATION
from sessions.statistics.evidence import CardReport, Caught, Line, Reader
from sessions.statistics.intervals import CONFIDENCE, Share

MEANING = (
    "A card earns its place if it speaks against changes that are wrong, and hardly ever against "
    "right ones. A reader refuses a change by not approving it."
)
"""The meaning of the table, in a sentence or two."""

READING = (
    "on wrong: on how many cards of wrong changes the line is (how much it catches); on right: on "
    "how many of right ones (how often it cries wolf). ✗ fails: a check of the policy or the tool "
    "that fails; ≠: the change does not fit what was said, by what it is about; ?: what only a "
    "person can tell."
)
"""How to read the rows and columns of the table; printed above it."""

_HEADINGS = {"check": "✗ fails: ", "disagreement": "≠ ", "question": "? "}

_DISAGREEMENTS = {"not wanted": "the customer had said that they do not want it"}
"""Kinds of disagreement whose name explains nothing by itself, with words that do."""

_SHOWN = {"card": "shown the card", "raw": "shown the bare call"}


def card_tables(reports: Iterable[CardReport]) -> Group:
    """All groups, and what is true of every number in them."""
    about = f"{MEANING} Intervals are Wilson's, at 95 %. {VERDICT_EXPLANATION}"
    return Group(*map(card_table, reports), Text(about, style="dim"))


def card_table(report: CardReport) -> RenderableType:
    """One group: how many changes there are, and what fired on them."""
    return Padding(
        Group(
            plain(report.name, style="bold"),
            *(plain(each, style="italic") for each in report.remarks),
            *(plain(each) for each in counts(report)),
            plain(READING, style="dim"),
            _grid(_visible_rows(report)),
            *(plain(each) for each in _silent_lines_note(report)),
        ),
        (0, 0, 1, 0),
    )


def counts(report: CardReport) -> Iterator[str]:
    """Yield what was counted, and what was left out of the shares."""
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
        yield f"Not in any share: {', '.join(apart)}."


def rows(report: CardReport) -> Iterator[tuple[str, Caught]]:
    """Yield every line of the table: the totals first, then each line, then the readers."""
    yield "Any ✗ or disagreement", report.any_speaks_against
    yield "Any ✗", report.any_check
    yield "Any disagreement (≠)", report.any_disagreement
    yield "Any question (?)", report.any_question
    for line in report.lines:
        yield _name(line), line.caught
    yield from (reader_row(each) for each in (*report.readers, *report.all_readers))


def fires(caught: Caught) -> bool:
    """Whether a line is on the card of any right or wrong change."""
    return any(side.count for side in (caught.wrong, caught.right))


def _visible_rows(report: CardReport) -> Iterator[tuple[str, Caught]]:
    """The rows of the table, without the lines that are on no card; those are counted below it."""
    silent = [each.caught for each in report.lines if not fires(each.caught)]
    return (row for row in rows(report) if not any(row[1] is each for each in silent))


def _silent_lines_note(report: CardReport) -> Iterator[str]:
    silent = sum(not fires(each.caught) for each in report.lines)
    if silent:
        yield f"And {quantity(silent, 'line')} that no right or wrong change has."


def _name(line: Line) -> str:
    """The name of a line in the table."""
    told = _DISAGREEMENTS.get(line.name) if line.kind == "disagreement" else None
    return f"{_HEADINGS[line.kind]}{told or line.name}"


def reader_row(reader: Reader) -> tuple[str, Caught]:
    """A reader's row, named by the reader and by what they were shown."""
    return f"Refused by {reader.name}, {_SHOWN[reader.form]}", reader.caught


def as_object(reports: Sequence[CardReport]) -> dict[str, Any]:
    """The reports and what they rest on, for another program to read."""
    return {
        "groups": [asdict(each) for each in reports],
        "confidence": CONFIDENCE,
        "meaning": f"{READING} {MEANING}",
        "rests_on": VERDICT_EXPLANATION,
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
