"""Checks that an entry is about a change that the domain has, and a check of its policy."""

from __future__ import annotations

from agent.memory.entry import NOTHING_KNOWN, Entry
from domains.core.domain import Domain
from domains.core.tool import Tool
from domains.text.one_line import quotation
from sessions.store.memory import MemoryRefused


def refuse_unfit(entry: Entry, domain: Domain) -> None:
    """Raise MemoryRefused for an entry whose tool or check does not exist here, and say which."""
    tool = domain.tools.get(entry.tool)
    if tool is None:
        raise MemoryRefused(f"{domain.name} has no tool {quotation(entry.tool)}.")
    if not tool.mutates:
        raise MemoryRefused(
            f"{entry.tool} changes nothing, so {entry.capability} would be of no use: every memory "
            "entry is about a change."
        )
    if entry.check is not None and entry.check.name not in _policy_checks(tool):
        raise MemoryRefused(
            f"{entry.tool} has no policy check {quotation(entry.check.name)} that could be read "
            f"differently.{_as_spelled(entry.check.name, tool)}"
        )


def capability_of(tool: str, domain: Domain) -> str:
    """The capability of an omission: a card's tool, or a placeholder if it does not exist here.

    A file may have given a card's tool any name.
    """
    return tool if tool in domain.tools else NOTHING_KNOWN


def _as_spelled(name: str, tool: Tool) -> str:
    """A hint at the check that is meant if only its spelling differs; else empty."""
    meant = (each for each in _policy_checks(tool) if _letters(each) == _letters(name))
    found = next(meant, None)
    return "" if found is None else f" The card spells it {quotation(found)}."


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _policy_checks(tool: Tool) -> frozenset[str]:
    """The names of the tool's policy checks.

    Checks that the tool's own code enforces cannot be read differently.
    """
    checks = tool.notes.checks if tool.notes is not None else ()
    return frozenset(each.name for each in checks if each.source == "policy")
