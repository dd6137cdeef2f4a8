"""Errors that were foreseen, as the sentence that a person is shown."""

from __future__ import annotations

from console import crash
from sessions.cleaning import clean


def user_message(error: BaseException) -> str | None:
    """What to tell the person, or None for an error that nobody foresaw."""
    sentence = _sentence(error)
    return None if sentence is None else clean(sentence)


def _sentence(error: BaseException) -> str | None:
    from agent.models.protocol import ModelFault
    from agent.session.conversation import SessionOver
    from domains.core.domain import DomainError
    from domains.core.records import RecordsMoved
    from sessions.store.errors import StoreError

    if isinstance(error, (DomainError, StoreError, ModelFault, SessionOver)):
        return str(error)
    if isinstance(error, RecordsMoved):
        return (
            "This session was held on other records than these, so it cannot be resumed: "
            f"{error}. Open it with the same --data."
        )
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return f"{error.filename}: {reason}." if error.filename else f"{reason}."
    return None


def sentence_about(error: Exception) -> str:
    """The sentence for an error; one that nobody foresaw is written to a file of its own."""
    return user_message(error) or crash.record(error)
