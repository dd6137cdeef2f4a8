"""A memory as lines of a terminal: its entries, one of them whole, and what came before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agent.memory.bank import NOTHING_KNOWN, Bank, Capability, Change, Origin, Version
from agent.memory.consent_words import waiving_line
from agent.memory.entry import Entry
from agent.memory.usage import Use
from domains.text.one_line import quotation

_DID = {
    "propose": "proposed", "accept": "accepted", "refuse": "refused", "edit": "written",
    "undo": "undone", "omit": "nothing to learn",
}  # fmt: skip

_SAID = {
    "reward": "by the reward alone",
    "explanation": "as the outcome was explained",
    "oracle": "as the policy was clarified",
}
"""Whose word a change rests on, where it is no person's on a card or in a label."""


def bank_lines(bank: Bank, used: Mapping[str, Use], moved: str) -> Iterator[str]:
    """What a bank holds."""
    waiting = sum(each.waiting is not None for each in bank.capabilities.values())
    yield (
        f"{bank.name}: {bank.domain}, {len(bank.entries)} in force, {waiting} not accepted, "
        f"revision {bank.revision}"
    )
    if moved:
        yield f"  {moved}"
    for name, found in sorted(bank.capabilities.items()):
        if all(change.does == "omit" for _, _, change in found.history):
            continue
        yield f"  {name:<40} {state(found)}, {used.get(name, Use())}"


def state(found: Capability) -> str:
    """Whether it holds, and whether something waits."""
    if found.waiting is not None:
        return "not accepted" if found.entry is None else "in force, a change not accepted"
    return "in force" if found.entry is not None else "not in force"


def capability_lines(found: Capability, used: Use) -> Iterator[str]:
    """One capability whole: what holds, what waits, and its history."""
    yield f"{found.name}: {state(found)}, {used}"
    if found.entry is not None:
        yield from _version_lines("in force", found.versions[-1])
    if found.waiting is not None:
        yield from _version_lines("not accepted", found.waiting)
    yield "history:"
    for revision, at, change in found.history:
        came = _words_of_origin(change.origin)
        yield f"  {revision}  {at}  {_DID[change.does]} by {change.by}{came}"


def _version_lines(title: str, version: Version) -> Iterator[str]:
    yield f"{title}, since revision {version.revision} ({version.at}):"
    yield from (f"  {each}" for each in entry_lines(version.entry))
    yield from _warning(version.entry)


def _warning(entry: Entry) -> Iterator[str]:
    """What an entry says that is never so, whoever wrote it."""
    waiving = waiving_line(entry)
    if waiving:
        yield f"  it says {quotation(waiving)}; every change needs a yes, whatever is remembered"


def entry_lines(entry: Entry) -> Iterator[str]:
    """An entry, a line for each thing it says."""
    yield f"tool: {entry.tool}"
    yield f"trigger: {entry.trigger}"
    yield from (f"first: {each}" for each in entry.preconditions)
    yield from (f"eligible: {each}" for each in entry.eligibility)
    yield from (
        f"{name}: {text}"
        for name, text in (("action", entry.action), ("key insight", entry.key_insight))
        if text
    )
    yield from (f"policy: {each}" for each in entry.policy_lines)
    if entry.gap:
        yield f"gap: {entry.gap}"
    if entry.check is not None:
        yield f"check: {entry.check.effect} “{entry.check.name}” where {entry.check.condition}"


def difference_lines(before: Entry | None, after: Entry) -> Iterator[str]:
    """What a proposal would change: its lines as they are, those that go and those that come."""
    old = [] if before is None else list(entry_lines(before))
    new = list(entry_lines(after))
    yield from (f"- {each}" for each in old if each not in new)
    yield from (f"{' ' if each in old else '+'} {each}" for each in new)


def proposal_lines(bank: Bank, change: Change) -> Iterator[str]:
    """What the agent wants to remember: before and after, and where it comes from."""
    found = bank.capabilities.get(change.capability)
    before = None if found is None else found.entry
    if change.entry is None:
        about = "" if change.capability == NOTHING_KNOWN else f" of {change.capability}"
        yield f"Nothing to remember{about}{_words_of_origin(change.origin)}"
    else:
        verb = "change what it remembers" if before else "remember"
        yield f"The agent wants to {verb}: {change.capability}{_words_of_origin(change.origin)}"
        yield from (f"  {each}" for each in difference_lines(before, change.entry))
        yield from _warning(change.entry)
    if change.origin.why:
        yield f"  why: {change.origin.why}"


def _words_of_origin(origin: Origin) -> str:
    """Where a change comes from."""
    parts = []
    if origin.session:
        parts.append(f"session {origin.session}, event {origin.seq}")
    if origin.words:
        parts.append(quotation(origin.words))
    if origin.feedback in _SAID:
        parts.append(_SAID[origin.feedback])
    if origin.failure:
        parts.append(f"{origin.failure} failure")
    if origin.gap:
        parts.append(origin.gap)
    return f" ({'; '.join(parts)})" if parts else ""
