"""Repeat a session's calls to make sure that anyone who does so gets the same results."""

from __future__ import annotations

from domains.core.domain import Domain
from domains.core.draft import Draft
from domains.core.tool import ToolCall


class Replayed:
    """The records of a domain, changed by one call after another."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._draft = domain.records().draft()

    def repeat_and_compare(self, call: ToolCall, text: str) -> bool:
        """Repeat a call and return whether it gives this text.

        The call's changes are kept only if it does.
        """
        if call.name not in self._domain.tools:
            return False
        attempt = Draft(self._draft)
        result = self._domain.tools.run(call, attempt)
        if result.text != text:
            return False
        for change in () if result.error else attempt.changes():
            self._draft.put(change.collection, change.key, change.after or {})
        return True
