"""Answers questions while no card waits: with a fact, where one fits better than what a skill says.

A skill answers what it was made for, and takes every question of its intent for that: "is there a
discount on it?" for one about the price. So what it says is compared with all that could be said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from agent.clerk.deciding.beyond import tell_beyond
from agent.clerk.deciding.phrasing import about_reading, tell_lost
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.questions.answering import find_answers, phrase_answer
from agent.clerk.questions.asking import after_lead
from agent.clerk.questions.fitting import Fit
from agent.clerk.questions.known_facts import facts_about, facts_of_talk
from agent.clerk.questions.state_facts import UNTOUCHED, WHY
from agent.clerk.state.steps import Call, Question, Statement
from agent.clerk.state.task import Task

SURELY = 0.6
"""How likely a fact must answer what is no clear question for any skill."""

BETTER = 0.5
"""How likely it must be, among all facts and what a skill says, to be told instead of that."""

RULE_SURELY = 8.5
"""How well a rule must fit a question to be told where nobody asked for rules."""

_FIGURES = re.compile(r"\d[\d.,:]*\d")

Step = Call | Question | Statement


@dataclass
class TalkFacts:
    """What can be told at a moment of a conversation, looked up when it is first needed."""

    dialogue: Any
    skills: DomainSkills
    policy: str
    report: Callable[[Task], str]
    """Tells what became of a task that was done."""

    @cached_property
    def _facts(self) -> list[str]:
        made = (self.report(each) for each in self.dialogue.tasks if each.written)
        done = [*dict.fromkeys(filter(None, made))]
        return facts_of_talk(self.dialogue, self.skills, self.policy, done)

    def _find(self, question: str, facts: Sequence[str]) -> list[Fit]:
        """The facts that answer a question best, once it is known whose facts they are."""
        if self.dialogue.records.user is None:
            return []
        facts_for = partial(facts_about, facts=facts, dialogue=self.dialogue, skills=self.skills)
        return find_answers(question, "", facts_for)

    def answer(self, question: str) -> str:
        """The answer to a question; empty if no fact surely answers it."""
        found = self._find(question, self._facts) if "?" in question else []
        return " ".join(phrase_answer(each) for each in found if each.likelihood >= SURELY)

    def improve(self, task: Task, step: Step) -> Step:
        """A skill's answer to a question, or the facts that answer it better."""
        if not (isinstance(step, Statement) and step.outcome == "answered" and "?" in task.text):
            return step
        own = [*dict.fromkeys([*self._facts, step.text])]
        lead, asked = after_lead(task.text)
        asked = task.text if self.skills.names_in(lead, self.dialogue)[0] else asked
        found = [each for each in self._find(asked, own) if self._is_better(each, task)]
        if not found or all(_says_as_much(step.text, each) for each in found):
            return step
        return replace(step, text=" ".join(phrase_answer(each) for each in found))

    def _is_better(self, found: Fit, task: Task) -> bool:
        """Whether a fact may be told instead of what a skill says to its own kind of question.

        A skill knows the rules and what it has looked up better, but not what nobody here knows.
        """
        rules, fact = self.skills.rules, found.fact
        if found.likelihood < BETTER:
            return False
        if task.intent in self.skills.looked_up:
            return fact == WHY or fact in rules.unknown
        if task.intent == "state_check":
            return fact.startswith(UNTOUCHED)
        return fact in rules.unknown or (fact != WHY and fact not in rules.answers(self.policy))

    def step_in_words(self, task: Task) -> Statement:
        """What a rule or a fact says of a question that no skill answers; else that none does."""
        told = self._rule_for(task) or self.answer(task.text)
        if task.chosen.get("doubt"):
            return Statement(told or tell_lost([task.text]), "answered")
        return Statement(told or tell_beyond(task), "refused")

    def _rule_for(self, task: Task) -> str:
        """The rule that surely answers a question, of the change at hand if there is one."""
        change = self.dialogue.change_at_hand
        led = f"{self.dialogue.offers.get(change, '')}: {task.text}" if change else task.text
        return self.skills.rules.find(led, self.policy, RULE_SURELY, change=change)

    def about_reading(self, *, answers: bool) -> list[str]:
        """What is said of a message that was not read whole, before the answers to it."""
        lost = self.dialogue.not_understood
        known = {each: self.answer(each) for each in lost}
        rest = [each for each in lost if not known.get(each)]
        return [
            *about_reading(self.dialogue, rest if answers else []),
            *filter(None, known.values()),
        ]


def _says_as_much(text: str, found: Fit) -> bool:
    """Whether a text tells the figures of a fact, and needs no yes or no before it."""
    figures = {*_FIGURES.findall(found.fact)}
    told = bool(figures) and not found.lead and figures <= {*_FIGURES.findall(text)}
    return told or found.fact == text
