"""What every event is."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class Event(BaseModel):
    """Something that happened; where and when it did is the log's to say (:class:`Logged`)."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    version: ClassVar[int] = 1

    @property
    def key(self) -> str | None:
        """What this event happens at most once to in a session, or None where it may repeat.

        The log refuses a second event of the same type and key: one approval cannot be consumed
        twice, whoever tries.
        """
        return None
