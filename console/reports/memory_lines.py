"""A memory as lines for a terminal: its entries, one entry in full, and the history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agent.memory.bank import Bank, Capability, Version
from agent.memory.change import Origin
from agent.memory.consent_words import waiving_line
from agent.memory.entry import LONGEST_TEXT, NOTHING_KNOWN, CheckChange, Entry, Gap
from agent.memory.usage import Use
from agent.memory.wording import is_open
from domains.text.one_line import line, quotation

LONGEST_NAME = 64
"""Longest name of a capability, a model or a stream, in characters."""

_LONGEST = 12 * LONGEST_TEXT
"""Longest line of an entry, with every character escaped: nothing is accepted unseen."""

_DID = {
    "propose": "proposed", "accept": "accepted", "refuse": "refused", "edit": "written",
    "undo": "undone", "omit": "nothing learned",
}  # fmt: skip

_LEARNED = ("key insight: ", "check: ")
"""How the lines of an entry begin that say what was learned."""

_SAID = {
    "reward": "by the reward alone",
    "explanation": "as the outcome was explained",
    "oracle": "as the policy was clarified",
}
"""The source of a change that rests on no words of a person on a card or in a label."""


_FAILED = {
    "execution": "the agent's own mistake",
    "alignment": "what the policy says and what is right differ",
}
"""What each kind of failure means (PolicyBank, section 2)."""

GAPS: dict[Gap, str] = {
    "": "",
    "false dependency": "the policy asks for something that does not matter here",
    "missing exception": "the policy leaves an exception out",
    "ambiguous scope": "the policy leaves open what it covers",
}
"""What each kind of gap means (PolicyBank, section 3)."""

NOT_SAID = (
    "These words do not say when it holds. First put that in place of the …; it cannot be "
    "accepted before."
)
"""Shown with a proposal whose sentence the user has to complete."""


def effect_line(check: CheckChange) -> str:
    """What a card will say of a check that is read differently."""
    name = quotation(check.name, LONGEST_TEXT)
    if check.effect == "relaxes":
        return f"It allows what the check {name} objects to. Cards keep the ✗ and add this."
    return f"It asks for more than the check {name}: cards list it under what only you can tell."


def bank_lines(bank: Bank, used: Mapping[str, Use], moved: str) -> Iterator[str]:
    """Yield what a bank holds."""
    kept = (
        ""
        if bank.stream is None
        else f", kept by a stream of {_named(bank.stream.partition(' ')[0])}"
    )
    yield (
        f"{bank.name}: {bank.domain}, {len(bank.entries)} in force, {len(bank.waiting())} not "
        f"accepted, revision {bank.revision}{kept}"
    )
    if moved:
        yield f"  {moved}"
    for name, found in sorted(bank.capabilities.items()):
        if not found.has_entries:
            continue
        yield f"  {_named(name):<40} {state(found)}, {used.get(name, Use())}"


def state(found: Capability) -> str:
    """Whether the entry is in force, and the ids of proposals that wait."""
    if found.waiting:
        ids = ", ".join(each.id for each in found.waiting)
        told = "not accepted" if found.entry is None else "in force, a change not accepted"
        return f"{told} ({ids})"
    return "in force" if found.entry is not None else "not in force"


def capability_lines(found: Capability, used: Use) -> Iterator[str]:
    """Yield one capability in full: what is in force, what waits, and its history."""
    yield f"{_named(found.name)}: {state(found)}, {used}"
    if found.entry is not None:
        yield from _version_lines("in force", found.versions[-1])
    for each in found.waiting:
        yield from _version_lines(f"not accepted ({each.id})", each)
    yield "history:"
    for revision, at, change in found.history:
        came = _words_of_origin(change.origin)
        yield f"  {revision}  {at}  {_DID[change.does]} by {_named(change.by)}{came}"


def _version_lines(title: str, version: Version) -> Iterator[str]:
    yield f"{title}, since revision {version.revision} ({version.at}):"
    yield from (f"  {each}" for each in entry_lines(version.entry))
    yield from _warning(version.entry)


def return_lines(version: Version) -> Iterator[str]:
    """Yield where a version comes from that is in force again, and any warning about it."""
    came = _words_of_origin(version.origin)
    yield f"What was in force before is revision {version.revision}, by {_named(version.by)}{came}"
    yield from _warning(version.entry)


def _warning(entry: Entry) -> Iterator[str]:
    """Yield a warning if the entry says that a change needs no yes, which is never so."""
    waiving = waiving_line(entry)
    if waiving:
        yield f"  it says {quotation(waiving)}; every change needs a yes, whatever is remembered"


def entry_lines(entry: Entry) -> Iterator[str]:
    """Yield an entry, one line for each thing it says; none can pass for a line of ours."""
    yield from (line(each, _LONGEST) for each in _said(entry))


def _said(entry: Entry) -> Iterator[str]:
    """Yield what an entry says, with its text unescaped."""
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
        own = entry.check.condition != entry.key_insight
        when = f" where {entry.check.condition}" if own else ""
        yield f"check: {entry.check.effect} {quotation(entry.check.name, LONGEST_TEXT)}{when}"


def difference_lines(before: Entry | None, after: Entry) -> Iterator[str]:
    """Yield what a proposal changes: removed lines, then the new entry with added lines marked."""
    old = [] if before is None else list(_said(before))
    new = list(_said(after))
    yield from (f"- {line(each, _LONGEST)}" for each in old if each not in new)
    yield from (f"{' ' if each in old else '+'} {line(each, _LONGEST)}" for each in new)


def change_lines(before: Bank, now: Bank, capability: str) -> Iterator[str]:
    """Yield what was done to a bank since it was read, then what that changed in one capability.

    The lines on what was learned come first in the second part.
    """
    made = [
        (revision, name, change)
        for name, found in now.capabilities.items()
        for revision, _, change in found.history
        if revision > before.revision
    ]
    for _, name, change in sorted(made, key=lambda each: each[0]):
        yield f"{_named(name)}: {_DID[change.does]} by {_named(change.by)}"
    old, new = before.entries.get(capability), now.entries.get(capability)
    if new is None and old is not None:
        yield f"{_named(capability)} is no longer in force."
    elif new is not None:
        told = [each for each in difference_lines(old, new) if not each.startswith(" ")]
        yield from sorted(told, key=lambda each: not each[2:].startswith(_LEARNED))


def _named(text: str) -> str:
    """A name that someone chose, as part of a line."""
    return line(text, LONGEST_NAME)


def proposal_lines(
    bank: Bank, capability: str, entry: Entry | None, origin: Origin
) -> Iterator[str]:
    """Yield what is to be remembered, before and after, and where it comes from."""
    before = bank.entries.get(capability)
    if entry is None:
        about = "" if capability == NOTHING_KNOWN else f" about {_named(capability)}"
        yield f"Nothing was learned{about}{_words_of_origin(origin)}"
    else:
        who = "A file wants" if origin.kind == "file" else "The agent wants"
        verb = "change what it remembers" if before else "remember"
        if origin.kind == "file":
            verb = "change what is remembered" if before else "add to what is remembered"
        yield f"{who} to {verb}: {_named(capability)}{_words_of_origin(origin)}"
        yield from (f"  {each}" for each in difference_lines(before, entry))
        if entry.check is not None:
            yield f"  {effect_line(entry.check)}"
        if is_open(entry.key_insight):
            yield f"  {NOT_SAID}"
        yield from _warning(entry)
    if origin.why:
        yield f"  why: {line(origin.why)}"


def _words_of_origin(origin: Origin) -> str:
    """Where a change comes from, in brackets."""
    parts = []
    if origin.session:
        parts.append(f"session {_named(origin.session)}")
    if origin.file:
        parts.append(f"imported with {quotation(origin.file)}, not recorded here")
    if origin.words:
        of = "" if origin.kind == "file" else "from the words "
        parts.append(f"{of}{quotation(origin.words)}")
    if origin.feedback in _SAID:
        parts.append(_SAID[origin.feedback])
    if origin.failure:
        parts.append(_FAILED[origin.failure])
    if origin.gap:
        parts.append(f"{origin.gap}: {GAPS[origin.gap]}")
    return f" ({'; '.join(parts)})" if parts else ""
