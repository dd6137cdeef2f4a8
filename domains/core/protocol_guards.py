"""Protocol guards: how a domain's tools must be called, where agents often get it wrong.

A guard reads a call, the records, and the other calls of the same answer, and says what does not
fit and what to do instead. Guards are declared beside a domain's tools, so that every domain can
have its own. (Difficulty-routed control, section 3.2, API-level protocol guard.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from domains.core.call import ToolCall, ToolError
from domains.core.draft import Draft


@dataclass(frozen=True, slots=True)
class ProtocolGuard:
    """One way in which tools are called wrongly: a short name, and a function that detects it."""

    name: str
    objections: Callable[[ToolCall, Draft, Sequence[ToolCall]], Iterator[str]]
    """Yields a sentence for each thing that does not fit: what it is, and what to do instead."""

    def first_objection(
        self, call: ToolCall, draft: Draft, others: Sequence[ToolCall] = ()
    ) -> str | None:
        """The guard's first sentence, or None.

        Arguments that cannot be looked up give None: the tool itself answers them.
        """
        try:
            return next(self.objections(call, draft, others), None)
        except (LookupError, TypeError, ValueError, AttributeError, ToolError):
            return None


def one_call_guard(record: str, what: str, *tools: str) -> ProtocolGuard:
    """A guard: these tools handle a whole record in one call, so a second call would fail.

    ``record`` is the argument that names the record, and ``what`` says what the tools take.
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
