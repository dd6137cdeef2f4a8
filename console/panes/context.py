"""The Context pane: which blocks of the conversation the model was sent this turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from console.panes.pane import HEADING, Pane, Part, hanging
from console.widgets.plain import MUTED
from sessions.events import AnyEvent, BlockUse, ContextAssembled
from sessions.views import contexts


class ContextPane(Pane):
    """The blocks sent with their similarity, those left out, and the budget."""

    TITLE = "Context"
    EMPTY = (
        "The conversation is cut into blocks: one message of yours and all that followed from "
        "it. Each turn the agent is sent the blocks that matter for your latest message. They "
        "are listed here after your first message."
    )
    CHANGED_BY: ClassVar[tuple[type[AnyEvent], ...]] = (ContextAssembled,)
    HELP = """\
## Context

A block is one message of yours and all that followed from it. This lists the blocks the model was
sent in this turn, how similar each is to your latest message, and the blocks that were left out.
"""

    def parts(self) -> Sequence[Part]:
        """The latest turn's context."""
        assembled = contexts(self.conversation.log.events)
        return list(_told(assembled[-1], self.room)) if assembled else ()


def _told(context: ContextAssembled, room: int) -> Iterator[Part]:
    yield f"turn {context.turn}\n", HEADING
    yield f"budget {context.budget} blocks · about {context.tokens:,} tokens\n", MUTED
    yield f"ranking: {context.retrieval}\n\n", MUTED
    yield f"Sent ({len(context.sent)})\n", "bold"
    for use in context.sent:
        yield from _block("●", "$text-success", use, room)
    yield f"\nLeft out ({len(context.left_out)})\n", "bold"
    if not context.left_out:
        yield "nothing\n", MUTED
    for use in context.left_out:
        yield from _block("○", MUTED, use, room)


def _block(mark: str, style: str, use: BlockUse, room: int) -> Iterator[Part]:
    similarity = "" if use.similarity is None else f" · {use.similarity:.2f}"
    yield f"{mark} ", style
    yield f"turn {use.turn}{similarity} · {use.tokens} tokens\n", ""
    yield f"  {hanging(use.summary, room, indent=2)}\n", MUTED
    yield f"  {hanging(use.why, room, indent=2)}\n", "italic $foreground-muted"
