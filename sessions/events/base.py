"""The base class of all events."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class Event(BaseModel):
    """Something that happened; its place and time in the log are in :class:`Logged`."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    version: ClassVar[int] = 1

    @property
    def key(self) -> str | None:
        """The idempotency key of this event within its session, or None if the event may repeat.

        The log refuses a second event with the same type and key, so one approval cannot be
        consumed twice by any caller.
        """
        return None
