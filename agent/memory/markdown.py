"""Writes and reads entries as Markdown, one file per capability, so that git shows useful diffs.

:func:`read` of what :func:`write` gives is the same entry. What was learned is written once: a
check without a condition of its own has the key insight as its condition. Every text is one line;
one that would read as a heading or as a list item has a backslash before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agent.memory.entry import Entry, make_entry, one_line
from domains.text.one_line import quotation
from sessions.store.memory import MemoryRefused

LARGEST = 64 * 1024
"""The maximum size in bytes of a file that is read."""

_TEXTS = {"Trigger": "trigger", "Action": "action", "Key insight": "key_insight"}
_LISTS = {
    "Preconditions": "preconditions", "Eligibility": "eligibility", "Policy": "policy_lines",
}  # fmt: skip
_FACTS = {"Tool": "tool", "Domain": "domain", "Gap": "gap"}
_CHECK = {"Name": "name", "Effect": "effect", "Condition": "condition"}
_ORDER = ("Trigger", "Preconditions", "Eligibility", "Action", "Key insight", "Policy")
_FACT = re.compile(r"- ([A-Z][a-z]+): (.*)")


def write(entry: Entry, domain: str) -> str:
    """The text of a file for an entry."""
    return "\n".join(_lines(entry, domain)) + "\n"


def _lines(entry: Entry, domain: str) -> Iterator[str]:
    yield from (f"# {entry.capability}", "", f"- Tool: {entry.tool}")
    if domain:
        yield f"- Domain: {domain}"
    if entry.gap:
        yield f"- Gap: {entry.gap}"
    for heading in _ORDER:
        if heading in _TEXTS:
            text = getattr(entry, _TEXTS[heading])
            body = [_escape(text)] if text else []
        else:
            body = [f"- {each}" for each in getattr(entry, _LISTS[heading])]
        if body:
            yield from ("", f"## {heading}", "", *body)
    if entry.check is not None:
        yield from ("", "## Check", "")
        for name, attribute in _CHECK.items():
            if attribute != "condition" or entry.check.condition != entry.key_insight:
                yield f"- {name}: {getattr(entry.check, attribute)}"


def _escape(text: str) -> str:
    return f"\\{text}" if text.startswith(("#", "-", "\\")) else text


def read(text: str, name: str) -> tuple[Entry, str]:
    """The entry of a file, and its domain or an empty text. Raises MemoryRefused with the line."""
    fields: dict[str, Any] = {}
    heading = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        try:
            heading = _take(line, heading, fields) if line else heading
        except ValueError as error:
            raise MemoryRefused(f"{name}, line {number}: {error}") from None
    domain = one_line(fields.pop("domain", ""))
    if "check" in fields and fields.get("key_insight"):
        fields["check"].setdefault("condition", fields["key_insight"])
    try:
        return make_entry(fields), domain
    except MemoryRefused as error:
        raise MemoryRefused(f"{name}: {error}") from None


def _take(line: str, heading: str, fields: dict[str, Any]) -> str:
    """Add a line to the fields, and return the heading that the next line is under."""
    if line.startswith("# ") and "capability" not in fields:
        fields["capability"] = line[2:].strip()
        return ""
    if line.startswith("## "):
        found = line[3:].strip()
        if found not in (parts := (*_ORDER, "Check")):
            known = ", ".join(parts)
            raise ValueError(
                f"{quotation(found)} is not a section of an entry; the sections are: {known}."
            )
        return found
    if heading in _TEXTS:
        kept = fields.get(_TEXTS[heading])
        plain = line.removeprefix("\\")
        fields[_TEXTS[heading]] = f"{kept} {plain}" if kept else plain
    elif heading in _LISTS:
        fields[_LISTS[heading]] = (*fields.get(_LISTS[heading], ()), _item(line))
    else:
        where, names = (
            (fields.setdefault("check", {}), _CHECK) if heading == "Check" else (fields, _FACTS)
        )
        _take_fact(line, where, names)
    return heading


def _item(line: str) -> str:
    if not line.startswith("- "):
        raise ValueError("an item of a list begins with “- ”.")
    return line[2:]


def _take_fact(line: str, fields: dict[str, Any], names: dict[str, str]) -> None:
    found = _FACT.fullmatch(line)
    if found is None or found[1] not in names:
        raise ValueError(f"expected one of {', '.join(f'“- {name}: …”' for name in names)}.")
    fields[names[found[1]]] = found[2].strip()
