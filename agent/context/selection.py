"""Which blocks of the conversation a turn is sent (SABER, section 4.1), and the messages they make.

A turn's choice is made once, by :func:`assemble`, and kept in the log; :func:`messages_for` makes
the same messages from the log alone, however often the turn asks the model and whoever resumes
it. What is stable comes first, so that providers' prompt caches keep working.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from agent.context.block import CONDITION, PREAMBLE, Block, estimate_tokens
from agent.control.workflow import REASON_SPEAK_ACT
from agent.models.history import NOTE
from agent.models.protocol import Message
from sessions.events import (
    BlockSummarised,
    ContextAssembled,
    CustomerSaid,
    Logged,
    Safeguards,
)
from sessions.events.memory import Recalled

AT_ONCE = 0.3
"""Seconds a ranking may take that only informs."""

PATIENCE = 20.0
"""Seconds to wait for a ranking that decides what is sent."""

NEAR_MISSES = 6
"""Of how many blocks that were left out the log keeps how close they came."""

RECENT = 2
"""How many blocks before the current one are always sent."""

CONDITIONS = 4
"""How many blocks are always sent for the conditions in them, the newest ones: "if" is a common
word, and what is pinned grows with the conversation."""

GATE_NOTE = """## How changes are confirmed here

Whenever you call a tool that changes records, the console puts that very call to the customer on a
confirmation card, with what must hold before it and what will be different after. That card is
the explicit confirmation that this policy asks for. So:

- Once every detail of a change is settled, call the tool. Do not first list the details and ask
  for a "yes" in words: the customer would be asked twice.
- The result of the call tells whether it was carried out. If the customer declined it or wants it
  changed, their words follow: revise the call, or do what they ask instead.
- Never make a declined call again as it was, unless the customer asks for it.
- Make one tool call at a time.
- A message that begins "Reminder before this change:" or "Console note:" comes from the console,
  not from the customer. Heed it, and do not answer or mention it."""


REMEMBERED = (
    "from earlier conversations, what may bear on this one. It is advice, and every change still "
    "needs the customer's confirmation:"
)
"""What stands above what the agent is handed of its memory."""


class Ranker(Protocol):
    """Whatever tells how close texts are to a query."""

    @property
    def ready(self) -> bool:
        """Whether an answer would come at once."""
        ...

    @property
    def trouble(self) -> str:
        """Why there was no answer, as words for a person; empty where all is well."""
        ...

    async def rank(self, query: str, texts: Sequence[str], deadline: float) -> list[float] | None:
        """The cosine of each text to the query; None where none came within `deadline` seconds."""
        ...


@dataclass(frozen=True, slots=True)
class _Choice:
    """The turns that are sent, those of them that always are, and the cosines measured."""

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
    """Choose among a log's blocks for the turn that it has just begun; once for each turn.

    What of the agent's memory goes with it is ``recalled``.
    """
    system = estimate_tokens(
        [_system(policy, safeguards.gate, coupled), *messages_from_memory(recalled)]
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
        tokens=system + estimate_tokens(_block_messages(blocks, choice.sent, short, events)),
        retrieval=choice.retrieval,
        recalled=recalled,
    )


def blocks_without_summary(blocks: Sequence[Block], events: Sequence[Logged]) -> list[Block]:
    """The finished blocks of which the log holds no summary yet, the greeting's aside."""
    told = (e.event.turn for e in reversed(events) if isinstance(e.event, BlockSummarised))
    last = next(told, PREAMBLE)
    return [each for each in blocks[:-1] if each.turn > last]


