"""Detects texts that would have an agent do without the customer's yes.

No entry can do that (law 2: the gate asks whatever an agent was told). This check therefore
protects no change; it keeps a memory from saying what is never true.
"""

from __future__ import annotations

import re

from agent.memory.entry import Entry

_YES = r"(?:confirm\w*|consents?|approv\w+|permission|yes\b)"
_FEW = r"(?:[\w'’]+\s+){0,4}"
_IS = r"(?:is|are|was|were|does|do|can|may|must|should|has|will)?\s*"
_NOT = r"(?:not|n['’]t|never|no longer)\s+(?:be\s+)?"
_DO_NOT = r"(?:do not|don['’]t|never|need not|needn['’]t|no need to|without having to)"
_WANTED = r"(?:need|requir|necess|want|ask)\w*"
_LEFT_OUT = r"(?:skipp|waiv|bypass|omitt|optional|unnecessary|needless|assum|implied)\w*"

_WAIVES = re.compile(
    "|".join(
        (
            rf"\bno\s+{_FEW}{_YES}\s+(?:\w+\s+){{0,2}}{_WANTED}",
            rf"\b(?:needs?|requires?)\s+no\s+{_FEW}{_YES}",
            rf"{_YES}\s+{_IS}{_NOT}(?:{_WANTED}|{_LEFT_OUT})",
            rf"{_YES}\s+{_IS}(?:be\s+)?{_LEFT_OUT}",
            rf"\b(?:skip|bypass|waive|omit|ignore|disable|assume)\w*\s+{_FEW}{_YES}",
            rf"\b{_DO_NOT}\s+{_FEW}(?:confirm\b|(?:ask|wait|seek|request|obtain)\w*\s+{_FEW}{_YES})",
        )
    ),
    re.IGNORECASE,
)
_WITHOUT = re.compile(rf"\bwithout\s+{_FEW}{_YES}", re.IGNORECASE)
_FORBIDDEN = re.compile(r"\b(?:not|never|nothing|cannot|no|none|n['’]t|forbidden)\b", re.IGNORECASE)


def waives_consent(text: str) -> bool:
    """Whether a line says that a change needs no yes; a line that forbids this does not count."""
    if _WAIVES.search(text):
        return True
    return any(not _FORBIDDEN.search(text[: each.start()]) for each in _WITHOUT.finditer(text))


def waiving_line(entry: Entry) -> str:
    """The first line of an entry that would do without a yes; empty if there is none.

    The lines of the policy are not searched, because they are the policy's own.
    """
    texts = (
        entry.trigger, *entry.preconditions, *entry.eligibility, entry.action, entry.key_insight,
        entry.check.condition if entry.check else "",
    )  # fmt: skip
    return next(filter(waives_consent, texts), "")
