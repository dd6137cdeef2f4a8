"""The messages of a request: policy, chosen blocks, memory, and the customer's latest words.

They are made from the log alone, so a turn that asks the model again, or is resumed, sends the same
messages. Stable parts come first, so that providers' prompt caches keep working.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from agent.context.block import Block
from agent.control.workflow import REASON_SPEAK_ACT
from agent.models.history import NOTE
from agent.models.protocol import Message
from sessions.events import BlockSummarised, ContextAssembled, CustomerSaid, Logged
from sessions.events.memory import Recalled

GATE_NOTE = """## How changes are confirmed here

Whenever you call a tool that changes records, the console shows exactly that call to the customer
on a confirmation card, with what must be true before it and what will be different after it. That
card is the explicit confirmation that this policy asks for. So:

- Once every detail of a change is settled, call the tool. Do not first list the details and ask
  for a "yes" in words: the customer would be asked twice.
- The result of the call says whether it was carried out. If the customer declined it or wants it
  changed, their words follow: revise the call, or do what they ask instead.
- Never repeat a declined call unchanged, unless the customer asks for it.
- Make one tool call at a time.
- A message that begins "Reminder before this change:" or "Console note:" comes from the console,
  not from the customer. Heed it, and do not answer or mention it."""


REMEMBERED = (
    "from earlier conversations, what may be relevant to this one. It is advice, and every change "
    "still needs the customer's confirmation:"
)
"""The heading above what the agent is given from its memory."""


def messages_for(
    blocks: Sequence[Block],
    events: Sequence[Logged],
    policy: str,
    *,
    gate: bool = True,
    coupled: bool = False,
) -> list[Message]:
    """The messages for the log's current turn: the policy first, then the chosen blocks.

    The choice is that of the turn's `context_assembled` event; without one, every block is sent.
    """
    context = _latest(events)
    sent, short = {block.turn for block in blocks}, set[int]()
    if context is not None and not context.everything:
        sent, short = {*context.sent}, {*context.summarised}
    return [
        system_message(policy, gate, coupled),
        *messages_of_blocks(blocks[:-1], sent, short, events),
        *messages_from_memory(() if context is None else context.recalled),
        *messages_of_blocks(blocks[-1:], sent, short, events),
    ]


def messages_from_memory(recalled: Sequence[Recalled]) -> Iterator[Message]:
    """Yield what the agent is given from its memory; it precedes the customer's latest words."""
    if recalled:
        lines = "\n".join(f"- {each.text}" for each in recalled)
        yield {"role": "user", "content": f"{NOTE} {REMEMBERED}\n{lines}"}


def messages_of_blocks(
    blocks: Iterable[Block], sent: Collection[int], short: Collection[int], log: Sequence[Logged]
) -> Iterator[Message]:
    """Yield the messages of the blocks to send; those in `short` are summarised in a note."""
    told = summaries_in(log) if short else {}
    notes: list[str] = []
    for block in blocks:
        if block.turn in short:
            notes.append(f"turn {block.turn}: {told.get(block.turn, block.summary)}")
        elif block.turn in sent:
            yield from _note_messages(notes)
            notes = []
            yield from block.messages
    yield from _note_messages(notes)


def summaries_in(log: Sequence[Logged]) -> dict[int, str]:
    """The block summaries in the log, by turn."""
    return {e.event.turn: e.event.text for e in log if isinstance(e.event, BlockSummarised)}


def _note_messages(notes: Sequence[str]) -> Iterator[Message]:
    if notes:
        lines = "\n".join(f"- {note}" for note in notes)
        yield {
            "role": "user",
            "content": f"{NOTE} earlier in this conversation, in short:\n{lines}",
        }


def system_message(policy: str, gate: bool, coupled: bool = False) -> Message:
    """The policy, the note on how the gate confirms changes, and how to work on a coupled session.

    Without the gate the agent asks for confirmation in words.
    """
    notes = [*([GATE_NOTE] if gate else []), *([REASON_SPEAK_ACT] if coupled else [])]
    return {
        "role": "system",
        "content": "\n\n".join([policy.rstrip(), *notes]) if notes else policy,
    }


def _latest(events: Sequence[Logged]) -> ContextAssembled | None:
    """The context chosen for the current turn; None if there is none yet."""
    for logged in reversed(events):
        if isinstance(logged.event, ContextAssembled):
            return logged.event
        if isinstance(logged.event, CustomerSaid):
            break
    return None
