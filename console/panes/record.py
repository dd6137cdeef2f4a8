"""The Record pane: the customer's records, with what this session changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from console.panes.pane import HEADING, Pane, Part
from console.widgets.plain import MUTED, hanging
from domains.core.changes import Change
from domains.core.domain import Field, Sheet
from sessions.events import AnyEvent, SessionResumed, ToolReturned, WriteApplied


class RecordPane(Pane):
    """The records as the person reads them; a changed line is marked and says what it was."""

    TITLE = "Record"
    EMPTY = (
        "Your records appear here once the agent has found you: tell it your email, or your "
        "name and zip code."
    )
    CHANGED_BY: ClassVar[tuple[type[AnyEvent], ...]] = (ToolReturned, WriteApplied, SessionResumed)
    HELP = """\
## Record

The records of the customer you play, once the agent has found them. Lines that this session
changed are marked with ● and say what stood there before.
"""

    def parts(self) -> Sequence[Part]:
        """A sheet for each record of the customer, those that changed first."""
        customer = self.conversation.status.customer
        if customer is None:
            return ()
        sheets = self.conversation.domain.sheets(self.conversation.records, customer)
        changes = values_before(self.conversation.records.diff())
        ordered = sorted(sheets, key=lambda sheet: not _is_changed(sheet, changes))
        return [part for sheet in ordered for part in _parts(sheet, changes, self.room)]


def values_before(changes: Sequence[Change]) -> dict[str, str]:
    """What stood at each changed path before: ``orders/#W1/status`` -> ``pending``."""
    return {
        f"{change.collection}/{change.key}/{each.label}": _plain(each.before)
        for change in changes
        for each in change.fields
    }


def _plain(value: object) -> str:
    """A former value short enough to stand beside the new one; structures are not."""
    return "" if value is None or isinstance(value, (dict, list)) else str(value)


def _before(field: Field, changes: dict[str, str]) -> str | None:
    """What the field's line was, empty where that cannot be said briefly, None if unchanged."""
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
