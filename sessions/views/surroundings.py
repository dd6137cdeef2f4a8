"""The context of a card in its session: the turn, the model, its input, and its reminders."""

from __future__ import annotations

from sessions.events import (
    AnyEvent,
    ContextAssembled,
    CustomerSaid,
    ModelChanged,
    ReflectionWritten,
    SessionStarted,
)


class CardContext:
    """Follows a log event by event and holds the context of the next card."""

    def __init__(self) -> None:
        self.turn = 0
        self.model = ""
        self.context: ContextAssembled | None = None
        """What the model was sent in this turn."""

        self._reminders: dict[str, ReflectionWritten] = {}

    def reminder_of(self, tool: str) -> ReflectionWritten | None:
        """The reminder the agent received in this turn before it proposed this tool's call."""
        return self._reminders.get(tool)

    def advance(self, event: AnyEvent) -> None:
        """Advance past this event."""
        match event:
            case SessionStarted() | ModelChanged():
                self.model = event.model
            case CustomerSaid():
                self.turn, self.context, self._reminders = event.turn, None, {}
            case ContextAssembled():
                self.context = event
            case ReflectionWritten():
                self._reminders[event.call_name] = event
            case _:
                pass
