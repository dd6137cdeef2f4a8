"""What other models were asked, in a list instead of a log."""

from __future__ import annotations

from sessions.events import OtherModelAsked


class Asked(list[OtherModelAsked]):
    """Takes what a log would."""

    async def __call__(self, event: OtherModelAsked) -> None:
        self.append(event)
