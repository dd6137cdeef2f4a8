"""How a domain's tools want to be called, where agents often call them otherwise.

A protocol guard looks at a call, the records, and the other calls of the same answer, and tells
what does not fit and what to do instead. The guards stand beside a domain's tools, so that every
domain can have its own. (Difficulty-routed control, section 3.2, API-level protocol guard.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from domains.core.call import ToolCall, ToolError
from domains.core.draft import Draft


@dataclass(frozen=True, slots=True)
class ProtocolGuard:
    """One way in which tools are called wrongly: a short name, and a function that looks."""

    name: str
    look: Callable[[ToolCall, Draft, Sequence[ToolCall]], Iterator[str]]
    """A sentence for each thing that does not fit: what it is, and what to do."""

    def find(self, call: ToolCall, draft: Draft, others: Sequence[ToolCall] = ()) -> str | None:
        """The first sentence, if any; arguments too strange to look up are the tool's to answer."""
        try:
            return next(self.look(call, draft, others), None)
        except (LookupError, TypeError, ValueError, AttributeError, ToolError):
            return None


def takes_all_in_one_call(record: str, what: str, *tools: str) -> ProtocolGuard:
    """These tools take everything of a record at once: of two calls only the first would do.

    ``record`` is the argument that names it, ``what`` are the things that they take.
    """

    def look(call: ToolCall, draft: Draft, others: Sequence[ToolCall]) -> Iterator[str]:
        if call.name in tools and any(_is_of_same(call, each, record) for each in others):
            yield (
                f"There are two calls of {call.name} for {call.arguments[record]}, and only the "
                f"first would go through: make one call with all {what}."
            )

    return ProtocolGuard(f"All {what} are in one call", look)


def _is_of_same(call: ToolCall, other: ToolCall, record: str) -> bool:
    same = call.arguments[record] == other.arguments.get(record)
    return other.name == call.name and same and other.arguments != call.arguments
