"""Finds what a person's words are about: a change, a clause of the policy, a check of the card.

*A broken item may be exchanged*, said about a return, is about exchanging. The act comes after the
verb that allows, forbids or demands it; what comes after *if* or *before* says when.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from agent.memory.beginning import clauses_of
from agent.memory.evidence import Evidence
from agent.memory.wording import WHEN
from agent.reflection.policy_lines import closest, stems
from domains.core.domain import Domain
from domains.core.tool import Tool

_MODAL = re.compile(
    r"\b(?:may|can(?:not)?|could|must|should|shall|(?:ca|must|should)n['’]t"
    r"|(?:has|have|needs?|ought|allowed|able|free|possible) to)\b",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(r"\b\w{2,}ed\b", re.IGNORECASE)
"""Participles that describe something and come before its verb: *a returned item*."""


def tools_named(sentences: Iterable[str], about: Tool, domain: Domain) -> list[Tool]:
    """The tools whose act these sentences name, or only ``about`` if it is among them.

    ``about`` is the tool of the card that they were said on. Empty if they name no tool's act.
    """
    done, subjects = set[str](), set[str]()
    for sentence in sentences:
        subject, *said = _MODAL.split(sentence)
        done |= {stem for each in said for stem in stems(WHEN.split(each)[0])}
        subjects |= {*stems(_PARTICIPLE.sub(" ", WHEN.split(subject)[0]))}
    found = _tools_of(done, domain) or _tools_of(subjects, domain)
    return [about] if about in found else found


def _tools_of(named: Set[str], domain: Domain) -> list[Tool]:
    """The write tools whose name begins with one of these words; a name begins with the act."""
    acts = ((tool, next(stems(tool.name), "")) for tool in domain.tools if tool.mutates)
    return [tool for tool, act in acts if act and any(each.startswith(act) for each in named)]


def ask_which(tools: Iterable[Tool]) -> str:
    """The message for words that name an act of several tools."""
    names = ", ".join(each.name for each in tools)
    return f"The words do not say which change they are about: {names}."


def clause_about(words: str, failing: Iterable[str], tool: Tool, domain: Domain) -> str:
    """The clause of the policy that the words are about; empty if none shares a word with them."""
    clauses = clauses_of(domain, tool.name)
    place = closest(clauses, " ".join((words, *failing)))
    return "" if place is None else clauses[place]


def check_about(words: str, clause: str, evidence: Evidence, tool: Tool, *, permits: bool) -> str:
    """The check of the card to be read differently: the one that failed, or the closest.

    The clause that the words are about shares more words with a check than they do themselves, so
    it is compared too. Empty if no check speaks against the right outcome: then the card has no
    check for what was learned. Also empty for a permission that shares only words of the tool's
    name with the closest check.
    """
    if evidence.kind == "outcome" and not evidence.failing:
        return ""
    checks = tool.notes.checks if tool.notes is not None else ()
    known = tuple(each.name for each in checks if each.source == "policy")
    failed = tuple(each for each in evidence.failing if each in known)  # a file may name anything
    if evidence.failing and not failed:
        return ""
    names = failed or known
    place = closest(names, f"{words} {clause}")
    if place is None or failed:
        return failed[place or 0] if failed else ""
    shared = {*stems(f"{words} {clause}")} - {*stems(tool.name)}
    is_far = permits and shared.isdisjoint(stems(names[place]))
    return "" if is_far else names[place]
