"""The transcript as lines for a terminal, for ``saber sessions show``."""

from __future__ import annotations

from collections.abc import Iterator

from sessions.views import Item
from sessions.views.describing import describe


def item_lines(item: Item) -> Iterator[str]:
    """Yield an item as the speaker's name and its lines, indented below the first."""
    described = describe(item)
    if described.speaker is None:
        yield f"  {described.line}"
        return
    first, *rest = described.text.splitlines() or [""]
    yield f"{described.speaker}: {first}"
    yield from (f"{' ' * (len(described.speaker) + 2)}{line}" for line in rest)