def messages_for(
    blocks: Sequence[Block],
    events: Sequence[Logged],
    policy: str,
    *,
    gate: bool = True,
    coupled: bool = False,
) -> list[Message]:
    """The messages of the log's current turn: policy first, then the chosen ones of its blocks.

    The choice is that of the turn's `context_assembled`; before there is one, every block is sent.
    """
    context = _latest(events)
    sent, short = {block.turn for block in blocks}, set[int]()
    if context is not None and not context.everything:
        sent, short = {*context.sent}, {*context.summarised}
    return [
        _system(policy, gate, coupled),
        *_block_messages(blocks[:-1], sent, short, events),
        *messages_from_memory(() if context is None else context.recalled),
        *_block_messages(blocks[-1:], sent, short, events),
    ]


def messages_from_memory(recalled: Sequence[Recalled]) -> Iterator[Message]:
    """What the agent is handed of its memory, before the customer's latest words."""
    if recalled:
        lines = "\n".join(f"- {each.text}" for each in recalled)
        yield {"role": "user", "content": f"{NOTE} {REMEMBERED}\n{lines}"}


def _block_messages(
    blocks: Iterable[Block], sent: Collection[int], short: Collection[int], log: Sequence[Logged]
) -> Iterator[Message]:
    """The messages of the blocks that are sent, those in short as a note of the console's."""
    told = _summaries(log) if short else {}
    notes: list[str] = []
    for block in blocks:
        if block.turn in short:
            notes.append(f"turn {block.turn}: {told.get(block.turn, block.summary)}")
        elif block.turn in sent:
            yield from _note_messages(notes)
            notes = []
            yield from block.messages
    yield from _note_messages(notes)


def _texts(
    blocks: Iterable[Block], log: Sequence[Logged], by: Literal["text", "summary"]
) -> dict[int, str]:
    """What of each block is compared with the customer's words, by turn."""
    if by == "text":
        return {block.turn: block.text for block in blocks}
    told = _summaries(log)
    return {block.turn: told.get(block.turn, block.summary) for block in blocks}


def _summaries(log: Sequence[Logged]) -> dict[int, str]:
    return {e.event.turn: e.event.text for e in log if isinstance(e.event, BlockSummarised)}


def _note_messages(notes: Sequence[str]) -> Iterator[Message]:
    if notes:
        lines = "\n".join(f"- {note}" for note in notes)
        yield {
            "role": "user",
            "content": f"{NOTE} earlier in this conversation, in short:\n{lines}",
        }


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
    """The turns that are always sent, each with every reason that there is."""
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
    """The cosine of each text to the query, by turn; empty where it could not be had in time."""
    if ranker is None or not texts or (only_if_ready and not ranker.ready):
        return {}
    found = await ranker.rank(query, [*texts.values()], deadline)
    return {} if found is None else dict(zip(texts, found, strict=True))


def _trouble(ranker: Ranker | None) -> str:
    if ranker is None:
        return "no embedder in this run"
    return ranker.trouble or "the embedder gave no answer"


def _nearest(turns: Iterable[int], choice: _Choice) -> tuple[int, ...]:
    """Of the turns left out, those that came nearest to being sent, in time order."""
    by_closeness = sorted(turns, key=lambda turn: (choice.similarity.get(turn, 0.0), turn))
    return tuple(sorted(by_closeness[-NEAR_MISSES:]))


def _system(policy: str, gate: bool, coupled: bool = False) -> Message:
    """The policy, what the gate changes about it, and how a coupled session is worked on.

    Without the gate the agent asks in words.
    """
    notes = [*([GATE_NOTE] if gate else []), *([REASON_SPEAK_ACT] if coupled else [])]
    return {
        "role": "system",
        "content": "\n\n".join([policy.rstrip(), *notes]) if notes else policy,
    }


def _query(events: Sequence[Logged]) -> str:
    """The latest customer message."""
    for logged in reversed(events):
        if isinstance(logged.event, CustomerSaid):
            return logged.event.text
    return ""


def _latest(events: Sequence[Logged]) -> ContextAssembled | None:
    """The current turn's choice; None where there is none yet."""
    for logged in reversed(events):
        if isinstance(logged.event, ContextAssembled):
            return logged.event
        if isinstance(logged.event, CustomerSaid):
            break
    return None
