"""Targeted reflection: what an agent is reminded of before a change, and only then.

SABER, section 4.1. Without an auxiliary model the reminder is selected, not written: it has the
policy's lines that are relevant to this tool and these arguments, and what the tool's declared
checks read in the records just now. The same call on the same records always gives the same
reminder.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from agent.reflection.policy_lines import PolicyLine, choose
from domains.core.canonical import canonical
from domains.core.tool import Finding, Tool, ToolCall, Toolset
from sessions.cleaning import clean
from sessions.json_strings import leaves_in

if TYPE_CHECKING:
    from domains.core.domain import Domain
    from domains.core.records import Records

OPENING = "Reminder before this change:"
"""How every reminder begins; code that reads messages as the customer's words skips these."""

CLOSING = (
    "Nothing has been changed yet. If the change fits all of this and is what the customer asked "
    "for, make the call now; if not, make the right call instead or tell the customer why not."
)


def reflect(
    domain: Domain, call: ToolCall, records: Records, *, from_records: bool = True
) -> tuple[str, tuple[str, ...]]:
    """The reminder for a change that is about to be made, and the policy lines that it quotes.

    Without ``from_records`` it says nothing about what the records hold, like the paper's own.
    """
    tool = domain.tools.get(call.name)
    findings = _findings(tool, call, records) if tool is not None and from_records else ()
    lines = choose(domain.policy, _bearings(domain.tools, call))
    quoted = tuple(clean(f"{line.section}: {line.text}") for line in lines)
    return _phrase_reminder(call, lines, findings), quoted


def opening(call: ToolCall) -> str:
    """The first line of a reminder, which says which call it is about."""
    return f"{OPENING} you are about to call {call.name}({canonical(dict(call.arguments))})."


def _findings(tool: Tool, call: ToolCall, records: Records) -> tuple[tuple[str, Finding], ...]:
    """Every declared check by name with what it finds now, those that do not hold first."""
    checks = tool.notes.checks if tool.notes else ()
    found = [(check.name, check.run(records.draft(), call.arguments)) for check in checks]
    return tuple(sorted(found, key=lambda pair: pair[1].holds))


def _bearings(tools: Toolset, call: ToolCall) -> list[tuple[str, float]]:
    """Texts that say what the call is about, each with its weight."""
    texts = [(" ".join(map(str, leaves_in(call.arguments))), 0.5)]
    tool = tools.get(call.name)
    if tool is not None:
        texts.append((tool.description, 1.0))
    if tool is not None and tool.notes is not None:
        texts += [(check.name, 0.5) for check in tool.notes.checks]
    return [*_name_words(tools, call.name, " ".join(text for text, _ in texts)), *texts]


def _name_words(tools: Toolset, name: str, about: str) -> Iterator[tuple[str, float]]:
    """Yield the words of the tool's name, weighted by how few other tools share them.

    Words of other write tools' names count against a line, unless something about this call
    mentions them: what is said about an exchange is not relevant to a cancellation.
    """
    names = {tool.name: set(tool.name.split("_")) for tool in tools}
    own = set(name.split("_"))
    others = set().union(*(names[tool.name] for tool in tools if tool.mutates))
    for word in sorted(own | others):
        sharing = max(1, sum(word in words for words in names.values()))
        rarity = math.log(1 + len(names) / sharing) / math.log(1 + len(names))
        if word in own:
            yield word, 4.0 * rarity
        elif word not in about.lower():
            yield word, -2.0 * rarity


def _phrase_reminder(
    call: ToolCall, lines: Iterable[PolicyLine], findings: Iterable[tuple[str, Finding]]
) -> str:
    quoted = [f"- [{line.section}] {line.text}" for line in lines]
    checked = [f"{'✓' if found.holds else '✗'} {name}: {found.value}" for name, found in findings]
    return clean(
        "\n".join(
            (
                opening(call),
                *(("The policy says:", *quoted) if quoted else ()),
                *(("The records say:", *checked) if checked else ()),
                CLOSING,
            )
        )
    )
