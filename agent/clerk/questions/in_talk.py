"""Answers questions while no card waits: with a fact, where one fits better than what a skill says.

A skill answers what it was made for, and takes every question of its intent for that: "is there a
discount on it?" for one about the price. So what it says is compared with all that could be said.
"""

from __future__ import annotations

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
from agent.clerk.questions.known_facts import (
    facts_about,
    facts_of_change,
    facts_of_talk,
    without_overruled,
)
from agent.clerk.questions.state_facts import WAITING
from agent.clerk.state.steps import Call, Question, Statement
from agent.clerk.state.task import Task

_NEW = "a new one"
"""What stands for the id of a record that is only being made, so that none with an id is meant."""

SURELY = 0.6
"""How likely a fact must answer what is no clear question for any skill."""

BETTER = 0.5
"""How likely it must be, among all facts and what a skill says, to be told instead of that."""

FAR_BETTER = 0.8
"""How likely it must be if a skill has looked something up, or worked it out, to say that."""

RULE_SURELY = 8.5
"""How well a rule must fit a question to be told where nobody asked for rules."""

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
        facts_for = partial(
            facts_about,
            facts=facts,
            dialogue=self.dialogue,
            skills=self.skills,
            own=_NEW if self.dialogue.makes_new_record else self.dialogue.focus or "",
        )
        return find_answers(question, "", facts_for)

    def answer(self, question: str) -> str:
        """The answer to a question; empty if no fact surely answers it."""
        found = self._find(question, self._facts) if "?" in question else []
        return " ".join(phrase_answer(each) for each in found if each.likelihood >= SURELY)

    def tell_before(self, change: Call, text: str, step: Statement | None = None) -> str:
        """What is said of a text before a change is proposed, with what is known of that.

        It is what a step says, or the answer to a question of which the change tells more.
        """
        own = step.text if step is not None else ""
        if "?" not in text or (step is not None and step.outcome != "answered"):
            return own
        about = facts_of_change(change, self.dialogue, self.skills)
        known = (each for each in self._facts if not each.startswith(WAITING))
        told = dict.fromkeys([*([own] if own else []), *known])
        facts = [*about, *without_overruled([*told], about)]
        found = [e for e in self._find(text, facts) if e.likelihood >= BETTER]
        return " ".join(map(phrase_answer, found)) or own

    def improve(self, task: Task, step: Step) -> Step:
        """What a skill says or asks to a question, or the facts that surely answer it better."""
        answers = isinstance(step, Statement) and step.outcome == "answered"
        asks = isinstance(step, Question) and not step.lead
        if isinstance(step, Call) or not (answers or asks) or "?" not in task.text:
            return step
        said = step.text if answers else ""
        own = [*dict.fromkeys([*self._facts, *([said] if said else [])])]
        lead, asked = after_lead(task.text)
        asked = task.text if self.skills.names_in(lead, self.dialogue)[0] else asked
        found = self._find(asked, own)
        found = [e for e in found if e.likelihood >= self._least(e.fact, task, step)]
        if not found or all(each.fact == said and not each.lead for each in found):
            return step
        text = " ".join(map(phrase_answer, found))
        if isinstance(step, Statement):
            return replace(step, text=text)
        return Statement(text, "answered", focus=step.focus)

    def _least(self, fact: str, task: Task, step: Question | Statement) -> float:
        """How likely a fact must be the answer to be told instead of what a skill says.

        It must be likelier where that was worked out, and where the fact is a rule or is not about
        the record that the customer named.
        """
        said = step.text if isinstance(step, Statement) else ""
        rules = self.skills.rules.answers(self.policy)
        if said and fact in rules and said not in rules:
            return 1.0 if said in self._facts else FAR_BETTER
        worked_out = said and (task.what_if or task.intent in self.skills.looked_up)
        named, _ = self.skills.names_in(task.message, self.dialogue)
        elsewhere = step.focus in named and step.focus not in fact
        return FAR_BETTER if worked_out or elsewhere else BETTER

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
