"""Chooses which blocks of the conversation a turn is sent (SABER, section 4.1).

The choice is made once per turn and kept in the log; :mod:`agent.context.messages` builds the
messages from it every time the turn asks the model, also after a resumption.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from agent.context.block import CONDITION, PREAMBLE, Block, estimate_tokens
from agent.context.messages import (
    messages_from_memory,
    messages_of_blocks,
    summaries_in,
    system_message,
)
from sessions.events import (
    BlockSummarised,
    ContextAssembled,
    CustomerSaid,
    Logged,
    Safeguards,
)
from sessions.events.memory import Recalled

AT_ONCE = 0.3
"""Seconds to wait for a ranking that is for information only."""

PATIENCE = 20.0
"""Seconds to wait for a ranking that decides what is sent."""

NEAR_MISSES = 6
"""How many of the blocks that were left out are logged with their similarity."""

RECENT = 2
"""How many blocks before the current one are always sent."""

CONDITIONS = 4
"""How many blocks are always sent because they state a condition, newest first. The number is
limited because "if" is a common word and the pinned blocks grow with the conversation."""


class Ranker(Protocol):
    """Anything that can rank texts by their closeness to a query."""

    @property
    def ready(self) -> bool:
        """Whether a ranking would be answered at once."""
        ...

    @property
    def trouble(self) -> str:
        """Why there was no answer, in words for the user; empty if all is well."""
        ...

    async def rank(self, query: str, texts: Sequence[str], deadline: float) -> list[float] | None:
        """The cosine of each text to the query; None if not within `deadline` seconds."""
        ...


@dataclass(frozen=True, slots=True)
class _Choice:
    """The turns to send, those of them that are always sent, and the measured cosines."""

    sent: frozenset[int]
    pinned: dict[int, str]
    similarity: dict[int, float]
    retrieval: str


async def assemble(
    blocks: Sequence[Block],
    events: Sequence[Logged],
    policy: str,
    safeguards: Safeguards,
    ranker: Ranker | None,
    turn: int,
    *,
    coupled: bool = False,
    recalled: tuple[Recalled, ...] = (),
) -> ContextAssembled:
    """Choose among a log's blocks for the turn that has just begun; called once per turn.

    ``recalled`` is what the agent is given from its memory.
    """
    system = estimate_tokens(
        [system_message(policy, safeguards.gate, coupled), *messages_from_memory(recalled)]
    )
    if not safeguards.context:
        return ContextAssembled(
            turn=turn,
            blocks=len(blocks),
            everything=True,
            budget=safeguards.blocks,
            tokens=system + sum(block.tokens for block in blocks),
            retrieval="context filter off",
            recalled=recalled,
        )
    texts = _texts(blocks, events, safeguards.blocks_by)
    choice = await _choose(blocks, safeguards.blocks, ranker, _query(events), texts)
    brief = safeguards.blocks_as == "summaries"
    short = frozenset(turn for turn in choice.sent if brief and turn not in choice.pinned)
    near = _nearest((block.turn for block in blocks if block.turn not in choice.sent), choice)
    told = choice.sent | set(near)
    return ContextAssembled(
        turn=turn,
        blocks=len(blocks),
        sent=tuple(sorted(choice.sent)),
        summarised=tuple(sorted(short)),
        pinned=choice.pinned,
        near_misses=near,
        similarity={
            each: round(cosine, 4) for each, cosine in choice.similarity.items() if each in told
        },
        budget=safeguards.blocks,
        tokens=system + estimate_tokens(messages_of_blocks(blocks, choice.sent, short, events)),
        retrieval=choice.retrieval,
        recalled=recalled,
    )


def blocks_without_summary(blocks: Sequence[Block], events: Sequence[Logged]) -> list[Block]:
    """The finished blocks that have no summary in the log yet, except the greeting's."""
    told = (e.event.turn for e in reversed(events) if isinstance(e.event, BlockSummarised))
    last = next(told, PREAMBLE)
    return [each for each in blocks[:-1] if each.turn > last]


def _texts(
    blocks: Iterable[Block], log: Sequence[Logged], by: Literal["text", "summary"]
) -> dict[int, str]:
    """The text of each block that is compared with the customer's words, by turn."""
    if by == "text":
        return {block.turn: block.text for block in blocks}
    told = summaries_in(log)
    return {block.turn: told.get(block.turn, block.summary) for block in blocks}


async def _choose(
    blocks: Sequence[Block],
    budget: int,
    ranker: Ranker | None,
    query: str,
    texts: Mapping[int, str],
) -> _Choice:
    pinned = dict(_pins(blocks))
    others = [block.turn for block in blocks if block.turn not in pinned]
    earlier = {block.turn: texts[block.turn] for block in blocks[:-1]}
    if len(others) <= budget:
        found = await _similarities(ranker, query, earlier, AT_ONCE, only_if_ready=True)
        told = "embedding" if found else "not needed: everything fits"
        return _Choice(frozenset((*pinned, *others)), pinned, found, told)
    found = await _similarities(ranker, query, earlier, PATIENCE)
    if not found:
        newest = others[len(others) - budget :]
        return _Choice(
            frozenset((*pinned, *newest)), pinned, {}, f"most recent: {_trouble(ranker)}"
        )
    closest = sorted(others, key=lambda turn: found[turn], reverse=True)[:budget]
    return _Choice(frozenset((*pinned, *closest)), pinned, found, "embedding")


def _pins(blocks: Sequence[Block]) -> Iterator[tuple[int, str]]:
    """Yield the turns that are always sent, each with all of its reasons."""
    conditions = 0
    for place, block in enumerate(reversed(blocks)):
        conditions += CONDITION in block.pins
        pins = block.pins - ({CONDITION} if conditions > CONDITIONS else set())
        if place == 0:
            yield block.turn, "current turn"
        elif block.turn == PREAMBLE:
            yield block.turn, "pinned: greeting"
        elif reasons := [*sorted(pins), *(["recent"] if place <= RECENT else [])]:
            yield block.turn, "pinned: " + ", ".join(reasons)


async def _similarities(
    ranker: Ranker | None,
    query: str,
    texts: Mapping[int, str],
    deadline: float,
    *,
    only_if_ready: bool = False,
) -> dict[int, float]:
    """The cosine of each text to the query, by turn; empty if there is no ranking in time."""
    if ranker is None or not texts or (only_if_ready and not ranker.ready):
        return {}
    found = await ranker.rank(query, [*texts.values()], deadline)
    return {} if found is None else dict(zip(texts, found, strict=True))


def _trouble(ranker: Ranker | None) -> str:
    if ranker is None:
        return "no embedder in this run"
    return ranker.trouble or "the embedder gave no answer"


def _nearest(turns: Iterable[int], choice: _Choice) -> tuple[int, ...]:
    """The turns left out that came closest to being sent, in time order."""
    by_closeness = sorted(turns, key=lambda turn: (choice.similarity.get(turn, 0.0), turn))
    return tuple(sorted(by_closeness[-NEAR_MISSES:]))


def _query(events: Sequence[Logged]) -> str:
    """The latest customer message."""
    for logged in reversed(events):
        if isinstance(logged.event, CustomerSaid):
            return logged.event.text
    return ""
