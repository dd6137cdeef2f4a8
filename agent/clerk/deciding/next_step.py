"""Works through the clerk's open tasks, up to the next call or question, in any domain."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from agent.clerk.deciding.beyond import (
    BEYOND,
    NO_HUMAN,
    is_beside,
    step_beyond_tools,
)
from agent.clerk.deciding.declined import ask_to_revise, is_wanted_after_all
from agent.clerk.deciding.doubts import (
    comes_late,
    is_overtaken,
    is_served_beside,
    is_settled,
    leads_away,
    may_mean_another,
    questions_about_change,
)
from agent.clerk.deciding.offers import (
    ask_despite_condition,
    ask_if_meant,
    ask_to_rephrase,
    offer,
    offer_others,
    tell_transfer,
    with_others,
)
from agent.clerk.deciding.phrasing import (
    acknowledge,
    as_text,
    close_answer,
    is_worn_out,
    says_nothing,
    tell_done,
    tell_lost,
    word_question,
    word_statement,
)
from agent.clerk.domain_skills import DomainSkills, Skill
from agent.clerk.lessons.adjusting import adjust_to_lessons
from agent.clerk.questions.in_talk import RULE_SURELY, TalkFacts
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Answer, Call, Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.tracking.task_creation import NOTHING
from agent.clerk.wording import HOLD_ON, TRANSFER

Step = Call | Question | Statement


def next_step(dialogue: Dialogue, policy: str, skills: DomainSkills) -> Call | Answer:
    """Return what to do next, given the dialogue and the policy's text.

    The outcome is not recorded here but when the resulting messages are folded.
    """
    if dialogue.records.transferred and not dialogue.open_tasks:
        told = dialogue.has_told(TRANSFER)
        return Answer(HOLD_ON if told else tell_transfer(dialogue.records.transfer_summary))
    unknown = skills.identify(dialogue)
    if unknown is not None:
        return unknown
    if dialogue.asked_to_wait:
        return Answer("Of course, take your time. Just tell me when I should go on.")
    return _Turn(dialogue, policy, skills).serve()


@dataclass
class _Turn:
    """One answer in the making."""

    dialogue: Dialogue
    policy: str
    skills: DomainSkills
    queue: list[Task] = field(default_factory=list)
    """The open tasks that are not served yet, in order."""

    told: list[tuple[Task, str]] = field(default_factory=list)
    """The tasks that the answer settles, with their outcomes."""

    statements: list[tuple[Task, Statement]] = field(default_factory=list)
    """Those that were settled in their turn, with the words for it."""

    @cached_property
    def facts(self) -> TalkFacts:
        """What questions can be answered from."""
        return TalkFacts(self.dialogue, self.skills, self.policy, self._report)

    def serve(self) -> Call | Answer:
        """Work through the open tasks in order, up to the first call or question."""
        dialogue, offers = self.dialogue, self.dialogue.offers
        self.queue = self._open_tasks()
        parts = self._tell_declined()
        last: Question | Statement | None = None
        forbidden: Call | None = None
        while self.queue and not isinstance(last, Question):
            task = self.queue.pop(0)
            step = self._step_now(task)
            if isinstance(step, Question) and leads_away(task, step, self.queue, dialogue):
                step = Statement(self.facts.answer(task.text) or tell_lost([task.text]), "answered")
            if isinstance(step, Call):
                return step if step.task is None else self._propose(step)
            forbidden = forbidden or step.forbidden
            if isinstance(step, Question) and is_worn_out(step, dialogue, self.told):
                step = Statement("I'll leave that as it is for now.", "dropped")
            if isinstance(step, Question):
                if task.other_intents and step.slot not in {"intent", "transfer"}:
                    step = with_others(step, task, offers)
                parts += [step.lead, word_question(step, dialogue, self.told), step.tail]
            else:
                quiet = says_nothing(task, dialogue) and bool(self.queue or any(parts))
                parts.append("" if quiet else word_statement(step, dialogue))
                in_own_words = parts[-1] == step.text
                self.told.append((task, step.outcome))
                self.statements.append((task, step))
                if step.outcome == "refused":
                    self.queue[:0] = task.fallbacks()
                if in_own_words and not self.queue and may_mean_another(task, step, dialogue):
                    step = offer_others(task, offers, step.focus)
                    parts.append(step.text)
            last = step
        ask = last if isinstance(last, Question) else None
        if ask is None and not (isinstance(last, Statement) and last.asks):
            parts = close_answer(dialogue, parts)
        text = as_text([*self.facts.about_reading(answers=bool(self.told or ask)), *parts])
        return Answer(text, tuple(self.told), ask, forbidden, last.focus if last else "")

    def _propose(self, call: Call) -> Call:
        """A change, with the questions that its card answers, and what is told before the card.

        That is what was done before, and all that is answered or refused beside it: perhaps the one
        is not wanted without the other. What it takes to know that is looked up first.
        """
        settled = [*self.statements]
        for each in self.queue:
            step = self._step_now(each)
            if isinstance(step, Call) and step.task is None:
                return step
            settled += [(each, step)] if isinstance(step, Statement) else []
        answers = questions_about_change(self.told, self.queue, self.dialogue)
        settled = [each for each in settled if is_settled(*each, call, self.dialogue)]
        told = [each for each in settled if not any(each[0] is other for other in answers)]
        news = (pair for pair in told if not says_nothing(pair[0], self.dialogue))
        said = [self.facts.tell_before(call, each.text, step) for each, step in news]
        known = [(each, self.facts.tell_before(call, each.text)) for each in answers]
        said += [text for _, text in known]
        return replace(
            call,
            answers=tuple(each for each, text in known if not text),
            text=as_text([*self.facts.about_reading(answers=True), *said]),
            told=(
                *((each, step.outcome) for each, step in told),
                *((each, "answered") for each, text in known if text),
            ),
        )

    def _open_tasks(self) -> list[Task]:
        """The open tasks in the order in which they are served.

        If one asks for a human and its message requests nothing else, it is the only one.
        """
        tasks = self.dialogue.open_tasks
        human = next((each for each in tasks if each.intent == "human"), None)
        beside = (each for each in tasks if human is not None and each.message == human.message)
        if human is not None and all(each is human for each in beside):
            return [human]
        return sorted(tasks, key=self._rank)

    def _rank(self, task: Task) -> float:
        """The rank of a task among the open ones; what is only to be told comes before changes."""
        told = is_beside(task, self.dialogue)
        return 0 if told else self.skills.priority(task, self.dialogue.open_tasks)

    def _tell_declined(self) -> list[str]:
        """The answer to the questions about a change that was declined, which are then told."""
        dialogue = self.dialogue
        call, asked = (
            dialogue.declined_call,
            questions_about_change(self.told, self.queue, dialogue),
        )
        if call is None or not asked or dialogue.speaks_of_another_change:
            return []
        text = self.skills.tell_change(call, dialogue)
        if not text:
            return []
        self.told += ((each, "answered") for each in asked)
        self.queue = [each for each in self.queue if not any(each is other for other in asked)]
        return [text]

    def _step_now(self, task: Task) -> Step:
        """The next step for a task, in view of what was declined and of what else is open."""
        step = self._step_for(task)
        if not isinstance(step, Call):
            return step
        if step.key in self.dialogue.declined_calls and not is_wanted_after_all(
            self.dialogue, task
        ):
            told = self.skills.tell_change(step, self.dialogue)
            return ask_to_revise(self.dialogue, task, unchanged=told)
        return self.skills.find_conflict(step, self.queue, self.dialogue) or step

    def _step_for(self, task: Task) -> Step:
        """The next step for one task, which may have a declined or failed proposal."""
        if task.wait == "revise" and task.intent is not None:
            return ask_to_revise(self.dialogue, task)
        if task.wait.startswith("Error"):
            why = task.wait.removeprefix("Error: ")[:200]
            return Statement(f"That was not possible: {why}.", "refused")
        step = self._try(task)
        if self.dialogue.records.learned.is_available:
            step = adjust_to_lessons(step, task, self.dialogue, partial(self._try, task))
        if isinstance(step, Call) and step.name in self.skills.writes:
            if task.condition:
                told = self.skills.tell_change(step, self.dialogue)
                return ask_despite_condition(task, self.dialogue.offers, told)
            if comes_late(task, self.dialogue):
                return ask_if_meant(task, self.dialogue.offers)
        if isinstance(step, Statement) and task.give_up and step.outcome == "refused":
            return Statement(f"{step.text} As you asked, I've left it as it is.", "dropped")
        return step

    def _try(self, task: Task) -> Step:
        try:
            step = self._settle(task)
        except Settled as settled:
            step = settled.step
        last = self.dialogue.last
        just_asked = last is not None and task.message == last.text
        if task.what_if and just_asked and isinstance(step, Question):
            rule = self.skills.rules.find(task.text, self.policy, RULE_SURELY)
            return replace(step, lead=f"{rule}\n\n{step.lead}".strip())
        return step

    def _settle(self, task: Task) -> Step:
        dialogue, skills = self.dialogue, self.skills
        if is_beside(task, dialogue) or task.chosen.get("doubt"):
            return self.facts.step_in_words(task)
        if task.chosen.get("transfer") or task.intent in BEYOND:
            return self._step_beyond_tools(task)
        if task.intent is None:
            return self._settle_unclear(task)
        if task.what_if:
            step = self._answer(task, skills.answer_hypothetical)
            return Statement("", "dropped") if is_overtaken(task, step, dialogue) else step
        if task.intent in skills.skills:
            skill, changes = skills.skills[task.intent], dialogue.changes_records(task)
            return skill(task, dialogue, self.policy) if changes else self._answer(task, skill)
        if task.intent == "state_check":
            text = tell_done(task, dialogue, self._report, [each for each, _ in self.told])
            step = Statement(text, "answered")
            return self.facts.improve(task, step)
        if task.intent == NOTHING:
            return Statement(acknowledge(task, dialogue), "answered")
        if task.intent in {"greeting", "about_clerk"}:
            who = "I'm the built-in clerk, a computer program."
            return Statement(f"{who} {skills.capabilities_text}", "answered")
        return Statement(skills.fixed_refusals.get(task.intent, "All right."), "refused")

    def _answer(self, task: Task, skill: Skill) -> Step:
        """The step for a question: what a skill says or asks, or the facts that answer it."""
        try:
            step = skill(task, self.dialogue, self.policy)
        except Settled as settled:
            step = settled.step
        return self.facts.improve(task, step)

    def _settle_unclear(self, task: Task) -> Step:
        """The step for words of unknown meaning: an answer if they ask, or else an offer."""
        dialogue = self.dialogue
        told = self.facts.answer(task.text)
        if told or is_served_beside(task, self.told, dialogue):
            return Statement(told or ask_to_rephrase(task), "answered")
        focus = task.chosen.get("focus", "")
        return replace(offer(task, dialogue.offers), lead=dialogue.offer_lead(task), focus=focus)

    def _report(self, task: Task) -> str:
        """What was told when a task was done or refused; empty if it is neither yet."""
        step = self._try(task)
        told = isinstance(step, Statement) and step.outcome in {"done", "refused"}
        return step.text if told else ""

    def _step_beyond_tools(self, task: Task) -> Step:
        """The step for what no tool can serve, unless it asks what a fact tells.

        Who is refused a human agent is refused all that the same message wants of one.
        """
        offered = self.dialogue.records.transferred or self.dialogue.has_offered_human
        asks = task.intent == "other" and "transfer" not in task.chosen and not offered
        if asks and (told := self.facts.answer(task.text)):
            return Statement(told, "answered")
        step = step_beyond_tools(task, self.dialogue, self.skills.capabilities_text)
        if isinstance(step, Statement) and step.text == NO_HUMAN:
            own = [e for e in self.queue if e.intent in BEYOND and e.message == task.message]
            self.queue = [each for each in self.queue if each not in own]
            self.told += ((each, "refused") for each in own)
        return step
