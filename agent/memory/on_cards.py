"""Lists what a session's memory says about the checks of a card.

Everything in force for the tool is shown, and for each entry whether the agent was handed it: the
person who accepted it should see where it is relevant to a change, even if the agent passed it
over. None of it reaches a verdict, a consent or the tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from agent.memory.bank import Bank, Capability, Version
from agent.memory.entry import LONGEST_TEXT
from agent.memory.sources import foreign_sources
from domains.core.tool import Tool
from domains.text.one_line import line, quotation
from sessions.events import Logged
from sessions.events.memory import ANY_TOOL, Learned
from sessions.views.memory import capabilities_read

_SESSION = 40
"""How many characters of a name are quoted; a session's id has fewer."""


def find_learned(bank: Bank | None, tool: Tool, log: Sequence[Logged]) -> tuple[Learned, ...]:
    """The lessons in force about a tool's checks, given the session so far.

    Those that the agent has read, and so chose for this change, come first, then the newest.
    """
    if bank is None:
        return ()
    declared = {e.name.casefold(): e.name for e in tool.notes.checks} if tool.notes else {}
    holding = list(_changing_checks(bank, tool.name, declared))
    if not holding:
        return ()
    read = capabilities_read(log)
    found = [_line_of_learned(each, declared, read=each.name in read) for each in holding]
    return tuple(sorted(reversed(found), key=lambda each: not each.read))


def _changing_checks(bank: Bank, tool: str, declared: Mapping[str, str]) -> Iterator[Capability]:
    """Yield what was learned about the tool, or about any tool with one of this tool's checks."""
    for capability in bank.capabilities.values():
        for version in capability.versions[-1:]:
            of, check = version.entry.tool, version.entry.check
            own = of == tool and _may_change_a_check(version)
            of_any = of == ANY_TOOL and check is not None and check.name.casefold() in declared
            if own or of_any:
                yield capability


def _may_change_a_check(version: Version) -> bool:
    """Whether an agent may pass a check because of it, even if it does not say which check."""
    entry = version.entry
    learned = entry.gap or version.origin.kind != "policy"
    return entry.check is not None or bool(learned and entry.key_insight)


def _line_of_learned(
    capability: Capability, declared: Mapping[str, str], *, read: bool
) -> Learned:  # fmt: skip
    entry = capability.versions[-1].entry
    check = entry.check
    effect = "relaxes" if check is None else check.effect
    name = "" if check is None else declared.get(check.name.casefold(), check.name)
    condition = entry.key_insight if check is None else check.condition
    said = f"learned: {quotation(condition, LONGEST_TEXT)}"  # first, as the end may be cut
    about = [] if read else ["the agent has not read it"]
    if effect == "tightens":
        about.append(f"beyond the check {quotation(name)}")
    elif not name:
        about.append("it does not say for which check")
    elif name in declared.values():
        said = f"allowed by what was {said}"
    else:
        about.append(f"about {quotation(name)}, which is not a check here")
    told = f"{said} ({'; '.join((*about, _source(capability)))})"
    return Learned(check=name, effect=effect, told=told, capability=entry.capability, read=read)


def _source(capability: Capability) -> str:
    """The origin of an entry: since when it holds, from where, and which judge accepted it, if any.

    What was learned on top of an imported entry contains words of the file too, so the file is
    named.
    """
    version = capability.versions[-1]
    files = dict.fromkeys(map(_file, foreign_sources(capability)))
    judged = f", accepted by {line(version.by_judge, _SESSION)}" if version.by_judge else ""
    return f"{_source_of(version)}{judged}{''.join(f', and {each}' for each in files)}"


def _file(version: Version) -> str:
    name = version.origin.file or version.origin.words
    return f"from the file {quotation(name, _SESSION)}, accepted on {_day(version.accepted_at)}"


def _source_of(version: Version) -> str:
    day, origin = _day(version.at), version.origin
    match origin.kind:
        case "session":
            came = f", imported with {quotation(origin.file, _SESSION)}" if origin.file else ""
            return f"on {day} from session {line(origin.session, _SESSION)}{came}"
        case "person":
            return f"written by a person on {day}"
        case "file":
            return f"taken from a file on {day}"
        case "policy":
            return f"worked out from the policy on {day}"
        case "judge":
            return f"decided on {day} without a person"


def _day(at: str) -> str:
    """The day of a time, such as ``22 Nov 2026``; a text that is not a time is quoted."""
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return quotation(at, _SESSION)
    return f"{found.day} {found:%b} {found.year}"
