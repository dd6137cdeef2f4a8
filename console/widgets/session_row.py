"""A recorded session as a line of a list, and the matching text as a line below it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.cells import set_cell_size
from textual.content import Content

from console.widgets.plain import shorten_and_clean
from domains.text.quantity import quantity

if TYPE_CHECKING:
    from sessions.store.excerpts import Excerpt
    from sessions.store.listing import SessionRow

MARKS: Mapping[str, tuple[str, str]] = {
    "right": ("✓", "$success"),
    "wrong": ("✗", "$error"),
    "unscored": ("–", "dim"),
    "open": ("●", "$warning"),
}
"""The sign and style of each result; the sign alone is enough to tell them apart."""

HIGHLIGHT = "bold underline"
"""The style of a match; it stands out on any background and without colours."""

_SOFT = "dim"
_WIDE = 110
"""The columns from which there is room for a full date and for wide columns."""

_LABELS = {"right": "✓", "wrong": "✗", "unclear": "?"}


@dataclass(frozen=True, slots=True)
class Columns:
    """The width of each column; the words take what is left."""

    when: int
    domain: int
    words: int
    model: int
    count: int

    @classmethod
    def of(cls, width: int) -> Columns:
        """The columns for a list of `width` columns in total."""
        when, domain, model, count = (16, 9, 28, 7) if width >= _WIDE else (11, 8, 14, 3)
        taken = 4 + when + 1 + domain + 1 + 1 + model + 3 * count
        return cls(when, domain, max(10, width - taken), model, count)

    def line(self, when: str, domain: str, words: str, model: str) -> str:
        """The text columns of one line."""
        sized = (
            (when, self.when), (domain, self.domain), (words, self.words), (model, self.model)
        )  # fmt: skip
        return " ".join(_fill_width(text, width) for text, width in sized)


def heading(width: int) -> Content:
    """The names of the columns."""
    columns = Columns.of(width)
    names = ("turns", "cards", "writes") if columns.count > 3 else ("T", "C", "W")
    text = columns.line("begun (UTC)", "domain", "role and first words", "agent")
    counts = "".join(f"{name:>{columns.count}}" for name in names)
    return Content.assemble((f"    {text}{counts}", _SOFT))


def row_line(row: SessionRow, width: int, *, marked: bool) -> Content:
    """A session as one line; `marked` says whether it is marked for a comparison."""
    columns = Columns.of(width)
    sign, style = MARKS.get(row.result, MARKS["unscored"])
    text = columns.line(_when(row, columns.when), row.domain, _words(row), row.model)
    counts = "".join(f"{each:>{columns.count}}" for each in (row.turns, row.cards, row.writes))
    mark = "◆ " if marked else "  "
    return Content.assemble((mark, "$accent"), (sign, style), f" {text}", (counts, _SOFT))


def excerpt_line(excerpt: Excerpt | None, width: int) -> Content:
    """The speaker and the text that matched, with the matches highlighted."""
    if excerpt is None:
        return Content.styled("      the event that matched can no longer be read", _SOFT)
    room = width - len(excerpt.speaker) - 8
    parts = ((text, HIGHLIGHT if matched else "") for text, matched in _fit(excerpt, room))
    told = (f"      {excerpt.speaker}: ", _SOFT)
    return Content.assemble(told, *((_clean(text), style) for text, style in parts))


def about(row: SessionRow) -> list[str]:
    """The details that a list has no room for, as three lines."""
    counts = (
        quantity(row.turns, "turn"), quantity(row.cards, "card"), quantity(row.writes, "write"),
        f"{row.head_seq} events",
    )  # fmt: skip
    ended = "not finished" if row.status == "open" else row.result
    fork = f"fork of {row.parent} after event {row.fork_seq}" if row.parent else ""
    on = f"on: {', '.join(row.safeguards.split()) or 'no safeguard'}"
    tags = f"tags: {', '.join(row.tags.splitlines())}" if row.tags else ""
    labels = f"labels: {row.labels}" if row.labels else ""
    run = f"run {row.run}" if row.run else ""
    source = row.source if row.is_imported else ""
    lines = (
        (row.title or "Nothing was said.",),
        (row.scenario or "free play", row.model, ended, *counts),
        (labels, tags, on, run, fork, source, row.id),
    )
    return [_clean(" · ".join(filter(None, line))) for line in lines]


def _words(row: SessionRow) -> str:
    """The labels, role and first words; labels come first, since the text may be cut."""
    labels = [each.partition(" ") for each in row.labels.split(", ") if each]
    told = " ".join(f"{count}{_LABELS.get(verdict, '?')}" for count, _, verdict in labels)
    parts = (f"[{told}]" if told else "", row.scenario or "", row.title or "")
    return " · ".join(filter(None, parts)) or "nothing said"


def _when(row: SessionRow, room: int) -> str:
    """The start of the session: ``YYYY-MM-DD HH:MM``, or a shorter form in a narrow column.

    The short form leaves out the year or, for a session from an earlier year, the time.
    """
    day, minute = row.created_at[:10], row.created_at[11:16]
    if room >= 16:
        return f"{day} {minute}"
    return f"{day[5:]} {minute}" if day[:4] == f"{_now():%Y}" else day


def _now() -> datetime:
    return datetime.now(UTC)


def _fit(excerpt: Excerpt, room: int) -> list[tuple[str, bool]]:
    """The parts of the excerpt; if too long, the text before the first match is shortened."""
    parts = [(_clean(text), matched) for text, matched in excerpt.parts]
    before, _ = parts[0] if parts else ("", False)
    whole = sum(len(text) for text, _ in parts)
    if whole <= room or parts[0][1] or len(before) <= room // 3:
        return parts
    keep = max(room // 3, len(before) - (whole - room))
    return [(f"…{before[len(before) - keep + 1 :]}", False), *parts[1:]]


def _fill_width(text: str, width: int) -> str:
    """The text on one line, padded or cut with "…" to exactly `width` columns."""
    text = " ".join(_clean(text).split())
    cut = set_cell_size(text, width)
    return cut if cut.rstrip() == text else f"{set_cell_size(text, width - 1)}…"


def _clean(text: str) -> str:
    return str(shorten_and_clean(text))
