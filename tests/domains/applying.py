"""Carrying a write out in a test, the way the gate does."""

from __future__ import annotations

from domains.core.consent import Consent, call_digest
from domains.core.records import Applied, Records
from domains.core.tool import ToolCall


def apply(records: Records, call: ToolCall, card_id: str = "card") -> Applied:
    """Carry a call out with a consent of its own."""
    state = records.preview(call).state
    return records.apply(call, Consent(card_id, call_digest(call), state, "words"))
