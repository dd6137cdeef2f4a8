"""Making a session's calls again, to know that somebody else who does gets the same."""

from __future__ import annotations

from domains.core.domain import Domain
from domains.core.draft import Draft
from domains.core.tool import ToolCall


class Replayed:
    """The records of a domain as calls change them, one after the other."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._draft = domain.records().draft()

    def same(self, call: ToolCall, text: str) -> bool:
        """Whether the call gives this text; if so, what it changes is kept, and if not, nothing."""
        if call.name not in self._domain.tools:
            return False
        attempt = Draft(self._draft)
        result = self._domain.tools.run(call, attempt)
        if result.text != text:
            return False
        for change in () if result.error else attempt.changes():
            self._draft.put(change.collection, change.key, change.after or {})
        return True
