"""The Context pane: which blocks of the conversation the model was sent in the latest turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from agent.context.block import Block
from console.panes.pane import HEADING, Pane, Part
from console.widgets.plain import MUTED, hanging
from sessions.events import AnyEvent, ContextAssembled
from sessions.views import contexts


class ContextPane(Pane):
    """Lists the blocks sent and those left out, with their similarity and the budget in blocks."""

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
        """The blocks of the latest turn; empty before the first one."""
        log = self.conversation.log.events
        assembled = contexts(log)
        if not assembled:
            return ()
        blocks = {block.turn: block for block in self.conversation.blocks.for_model("")}
        return list(_parts(assembled[-1], blocks, self.room))


def _parts(context: ContextAssembled, blocks: Mapping[int, Block], room: int) -> Iterator[Part]:
    yield f"turn {context.turn}\n", HEADING
    yield f"budget {context.budget} blocks · about {context.tokens:,} tokens\n", MUTED
    yield f"ranking: {context.retrieval}\n\n", MUTED
    yield f"Sent ({context.sent_count})\n", "bold"
    if context.everything:
        yield "every block: the filter is off\n", MUTED
    for turn in context.sent:
        yield from _block("●", "$text-success", context, turn, blocks.get(turn), room)
    left = context.blocks - context.sent_count
    yield f"\nLeft out ({left})\n", "bold"
    if not left:
        yield "nothing\n", MUTED
    for turn in context.near_misses:
        yield from _block("○", MUTED, context, turn, blocks.get(turn), room)
    if left > len(context.near_misses):
        yield f"… and {left - len(context.near_misses)} more\n", MUTED


def _block(
    mark: str, style: str, context: ContextAssembled, turn: int, block: Block | None, room: int
) -> Iterator[Part]:
    cosine = context.similarity.get(turn)
    similarity = "" if cosine is None else f" · {cosine:.2f}"
    tokens = "" if block is None else f" · {block.tokens} tokens"
    if turn in context.summarised:
        tokens = " · this line only"
    yield f"{mark} ", style
    yield f"turn {turn}{similarity}{tokens}\n", ""
    if block is not None:
        yield f"  {hanging(block.summary, room, indent=2)}\n", MUTED
    yield f"  {hanging(context.why(turn), room, indent=2)}\n", "italic $foreground-muted"
