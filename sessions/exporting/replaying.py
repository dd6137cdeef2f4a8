"""Making a session's calls again, to know that somebody else who does gets the same."""

from __future__ import annotations

from domains.domain import Domain
from domains.records import Records, patch_of
from domains.tool import ToolCall


class Replayed:
    """The records of a domain as calls change them, one after the other."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._records: Records = domain.records()
        self._made = 0

    def same(self, call: ToolCall, text: str) -> bool:
        """Whether the call gives this text; if so, what it changes is kept, and if not, nothing."""
        if call.name not in self._domain.tools:
            return False
        preview = self._records.preview(call)
        if preview.result.text != text:
            return False
        if preview.changes:
            self._made += 1
            expected = self._records.digest_with(preview.changes)
            self._records.redo(f"again-{self._made}", patch_of(preview.changes), expected)
        return True
