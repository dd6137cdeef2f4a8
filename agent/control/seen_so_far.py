"""What a session has seen, folded from its log: look-ups, the customer's words, identities."""

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
    """Follows the events of a session and knows which values they contain."""

    def __init__(self) -> None:
        self._read: list[str] = []
        """Arguments and results of successful look-ups, and results of writes."""

        self._said: list[str] = []
        """The customer's words in lower case."""

        self._asked: dict[str, str] = {}
        self._customers: set[str] = set()

    @classmethod
    def following(cls, log: Log) -> SessionSeen:
        """What a log has seen; it is kept up to date as the log grows."""
        seen = cls()
        for logged in log.events:
            seen.add_event(logged.event)
        log.subscribe(lambda logged: seen.add_event(logged.event))
        return seen

    def add_event(self, event: AnyEvent) -> None:
        """Process the next event."""
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
        """The ids of the customers that look-ups identified."""
        return frozenset(self._customers)

    def has(self, value: str) -> bool:
        """Whether a value occurs in what was looked up, or in the customer's words."""
        bare = value.lstrip("#").casefold()
        return any(value in text for text in reversed(self._read)) or any(
            bare in text for text in self._said
        )
