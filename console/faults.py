"""The sentences that the user is shown for foreseen errors."""

from __future__ import annotations

from console import crash
from sessions.cleaning import clean


def user_message(error: BaseException) -> str | None:
    """The sentence for a foreseen error, or None for any other."""
    sentence = _sentence(error)
    return None if sentence is None else clean(sentence)


def _sentence(error: BaseException) -> str | None:
    from agent.models.protocol import ModelFault
    from agent.session.conversation import SessionOver
    from domains.core.domain import DomainError
    from domains.core.records import RecordsMismatch
    from sessions.store.errors import StoreError

    if isinstance(error, (DomainError, StoreError, ModelFault, SessionOver)):
        return str(error)
    if isinstance(error, RecordsMismatch):
        return (
            f"This session was held on other records, so it cannot be resumed: {error}. Open it "
            "with the same --data as then."
        )
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return f"{error.filename}: {reason}." if error.filename else f"{reason}."
    return None


def sentence_about(error: Exception) -> str:
    """The sentence for an error; an unforeseen one is also written to a file."""
    return user_message(error) or crash.record_crash(error)
