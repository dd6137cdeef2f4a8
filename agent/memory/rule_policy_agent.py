"""The policy agent, by rules: what one piece of evidence teaches, as add, revise or omit.

(PolicyBank, section 4, memory maintenance, and the distinction of section 2.) An execution failure,
in which the policy was clear and the agent did otherwise, must not change what is remembered. Only
an alignment failure does, in which what the policy says and what is right differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent.memory.bank import NOTHING_KNOWN, Bank, Change, Origin
from agent.memory.beginning import clauses_of, entry_of
from agent.memory.boundaries import keep_what_was_learned
from agent.memory.entry import CheckChange, Entry, Gap, make_entry, one_line
from agent.memory.evidence import Evidence
from agent.memory.feedback import Feedback
from agent.reflection.policy_lines import closest
from domains.core.domain import Domain
from domains.core.tool import Tool
from sessions.events import Logged
from sessions.store.memory import MemoryRefused

BY = "rules"
LONGEST_WORDS = 200
"""Characters that are taken of somebody's reason."""

Effect = Literal["relaxes", "tightens"]

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_FORBIDS = re.compile(
    r"\b(?:(?:must|may|should|can) not|never|not allowed|cannot|mustn't|shouldn't|can't"
    r"|only (?:if|when|for)|must|always)\b",
    re.IGNORECASE,
)
_PERMITS = re.compile(
    r"\b(?:may|allowed|can be|should (?:be|have)|exceptions?|even (?:if|though|when)|regardless"
    r"|whether or not|no matter|counts?|covers?|covered|includ\w+|any reason|need not)\b",
    re.IGNORECASE,
)
_INDEPENDENT = re.compile(
    r"\b(?:even (?:if|though|when)|regardless|whether or not|no matter|independent\w*|need not"
    r"|without)\b",
    re.IGNORECASE,
)
_SCOPE = re.compile(r"\b(?:counts?|cover\w*|includ\w+|any reason|similar|such as)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is wrong with the policy, in a person's words."""

    words: str
    effect: Effect
    gap: Gap


class RulePolicyAgent:
    """Learns without a model (:class:`agent.memory.feedback.PolicyAgent`)."""

    by = BY

    async def review(
        self, log: Sequence[Logged], feedback: Feedback, bank: Bank, domain: Domain
    ) -> list[Change]:
        """One change for each piece of evidence, in view of those before it.

        What was explained and how the policy was clarified is read as a person's words, about the
        change that the right end needs and the checks that stood in its way.
        """
        made: list[Change] = []
        for each in feedback.evidence_with_words():
            made.append(learn(each, bank.after(made), domain, right=feedback.is_right))
        return made


def learn(evidence: Evidence, bank: Bank, domain: Domain, *, right: bool = False) -> Change:
    """What this teaches: an entry to be decided by a person, or nothing, and why.

    ``right`` says that the evidence is an outcome as it should be.
    """
    if right:
        return _omit(evidence, evidence.tool or NOTHING_KNOWN, "", "It went as it should.")
    tool = domain.tools.get(evidence.tool or _tool_of(evidence, bank))
    if tool is None or not tool.mutates:
        why = "It says of no change what is right."
        return _omit(evidence, evidence.tool or NOTHING_KNOWN, "", why)
    lesson = _lesson(evidence)
    if lesson is None:
        why = "Nothing says that the policy is wrong: the agent did otherwise than it should."
        return _omit(evidence, tool.name[:64], "execution", why)
    clause = _clause(domain, tool, lesson, evidence)
    check = _check(tool, lesson, evidence, clause)
    before = _standing(bank, tool.name, clause, check)
    if before is not None and lesson.words in (*before.eligibility, before.key_insight):
        return _omit(evidence, before.capability, "alignment", "This is remembered already.")
    origin = _origin(
        evidence, "alignment", lesson.gap, f"It interprets: {(clause or tool.name).rstrip('.')}."
    )
    try:
        entry = _teach(before or _new(bank, domain, tool), clause, lesson, check)
    except MemoryRefused as full:
        return _omit(evidence, (before.capability if before else tool.name), "alignment", str(full))
    return Change(does="propose", capability=entry.capability, entry=entry, origin=origin, by=BY)


def _lesson(evidence: Evidence) -> Lesson | None:
    """What a person's words say of the policy; a question says nothing, nor does a plain no."""
    if evidence.kind == "outcome" and not evidence.words:
        if not evidence.failing:
            return None
        named = ", ".join(f"“{each}”" for each in evidence.failing)
        return Lesson(
            f"It was right although {named} did not hold.", "relaxes", "missing exception"
        )
    said = [each for each in _SENTENCE.split(one_line(evidence.words)) if not each.endswith("?")]
    told = [each for each in said if _FORBIDS.search(each) or _PERMITS.search(each)]
    if evidence.kind == "outcome" and evidence.failing:
        told = told or said
    if not told:
        return None
    words = " ".join(told)
    effect: Effect = "tightens" if _FORBIDS.search(words) else "relaxes"
    if evidence.kind == "outcome" and evidence.failing:
        effect = "relaxes"  # what was right is what these checks spoke against
    gap: Gap = "missing exception"
    if _INDEPENDENT.search(words):
        gap = "false dependency"
    elif _SCOPE.search(words):
        gap = "ambiguous scope"
    cut = words if len(words) <= LONGEST_WORDS else f"{words[: LONGEST_WORDS - 1]}…"
    return Lesson(cut, effect, gap)


def _tool_of(evidence: Evidence, bank: Bank) -> str:
    """The tool whose entry was read last, else the words come closest to; empty where none does."""
    read = bank.entries.get(evidence.read)
    if read is not None:
        return read.tool
    held = list(bank.entries.values())
    texts = [" ".join((e.tool.replace("_", " "), e.trigger, *e.policy_lines)) for e in held]
    place = closest(texts, one_line(evidence.words))
    return "" if place is None else held[place].tool


def _clause(domain: Domain, tool: Tool, lesson: Lesson, evidence: Evidence) -> str:
    """The clause of the policy that the words are about; empty where none shares a word."""
    clauses = clauses_of(domain, tool.name)
    about = " ".join((lesson.words, *evidence.failing))
    place = closest(clauses, about)
    return "" if place is None else clauses[place]


def _standing(bank: Bank, tool: str, clause: str, check: CheckChange | None) -> Entry | None:
    """What is remembered of the clause, a proposal included that came from evidence, too.

    An entry reads one check differently: one that reads another is passed over, and the one that
    reads this one comes before those that read none.
    """
    waiting = (each.waiting for each in bank.capabilities.values() if each.waiting is not None)
    proposed = [each.entry for each in waiting if each.origin.kind == "session"]
    fitting = [
        each
        for each in (*proposed, *bank.entries.values())
        if each.tool == tool
        and clause in each.policy_lines
        and (each.check is None or check is None or each.check.name == check.name)
    ]
    return next((each for each in fitting if each.check and check), next(iter(fitting), None))


def _new(bank: Bank, domain: Domain, tool: Tool) -> Entry:
    """A capability of a tool of which nothing fitting is remembered, under a name of its own."""
    plain = entry_of(domain, tool)
    if plain.capability not in bank.capabilities:
        return plain
    names = (f"{plain.capability[:60]}_{number}" for number in range(2, 1000))
    free = next(name for name in names if name not in bank.capabilities)
    return plain.model_copy(update={"capability": free, "policy_lines": ()})


def _teach(before: Entry, clause: str, lesson: Lesson, check: CheckChange | None) -> Entry:
    """The entry with the lesson in it; what contradicts what it had becomes a boundary."""
    later = {
        **before.model_dump(),
        "eligibility": (*before.eligibility, lesson.words),
        "key_insight": lesson.words,
        "policy_lines": filter(None, (clause,)),
        "gap": lesson.gap,
        "check": check and check.model_dump(),
    }
    return keep_what_was_learned(before, make_entry(later))


def _check(tool: Tool, lesson: Lesson, evidence: Evidence, clause: str) -> CheckChange | None:
    """The check of the card that would be read differently: the one that failed, or the closest.

    The clause that the words are about has more of a check's words than they have. None where no
    check speaks against the right end: then the card has none for what was learned.
    """
    if evidence.kind == "outcome" and not evidence.failing:
        return None
    checks = tool.notes.checks if tool.notes is not None else ()
    names = evidence.failing or tuple(each.name for each in checks if each.source == "policy")
    place = closest(names, f"{lesson.words} {clause}")
    if place is None and not evidence.failing:
        return None
    return CheckChange(name=names[place or 0], effect=lesson.effect, condition=lesson.words)


def _omit(
    evidence: Evidence, capability: str, failure: Literal["", "execution", "alignment"], why: str
) -> Change:
    origin = _origin(evidence, failure, "", why)
    return Change(does="omit", capability=capability, origin=origin, by=BY)


def _origin(
    evidence: Evidence, failure: Literal["", "execution", "alignment"], gap: Gap, why: str
) -> Origin:
    return Origin(
        kind="session", session=evidence.session, seq=evidence.seq,
        words=one_line(evidence.words)[:LONGEST_WORDS], failure=failure, gap=gap, why=why,
        feedback=evidence.regime,
    )  # fmt: skip
