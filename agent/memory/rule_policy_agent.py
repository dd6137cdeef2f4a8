"""The rule-based policy agent: what a piece of evidence teaches, as add, revise or omit.

PolicyBank, section 4 (memory maintenance) and the distinction of section 2. An execution failure,
in which the policy was clear and the agent did otherwise, must not change what is remembered. Only
an alignment failure does, in which what the policy says and what is right differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.memory.bank import Bank
from agent.memory.beginning import entry_of
from agent.memory.boundaries import keep_what_was_learned
from agent.memory.change import Change, Origin, origin_of
from agent.memory.change_of_mind import reason_against_gap
from agent.memory.entry import LONGEST_TEXT, CheckChange, Entry, Gap, make_entry, one_line
from agent.memory.evidence import Evidence
from agent.memory.feedback import Feedback
from agent.memory.fitting import capability_of
from agent.memory.material import is_taught
from agent.memory.particulars import record_named_in
from agent.memory.subject import ask_which, check_about, clause_about, tools_named
from agent.memory.wording import (
    DEMANDS,
    FORBIDS,
    About,
    Effect,
    is_open,
    is_wish,
    rule_in_words,
    says_a_rule,
    without_frame,
)
from agent.reflection.policy_lines import closest
from domains.core.domain import Domain
from domains.core.tool import Tool
from sessions.events import Logged
from sessions.events.memory import KEPT_BOUNDARY
from sessions.store.memory import MemoryRefused

BY = "rules"
LONGEST_WORDS = 200
"""How many characters of a person's reason are used."""

LONGEST_TOPIC = 60
"""The maximum length in characters of a heading that a rule may begin with."""

