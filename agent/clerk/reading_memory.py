"""What a conversation's messages tell of the memory, for a dialogue that keeps no records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agent.clerk.learned import Learned
from agent.clerk.reading_messages import calls_of, is_handed, text_of
from agent.clerk.remembering import Asked
from agent.models.protocol import Message
from sessions.events.memory import RETRIEVE


def read_so_far(messages: Iterable[Message], *, there: bool) -> Learned:
    """All that was read of it, or handed over; ``there`` says that it can be read."""
    learned, asked = Learned(there=there), dict[str, Asked]()
    for message in messages:
        asked.update((each.id, each) for each in calls_of(message) if each.name == RETRIEVE)
        if is_handed(message):
            learned.take_handed(text_of(message))
        elif message.get("role") == "tool" and message.get("tool_call_id") in asked:
            learned.take(asked[str(message["tool_call_id"])].arguments, text_of(message))
    return learned


def without_look_ups(messages: Iterable[Message]) -> Iterator[Message]:
    """The messages without those that only read the memory."""
    reads: set[str] = set()
    for message in messages:
        calls = list(calls_of(message))
        if calls and all(each.name == RETRIEVE for each in calls):
            reads.update(each.id for each in calls)
        elif message.get("role") != "tool" or message.get("tool_call_id") not in reads:
            yield message
