"""The conversation as blocks, folded from the log."""

from __future__ import annotations

from collections.abc import Sequence

from agent.context.block import PREAMBLE, Block
from agent.context.growing_block import GrowingBlock
from sessions.events import CustomerSaid, Logged


def blocks_of(events: Sequence[Logged], model: str) -> tuple[Block, ...]:
    """Every block of a log, the greeting's first; `model` will read their messages."""
    return GrowingBlocks(events).for_model(model)


class GrowingBlocks:
    """The blocks of a growing log; each event is processed once, however many models read them.

    Models read the same messages, except that the model that gave an answer also gets back the
    fields that its provider attached to it.
    """

    def __init__(self, events: Sequence[Logged]) -> None:
        """`events` is the log itself; new events are read whenever the blocks are requested."""
        self._events = events
        self._taken = 0
        self._turns = [GrowingBlock(PREAMBLE)]

    def for_model(self, model: str) -> tuple[Block, ...]:
        """The blocks of the log as it is now, in time order; the last one may still be growing."""
        for logged in self._events[self._taken :]:
            if isinstance(logged.event, CustomerSaid):
                self._turns.append(GrowingBlock(logged.event.turn))
            self._turns[-1].add(logged.event)
        self._taken = len(self._events)
        return tuple(block for turn in self._turns if (block := turn.block(model)) is not None)
