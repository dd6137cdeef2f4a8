"""The rule-based beginning of a bank: what policy and checks say about each tool, word for word.

PolicyBank, section 4: the memory is initialized from specification and tools. Nothing has been
learned yet, so no entry has an insight, a gap or a changed check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agent.memory.change import Change, Origin
from agent.memory.entry import LONGEST_TEXT, Entry, make_entry
from agent.reflection.reflection import reflect
from domains.core.domain import Domain
from domains.core.tool import Check, Tool, ToolCall

BY = "rules"


def begin_by_rules(domain: Domain) -> list[Change]:
    """Changes that put an entry in force for every tool that changes records."""
    origin = Origin(kind="policy", why="Policy lines and checks of the tool.")
    return [
        Change(does="edit", capability=entry.capability, entry=entry, origin=origin, by=BY)
        for entry in entries_of(domain)
    ]


def entries_of(domain: Domain) -> Iterator[Entry]:
    """An entry for each tool that changes records, with what policy and tools say about it."""
    return (entry_of(domain, tool) for tool in domain.tools if tool.mutates)


def entry_of(domain: Domain, tool: Tool) -> Entry:
    """The entry for one tool, with what the policy says about it."""
    clauses = clauses_of(domain, tool.name)
    checks = tool.notes.checks if tool.notes is not None else ()
    what = tool.description.partition("\n")[0] or tool.name.replace("_", " ")
    by_source = {source: _names(checks, source) for source in ("tool", "policy")}
    return make_entry(
        {
            "capability": tool.name[:64],
            "tool": tool.name,
            "trigger": f"The customer asks for this: {what}"[:LONGEST_TEXT],
            "preconditions": by_source["tool"],
            "eligibility": by_source["policy"],
            "action": f"If all of it holds, call {tool.name}; if not, say which line forbids it.",
            "policy_lines": clauses,
        }
    )


def clauses_of(domain: Domain, tool: str) -> tuple[str, ...]:
    """The policy's lines that are relevant to a tool, each after its heading."""
    _, quoted = reflect(domain, ToolCall(tool, {}), domain.records())
    return tuple(" ".join(each.split())[:LONGEST_TEXT] for each in quoted)


def _names(checks: Iterable[Check], source: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.name for each in checks if each.source == source))
