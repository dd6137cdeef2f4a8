"""The Memory pane: the entries the agent has read, and the proposals no one has accepted yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from agent.memory.bank import Bank
from console.panes.pane import HEADING, Pane, Part
from console.widgets.plain import MUTED, hanging
from domains.text.one_line import line
from sessions.events import AnyEvent, ContextAssembled, ToolReturned
from sessions.events.memory import MemoryUsed, ReadBy
from sessions.views.memory import Reading, readings

LONGEST_INSIGHT = 600
"""The most characters of an insight to show; an entry that is a whole past conversation is cut."""

_READ_BY_WORDS: dict[ReadBy, str] = {
    "tool": "the agent looks entries up when it needs them",
    "embedding": "the agent is given the closest entries at each turn",
    "whole": "the agent is given all entries at each turn",
    "none": "not read (baseline for comparison)",
    "insights": "the agent is given the closest insights at each turn",
    "examples": "the agent is given the closest conversations at each turn",
}


class MemoryPane(Pane):
    """Shows the entries the agent was given, turn by turn, and those that are not in force."""

    TITLE = "Memory"
    CHANGED_BY: ClassVar[tuple[type[AnyEvent], ...]] = (ToolReturned, ContextAssembled)
    HELP = """\
## Memory

What the agent remembers of the policy from earlier sessions: the entries that it was given in this
one, the latest first, each with what was learned; and those that wait to be accepted, which it
cannot read. All of it is as it was when the session began. A card says beside a check what was
learned about that check.
"""

    def parts(self) -> Sequence[Part]:
        """Which memory is in use, what the agent read of it, and which entries are not accepted."""
        used, bank = self.conversation.status.memory, self.conversation.memory
        if used is None:
            return ()
        told = [*_memory_state_parts(used, bank, self.room)]
        policy = self.conversation.domain.policy_digest
        if bank is not None and (notice := bank.policy_notice(policy)):
            told.append((f"{hanging(notice, self.room, indent=0)}\n", "$text-warning"))
        told += _read(readings(self.conversation.log.events), self.room)
        return [*told, *_waiting(bank, self.room)] if bank is not None else told


def _memory_state_parts(used: MemoryUsed, bank: Bank | None, room: int) -> Iterator[Part]:
    yield f"{hanging(f'{line(used.bank)} · revision {used.revision}', room, indent=0)}\n", HEADING
    if bank is None:
        told = (
            "This session file no longer has the memory as it was; the log shows what the agent "
            "read."
        )
    else:
        told = f"{len(bank.entries)} in force · {len(bank.waiting())} not accepted"
    yield f"{hanging(told, room, indent=0)}\n", MUTED
    yield f"{hanging(_READ_BY_WORDS[used.by], room, indent=0)}\n", MUTED


def _read(found: Sequence[Reading], room: int) -> Iterator[Part]:
    """Yield the readings, latest first; an entry read more than once is shown in full only once."""
    yield f"\nRead by the agent ({len({*map(_name, _entries(found))})})\n", "bold"
    if not found:
        yield "nothing so far\n", MUTED
    told: set[str] = set()
    for reading in reversed(found):
        for entry in reading.entries:
            if _name(entry) not in told:
                yield from _entry(reading, entry, room)
        again = [name for name in map(_name, reading.entries) if name in told]
        told.update(map(_name, reading.entries))
        if again or not reading.entries:
            what = f"also {', '.join(again)}" if again else "the list of entries"
            yield "○ ", MUTED
            yield f"{hanging(f'turn {reading.turn} · {what}', room, indent=2)}\n", MUTED


def _entries(found: Iterable[Reading]) -> Iterator[Mapping[str, Any]]:
    return (entry for reading in found for entry in reading.entries)


def _name(entry: Mapping[str, Any]) -> str:
    return line(entry.get("capability", ""))


def _entry(reading: Reading, entry: Mapping[str, Any], room: int) -> Iterator[Part]:
    """Yield one entry the agent was given, with its similarity if it was picked by similarity."""
    name = _name(entry)
    cosine = reading.similarity.get(name)
    close = "" if cosine is None else f" · {cosine:.2f}"
    yield "● ", "$text-success"
    yield f"{hanging(f'turn {reading.turn} · {name}{close}', room, indent=2)}\n", ""
    yield from _insight(entry, room)


def _insight(entry: Mapping[str, Any], room: int) -> Iterator[Part]:
    """Yield what the entry teaches and which check it changes."""
    insight, check = entry.get("key_insight"), entry.get("check")
    told = line(insight, LONGEST_INSIGHT) if insight else "as the policy states it"
    yield f"  {hanging(told, room, indent=2)}\n", "" if insight else MUTED
    if isinstance(check, Mapping):
        changed = f"{line(check.get('effect', ''))} “{line(check.get('name', ''))}”"
        yield f"  {hanging(changed, room, indent=2)}\n", MUTED


def _waiting(bank: Bank, room: int) -> Iterator[Part]:
    waiting = bank.waiting()
    if not waiting:
        return
    yield f"\nNot accepted ({len(waiting)})\n", "bold"
    for each in waiting:
        yield "? ", "$text-warning"
        yield f"{hanging(f'{line(each.entry.capability)} · {each.id}', room, indent=2)}\n", ""
        yield from _insight(each.entry.model_dump(mode="json"), room)
    told = f"saber memory accept --bank {bank.name} CAPABILITY puts one into force."
    yield f"{hanging(told, room, indent=0)}\n", MUTED
