"""The Record pane: the customer's records, with the changes made in this session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from console.panes.pane import HEADING, Pane, Part
from console.widgets.plain import MUTED, hanging
from domains.core.changes import Change
from domains.core.domain import Field, Sheet
from sessions.events import AnyEvent, SessionResumed, ToolReturned, WriteApplied


class RecordPane(Pane):
    """Shows the customer's records; a changed line is marked and also gives the old value."""

    TITLE = "Record"
    EMPTY = (
        "Your records appear here once the agent has found you: tell it your email, or your "
        "name and zip code."
    )
    CHANGED_BY: ClassVar[tuple[type[AnyEvent], ...]] = (ToolReturned, WriteApplied, SessionResumed)
    HELP = """\
## Record

The records of the customer you play, once the agent has found them. Lines that this session
changed are marked with ● and say what was there before.
"""

    def parts(self) -> Sequence[Part]:
        """One sheet per record of the customer, changed records first."""
        customer = self.conversation.status.customer
        if customer is None:
            return ()
        sheets = self.conversation.domain.sheets(self.conversation.records, customer)
        changes = values_before(self.conversation.records.diff())
        ordered = sorted(sheets, key=lambda sheet: not _is_changed(sheet, changes))
        return [part for sheet in ordered for part in _parts(sheet, changes, self.room)]


def values_before(changes: Sequence[Change]) -> dict[str, str]:
    """Return the old value at each changed path: ``orders/#W1/status`` -> ``pending``."""
    return {
        f"{change.collection}/{change.key}/{each.label}": _plain(each.before)
        for change in changes
        for each in change.fields
    }


def _plain(value: object) -> str:
    """An old value as text to show beside the new one; empty for None, dicts and lists."""
    return "" if value is None or isinstance(value, (dict, list)) else str(value)


def _before(field: Field, changes: dict[str, str]) -> str | None:
    """The field's old value; empty if it is too complex to show, None if the field is unchanged."""
    under = field.path.rstrip("/.")
    for path, before in changes.items():
        if path == under:
            return before
        if path.startswith((f"{under}.", f"{under}/")) or under.startswith(path.rstrip("/") + "/"):
            return ""
    return None


def _is_changed(sheet: Sheet, changes: dict[str, str]) -> bool:
    return any(_before(field, changes) is not None for field in sheet.fields)


def _parts(sheet: Sheet, changes: dict[str, str], room: int) -> Iterator[Part]:
    yield f"{sheet.heading}\n", HEADING
    for field in sheet.fields:
        before = _before(field, changes)
        changed = before is not None
        yield ("● " if changed else "  "), "bold $text-warning"
        yield f"{field.label}  ", MUTED
        value = hanging(field.value, room, indent=4, first=len(field.label) + 4)
        yield f"{value}\n", "bold $text-warning" if changed else ""
        if before:
            yield f"    was {hanging(before, room, indent=8)}\n", MUTED
    yield "\n", ""
