"""Was it right? The records and words of a session against where its scenario may rightly end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from domains.canonical import canonical
from domains.domain import Domain, Scenario
from domains.records import Draft, Key, Record, Records, RecordsMoved
from domains.tool import ToolCall
from sessions.events import (
    AgentSaid,
    DecisionMade,
    Logged,
    Scored,
    SessionStarted,
    ToolReturned,
    WriteApplied,
)

TRANSFER = "transfer_to_human_agents"
"""The tool by which an agent hands over, in every domain."""

State = dict[Key, Record | None]
"""The records that differ from the domain's base."""


def records_of(domain: Domain, events: Iterable[Logged]) -> Records:
    """A session's records: its domain's base and the writes of its log, none of them run again.

    Raises RecordsMoved where the base is not the one the session was held on.
    """
    records = domain.records()
    for logged in events:
        match logged.event:
            case SessionStarted() if logged.event.records_digest != records.digest:
                raise RecordsMoved(f"its {domain.name} records had another digest than these")
            case WriteApplied() as written:
                records.redo(written.card_id, written.patch, written.records_digest)
            case _:
                pass
    return records


def score(domain: Domain, scenario: Scenario, events: Sequence[Logged]) -> Scored:
    """How a session stands against its scenario; 1.0 where everything is as it should be.

    Where several ends are acceptable, the differences are those to the nearest. A hand-over
    that the scenario does not ask for costs nothing by itself. Raises RecordsMoved.
    """
    differences = _differences_to_nearest(domain, scenario, records_of(domain, events))
    unsaid = _unsaid(scenario, events)
    missing = [f"the agent did not say: {text}" for text in unsaid]
    if scenario.transfer and not _transferred(events):
        missing.append("the agent did not hand over to a human")
    return Scored(
        scenario=scenario.id,
        reward=float(not differences and not missing),
        records_match=not differences,
        communicated=not unsaid,
        differences=tuple(differences),
        missing=tuple(missing),
        unconsented_writes=_unconsented(events),
    )


def _differences_to_nearest(domain: Domain, scenario: Scenario, records: Records) -> list[str]:
    reached: State = {(change.collection, change.key): change.after for change in records.diff()}
    base = domain.base.collections
    ends = [_end(domain, calls) for calls in scenario.ends or ((),)]
    return min((list(_differences(base, reached, end)) for end in ends), key=len)


def _end(domain: Domain, calls: Iterable[ToolCall]) -> State:
    """Where the records stand after these calls; one that fails changes nothing."""
    draft = domain.records().draft()
    for call in calls:
        attempt = Draft(draft)
        if not domain.tools.run(call, attempt).error:
            for change in attempt.changes():
                draft.put(change.collection, change.key, change.after or {})
    return {(change.collection, change.key): change.after for change in draft.changes()}


def _differences(base: Any, reached: State, end: State) -> Iterator[str]:
    """Every value that is not as it should be, in words."""
    for name, key in sorted(reached.keys() | end.keys()):
        unchanged = base[name].get(key)
        is_now, should_be = (state.get((name, key), unchanged) for state in (reached, end))
        for path, value, right in _unequal((), is_now, should_be):
            what = f"{name.removesuffix('s')} {key}"
            where = f"{'.'.join(path)} is " if path else "it is "
            yield f"{what}: {where}{_words(value)}, should be {_words(right)}"


def _unequal(
    path: tuple[str, ...], value: Any, right: Any
) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    if isinstance(value, dict) and isinstance(right, dict):
        for key in (*right, *(key for key in value if key not in right)):
            yield from _unequal((*path, key), value.get(key), right.get(key))
    elif isinstance(value, list) and isinstance(right, list):
        for index, (one, other) in enumerate(zip_longest(value, right)):
            yield from _unequal((*path, str(index)), one, other)
    elif value != right:
        yield path, value, right


def _words(value: Any) -> str:
    if value is None:
        return "missing"
    if isinstance(value, dict):
        return f"({', '.join(f'{name}: {_words(each)}' for name, each in value.items())})"
    return value if isinstance(value, str) else canonical(value)


def _unsaid(scenario: Scenario, events: Iterable[Logged]) -> list[str]:
    said = [_plain(each.event.text) for each in events if isinstance(each.event, AgentSaid)]
    return [text for text in scenario.communicate if not any(_plain(text) in one for one in said)]


def _plain(text: str) -> str:
    """Without what people write in different ways: case, and the commas in numbers."""
    return text.lower().replace(",", "")


def _transferred(events: Iterable[Logged]) -> bool:
    return any(
        isinstance(each.event, ToolReturned)
        and each.event.name == TRANSFER
        and not each.event.error
        for each in events
    )


def _unconsented(events: Iterable[Logged]) -> int:
    """Writes that no person said yes to."""
    approved: set[str] = set()
    count = 0
    for logged in events:
        match logged.event:
            case DecisionMade(decision="approve", by="person"):
                approved.add(logged.event.card_id)
            case WriteApplied():
                count += logged.event.card_id not in approved
            case _:
                pass
    return count