_NOT_OF_THE_POLICY = (
    "The words do not say what may, must or must never be done, so the rules treat this as the "
    "agent's own mistake."
)
_TOO_LONG = f"The rule in these words has more than {LONGEST_TEXT} characters."
_NOTHING_IN_THE_WAY = (
    "The words allow something that no check on this card forbids, and do not say which change "
    "they are about."
)
_AS_THE_POLICY_SAYS = "The policy says what is right, and the agent did otherwise."
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_INDEPENDENT = re.compile(
    r"\b(?:even (?:if|though|when)|regardless|whether or not|no matter|independent\w*|need not"
    r"|without)\b",
    re.IGNORECASE,
)
_SCOPE = re.compile(r"\b(?:counts?|cover\w*|includ\w+|any reason|similar|such as)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RuleLesson:
    """A flaw in the policy, in a person's sentences without conversational openings."""

    sentences: tuple[str, ...]
    effect: Effect
    gap: Gap

    @property
    def words(self) -> str:
        """All sentences as one text."""
        return " ".join(self.sentences)


class RulePolicyAgent:
    """Learns without a model; see :class:`agent.memory.feedback.PolicyAgent`."""

    by = BY

    async def review(
        self, log: Sequence[Logged], feedback: Feedback, bank: Bank, domain: Domain
    ) -> list[Change]:
        """One change for each piece of evidence, in view of those before it.

        An explanation, or a clarification of the policy, is read like a person's words about the
        change that the right outcome needs and the checks that stood in its way. A wrong outcome
        that no one commented on may be the customer's own doing.
        """
        made: list[Change] = []
        for each in feedback.evidence_with_words():
            wordless = each.kind == "outcome" and not each.words
            end = (each.tool, *each.end)
            theirs = reason_against_gap(log, end) if wordless and not feedback.is_right else ""
            if theirs:
                made.append(_omit(each, capability_of(each.tool, domain), "", theirs))
            else:
                made.append(learn(each, bank.after(made), domain, right=feedback.is_right))
        return made


def learn(evidence: Evidence, bank: Bank, domain: Domain, *, right: bool = False) -> Change:
    """The change that the evidence teaches: an entry to be decided, or an omission and why.

    ``right`` says that the evidence is an outcome as it should be.
    """
    if right:
        return _omit(evidence, capability_of(evidence.tool, domain), "", "It went as it should.")
    tool = domain.tools.get(evidence.tool or _tool_of(evidence, bank))
    if tool is None or not tool.mutates:
        why = "The words are not about any change that the agent can make."
        return _omit(evidence, capability_of(evidence.tool, domain), "", why)
    lesson = _lesson(evidence)
    meant = _named(lesson, evidence, tool, domain)
    if len(meant) > 1:
        return _omit(evidence, tool.name[:64], "alignment", ask_which(meant))
    if meant and meant != [tool]:
        tool = meant[0]
        evidence = replace(evidence, tool=tool.name, failing=())
        lesson = _lesson(evidence)
    if lesson is None:
        why = _NOT_OF_THE_POLICY if evidence.words else _AS_THE_POLICY_SAYS
        return _omit(evidence, tool.name[:64], "execution", why)
    return _propose(lesson, evidence, tool, bank, domain, is_named=bool(meant))


def _propose(
    lesson: RuleLesson,
    evidence: Evidence,
    tool: Tool,
    bank: Bank,
    domain: Domain,
    *,
    is_named: bool,
) -> Change:
    """The proposal that follows from a lesson about a tool, or an omission that says why not.

    ``is_named`` says that the words name what the tool does.
    """
    clause = clause_about(lesson.words, evidence.failing, tool, domain)
    permits = lesson.effect == "relaxes"
    named = check_about(lesson.words, clause, evidence, tool, permits=permits)
    allows_more = permits and lesson.gap == "missing exception"
    if evidence.is_about_card and allows_more and not (is_named or named):
        return _omit(evidence, tool.name[:64], "alignment", _NOTHING_IN_THE_WAY)
    rule = _in_words(
        lesson, evidence, About(_topic(tool, clause), tool.name, named, lesson.effect), domain
    )
    if len(rule) > LONGEST_TEXT:
        return _omit(evidence, tool.name[:64], "alignment", _TOO_LONG)
    check = None
    if named:
        check = CheckChange(name=named, effect=lesson.effect, condition=rule)
    before = _entry_for_clause(bank, tool.name, clause, check)
    known = _why_known(bank, tool.name, before, rule)
    if known:
        return _omit(evidence, before.capability if before else tool.name, "alignment", known)
    if before is not None and before.key_insight and is_open(rule):
        before = None  # an unfinished rule must not become part of an entry in force
    origin = _origin(
        evidence, "alignment", lesson.gap, f"It interprets: {(clause or tool.name).rstrip('.')}."
    )
    try:
        entry = _teach(before or _new(bank, domain, tool), clause, rule, lesson.gap, check)
    except MemoryRefused as full:
        return _omit(evidence, (before.capability if before else tool.name), "alignment", str(full))
    return Change(does="propose", capability=entry.capability, entry=entry, origin=origin, by=BY)


def _lesson(evidence: Evidence) -> RuleLesson | None:
    """The lesson in a person's words; None for a question or a plain no."""
    against = evidence.kind == "outcome" and bool(evidence.failing)
    if evidence.kind == "outcome" and not evidence.words:
        if not against:
            return None
        named = ", ".join(f"'{each}'" for each in evidence.failing)
        right = f"It was right although {named} did not hold."
        return RuleLesson((right,), "relaxes", "missing exception")
    whole = one_line(evidence.words)[:LONGEST_WORDS]
    said = tuple(filter(None, map(without_frame, _SENTENCE.split(whole))))
    rules = filter(says_a_rule, said)
    told = tuple(each for each in rules if evidence.failing or not is_wish(each))
    told = told or (said if against else ())
    if not told:
        return None
    words = " ".join(told)
    demanded = DEMANDS.search(words) and not evidence.failing
    tightens = not against and (FORBIDS.search(words) or demanded)
    gap: Gap = "missing exception"
    if _INDEPENDENT.search(words):
        gap = "false dependency"
    elif _SCOPE.search(words):
        gap = "ambiguous scope"
    return RuleLesson(told, "tightens" if tightens else "relaxes", gap)


def _named(lesson: RuleLesson | None, evidence: Evidence, tool: Tool, domain: Domain) -> list[Tool]:
    """The tools that a person's words about a card name as what they are about.

    Words about what must be done instead, or first, are a demand on the card's own change and name
    no tool.
    """
    if lesson is None or not evidence.is_about_card:
        return []
    demands = lesson.effect == "tightens" and not FORBIDS.search(lesson.words)
    return [] if demands else tools_named(lesson.sentences, tool, domain)


def _in_words(lesson: RuleLesson, evidence: Evidence, about: About, domain: Domain) -> str:
    """The lesson as a rule, or the words themselves if it is open and no person can complete it."""
    rule = rule_in_words(
        lesson.sentences, about, lambda each: bool(record_named_in([each], domain.base))
    )
    return lesson.words if is_open(rule) and evidence.regime != "person" else rule


def _why_known(bank: Bank, tool: str, before: Entry | None, rule: str) -> str:
    """The reason why a rule is not new (it is in force, or waits); empty if it is new."""
    if before is not None and _holds(before, rule) and before in bank.entries.values():
        return "This is already remembered."
    for each in bank.waiting():
        same = each.entry.key_insight == rule if is_open(rule) else each.entry == before
        if same and each.entry.tool == tool and _holds(each.entry, rule):
            id_ = f": {each.id}" if each.id else ""
            return f"This has already been proposed and is waiting to be accepted{id_}."
    return ""


def _holds(entry: Entry, rule: str) -> bool:
    """Whether an entry contains a rule, in its insight or among its earlier boundaries."""
    earlier = (each.removeprefix(KEPT_BOUNDARY) for each in entry.eligibility)
    return rule in entry.key_insight or rule in earlier


def _topic(tool: Tool, clause: str) -> str:
    """The name of a change within rules: the policy's heading, or else the tool's name."""
    heading, colon, _ = clause.partition(": ")
    if colon and len(heading) <= LONGEST_TOPIC:
        return heading.rpartition(" > ")[2]
    return tool.name.replace("_", " ").capitalize()


def _tool_of(evidence: Evidence, bank: Bank) -> str:
    """The tool whose entry was read last, else the one closest to the words; empty if none."""
    read = bank.entries.get(evidence.read)
    if read is not None:
        return read.tool
    held = list(bank.entries.values())
    texts = [" ".join((e.tool.replace("_", " "), e.trigger, *e.policy_lines)) for e in held]
    place = closest(texts, one_line(evidence.words))
    return "" if place is None else held[place].tool


def _entry_for_clause(
    bank: Bank, tool: str, clause: str, check: CheckChange | None
) -> Entry | None:
    """The entry about the clause, in force or in a finished proposal from here, or None.

    An entry reads one check differently: one that reads another is skipped, and one that reads this
    check comes before those that read none.
    """
    waiting = (each for each in reversed(bank.waiting()) if is_taught(each))
    proposed = [each.entry for each in waiting if not is_open(each.entry.key_insight)]
    fitting = [
        each
        for each in (*proposed, *bank.entries.values())
        if each.tool == tool
        and clause in each.policy_lines
        and (each.check is None or check is None or each.check.name == check.name)
    ]
    return next((each for each in fitting if each.check and check), next(iter(fitting), None))


def _new(bank: Bank, domain: Domain, tool: Tool) -> Entry:
    """A new entry for a tool that has no fitting one, under a name that is still free."""
    plain = entry_of(domain, tool)
    taken = [name for name, each in bank.capabilities.items() if each.has_entries]
    if plain.capability not in taken:
        return plain
    names = (f"{plain.capability[:60]}_{number}" for number in range(2, 1000))
    free = next(name for name in names if name not in taken)
    return plain.model_copy(update={"capability": free, "policy_lines": ()})


def _teach(before: Entry, clause: str, rule: str, gap: Gap, check: CheckChange | None) -> Entry:
    """The entry with the rule added; a contradiction to its insight becomes a boundary."""
    later = {
        **before.model_dump(),
        "key_insight": rule,
        "policy_lines": filter(None, (clause,)),
        "gap": gap,
        "check": check and check.model_dump(),
    }
    return keep_what_was_learned(before, make_entry(later))


def _omit(
    evidence: Evidence, capability: str, failure: Literal["", "execution", "alignment"], why: str
) -> Change:
    origin = _origin(evidence, failure, "", why)
    return Change(does="omit", capability=capability, origin=origin, by=BY)


def _origin(
    evidence: Evidence, failure: Literal["", "execution", "alignment"], gap: Gap, why: str
) -> Origin:
    words = one_line(evidence.words)[:LONGEST_WORDS]
    return origin_of(evidence, why, words=words, failure=failure, gap=gap, feedback=evidence.regime)
