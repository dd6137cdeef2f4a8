"""What a session has seen: looked up, said by the customer, identified. A fold of its log."""

from __future__ import annotations

from domains.core.canonical import canonical
from sessions.events import (
    AnyEvent,
    CustomerSaid,
    DecisionMade,
    ToolCalled,
    ToolReturned,
    WriteApplied,
)
from sessions.log import Log


class SessionSeen:
    """Hears what happens in a session, and knows what of it can be relied on."""

    def __init__(self) -> None:
        self._read: list[str] = []
        """What look-ups that came back were asked for and gave, and what writes gave."""

        self._said: list[str] = []
        """The customer's words in small letters."""

        self._asked: dict[str, str] = {}
        self._customers: set[str] = set()

    @classmethod
    def following(cls, log: Log) -> SessionSeen:
        """What was seen in a log, now and as it grows."""
        seen = cls()
        for logged in log.events:
            seen.hear(logged.event)
        log.subscribe(lambda logged: seen.hear(logged.event))
        return seen

    def hear(self, event: AnyEvent) -> None:
        """Take the next event in."""
        match event:
            case CustomerSaid(text=text) | DecisionMade(words=text):
                self._said.append(text.casefold())
            case ToolCalled():
                self._asked[event.call_id] = canonical(event.arguments)
            case ToolReturned(error=False) if event.tells_records:
                self._read += (self._asked.pop(event.call_id, ""), event.text)
                if event.customer is not None:
                    self._customers.add(event.customer)
            case WriteApplied(error=False):
                self._read.append(event.result)
            case _:
                pass

    @property
    def customers(self) -> frozenset[str]:
        """The ids of the customers whom look-ups identified."""
        return frozenset(self._customers)

    def has(self, value: str) -> bool:
        """Whether a value stands in what was looked up, or in the customer's words."""
        bare = value.lstrip("#").casefold()
        return any(value in text for text in reversed(self._read)) or any(
            bare in text for text in self._said
        )
