"""Works through the open tasks in order, up to the next call or question, in any domain."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agent.clerk.deciding.about_change import answer_about_declined, with_answers
from agent.clerk.deciding.done_so_far import tell_done
from agent.clerk.deciding.offers import (
    AFTER_ALL,
    SAME_AGAIN,
    ask_beyond,
    ask_despite_condition,
    hand_over,
    offer,
    offer_others,
    tell_transfer,
    with_others,
)
from agent.clerk.deciding.phrasing import (
    about_reading,
    as_text,
    close_answer,
    is_worn_out,
    word_question,
    word_statement,
)
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.lessons.adjusting import adjust_to_lessons
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Answer, Call, Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.tracking.task_creation import NOTHING
from agent.clerk.understanding.encoder import knows_word
from agent.clerk.understanding.parsed_message import CERTAIN
from agent.clerk.wording import REVISE, join_parts

_TAKE_YOUR_TIME = "Of course, take your time. Just tell me when I should go on."
_DOUBTFUL = frozenset({"answered", "refused"})
AGAIN = 0.7
"""How likely a wish must be to bring back a card that was declined."""

BEYOND = frozenset({"human", "other"})


def next_step(dialogue: Dialogue, policy: str, skills: DomainSkills) -> Call | Answer:
    """Return what to do next, given the dialogue and the policy's text.

    The outcome is not recorded here but when the resulting messages are folded.
    """
    if dialogue.records.transferred and not dialogue.open_tasks:
        return Answer(tell_transfer(dialogue.records.transfer_summary))
    unknown = skills.identify(dialogue)
    if unknown is None and dialogue.asked_to_wait:
        return Answer(_TAKE_YOUR_TIME)
    return unknown if unknown is not None else _serve(dialogue, policy, skills)


def step_for(
    task: Task, dialogue: Dialogue, policy: str, skills: DomainSkills
) -> Call | Question | Statement:
    """The next step for one task, which may have a declined or failed proposal."""
    if task.wait == "revise" and task.intent is not None:
        return _ask_to_revise(task, dialogue)
    if task.wait.startswith("Error"):
        why = task.wait.removeprefix("Error: ")[:200]
        return Statement(f"That was not possible: {why}.", "refused")
    step = _try(task, dialogue, policy, skills)
    if dialogue.records.learned.is_available:
        step = adjust_to_lessons(
            step, task, dialogue, partial(_try, task, dialogue, policy, skills)
        )
    if isinstance(step, Call) and step.name in skills.writes and task.condition:
        return ask_despite_condition(task, dialogue.offers)
    if isinstance(step, Statement) and task.give_up and step.outcome == "refused":
        return Statement(f"{step.text} As you asked, I've left it as it is.", "dropped")
    return step


def _try(
    task: Task, dialogue: Dialogue, policy: str, skills: DomainSkills
) -> Call | Question | Statement:
    try:
        step = _settle(task, dialogue, policy, skills)
    except Settled as settled:
        step = settled.step
    just_asked = dialogue.last is not None and task.message == dialogue.last.text
    if task.what_if and just_asked and isinstance(step, Question):
        return replace(step, lead=f"{skills.rules.find(task.text, policy)}\n\n{step.lead}".strip())
    return step


def _settle(
    task: Task, dialogue: Dialogue, policy: str, skills: DomainSkills
) -> Call | Question | Statement:
    if task.chosen.get("transfer") or task.intent in BEYOND:
        return _step_beyond_tools(task, dialogue, skills)
    if task.intent is None:
        lead = dialogue.offer_lead(task)
        return replace(offer(task, dialogue.offers), lead=lead, focus=task.chosen.get("focus", ""))
    if task.what_if:
        return skills.answer_hypothetical(task, dialogue, policy)
    if task.intent in skills.skills:
        return skills.skills[task.intent](task, dialogue, policy)
    if task.intent == "state_check":
        report = partial(_report, dialogue=dialogue, policy=policy, skills=skills)
        return Statement(tell_done(dialogue, report), "answered")
    if task.intent == NOTHING:
        return Statement(_acknowledgement(task, dialogue), "answered")
    if task.intent in {"greeting", "about_clerk"}:
        return Statement(
            f"I'm the built-in clerk, a computer program. {skills.capabilities_text}", "answered"
        )
    return Statement(skills.fixed_refusals.get(task.intent, "All right."), "refused")


def _report(task: Task, dialogue: Dialogue, policy: str, skills: DomainSkills) -> str:
    """What was told when a task was done; empty if it is not done yet."""
    step = _try(task, dialogue, policy, skills)
    return step.text if isinstance(step, Statement) and step.outcome == "done" else ""


def _acknowledgement(task: Task, dialogue: Dialogue) -> str:
    """The sentence which says that something is left as it is, naming it if it was named."""
    if "late" in task.chosen:
        return (
            "That has already been done and can't simply be undone. Tell me if something about it "
            "should be different."
        )
    kept = dialogue.kept_things(task.text)
    if kept:
        stays = "stays as it is" if len(kept) == 1 else "stay as they are"
        return f"All right, {join_parts(kept)} {stays}."
    if task.chosen.get("denied") == "":
        return "All right, that stays as it is."
    if "denied" in task.chosen and task.chosen["denied"] in dialogue.offers:
        act = dialogue.offers[task.chosen["denied"]]
        return f"All right, you don't want to {act}; I'll leave that."
    beside = "rest" in task.chosen or any(each.written for each in dialogue.tasks)
    return f"All right, I'll leave {'the rest' if beside else 'everything'} as it is."


def _step_beyond_tools(
    task: Task, dialogue: Dialogue, skills: DomainSkills
) -> Call | Question | Statement:
    """The step for a request that no tool can serve: a transfer to a human, or a question first."""
    if dialogue.records.transferred:
        return Statement(tell_transfer(dialogue.records.transfer_summary), "done")
    if task.chosen.get("transfer") == "leave":
        return Statement("All right, I'll leave it.", "dropped")
    stuck = bool(dialogue.assistant_texts) and "human agent?" in dialogue.assistant_texts[-1]
    earlier = [each for each in dialogue.tasks if each is not task]
    refused = any(each.outcome == "refused" for each in earlier)
    lost = [each for each in earlier if each.intent in {*BEYOND, None}]  # not served, or unclear
    failed = refused or bool(lost)
    said = " / ".join(each.text for each in [*lost, task])
    if refused and task.intent == "human" and not dialogue.transfers_after_refusal:
        text = (
            "I understand, but a human agent couldn't do more about that than I can. Is there "
            "something else I can help with?"
        )
        return Statement(text, "answered", asks=True)
    lost_patience = dialogue.repeated_question or dialogue.rejections > 1
    insists = task.intent == "human" and (failed or stuck or lost_patience)
    if task.chosen.get("transfer") or insists:
        return hand_over(task, said)
    if task.intent == "human":
        text = (
            f"{skills.capabilities_text} What is it about? If it's something else, or if you'd "
            "still rather have a human agent, say so and I'll transfer you."
        )
        return Statement(text, "answered", asks=True)
    return ask_beyond(task)


def _is_wanted_after_all(task: Task, dialogue: Dialogue) -> bool:
    """Whether a declined call is wanted after all.

    That is so if it follows from a question asked since, or if it was explicitly requested again.
    """
    if dialogue.declined or dialogue.last is None:
        return False
    wishes = [e for e in dialogue.last.requests if e.modality == "meant" and not e.is_uncertain]
    family = dialogue.reader.catalog.family
    anew = [each for each in wishes if family(each.intent) == family(str(task.intent))]
    slot = dialogue.question.slot if dialogue.question is not None else ""
    least = {"": CERTAIN, "revise": AGAIN}.get(slot)
    if least is None:
        return slot != "intent"
    return any(each.probability >= least and _is_sentence(each.text) for each in anew)


def _is_sentence(text: str) -> bool:
    """Whether a text has several words, and one with a meaning of its own."""
    words = text.split()
    return len(words) > 1 and any(len(each) > 2 and knows_word(each) for each in words)


def _ask_to_revise(task: Task, dialogue: Dialogue) -> Question:
    """Ask what should be different; a declined call is not made again unchanged.

    Whoever only asked something about it is asked whether to make it after all.
    """
    if dialogue.told_detail and not (dialogue.declined or dialogue.question is None):
        return Question(SAME_AGAIN, "revise", task)
    asks = dialogue.has_new_request and not dialogue.speaks_of_another_change
    return Question(AFTER_ALL if asks else REVISE, "revise", task)


def _queue(dialogue: Dialogue, skills: DomainSkills) -> list[Task]:
    """The open tasks in the order in which they are served.

    If one asks for a human and its message requests nothing else, it is the only one.
    """
    tasks = dialogue.open_tasks
    human = next((each for each in tasks if each.intent == "human"), None)
    if human is not None and all(each.message != human.message for each in tasks if each != human):
        return [human]

    def place(task: Task) -> float:
        return -1 if "now" in task.chosen else skills.priority(task, tasks)

    return sorted(tasks, key=place)


def _serve(dialogue: Dialogue, policy: str, skills: DomainSkills) -> Call | Answer:
    """Work through the open tasks in order, up to the first call or question."""
    queue = _queue(dialogue, skills)
    told: list[tuple[Task, str]] = []
    declined = None if dialogue.speaks_of_another_change else dialogue.declined_call
    parts = answer_about_declined(declined, queue, dialogue, skills, told)
    last: Question | Statement | None = None
    forbidden: Call | None = None
    while queue and not isinstance(last, Question):
        task = queue.pop(0)
        step = _next(task, queue, dialogue, policy, skills)
        if isinstance(step, Call):
            return with_answers(step, queue, dialogue)
        forbidden = forbidden or step.forbidden
        if isinstance(step, Question) and is_worn_out(step, dialogue, told):
            step = Statement("I'll leave that as it is for now.", "dropped")
        if isinstance(step, Question):
            parts += _answers_meanwhile(queue, told, dialogue, policy, skills)
            step = with_others(step, task, dialogue.offers) if _is_doubted(task, step) else step
            parts += [
                part for part in (step.lead, word_question(step, dialogue, told), step.tail) if part
            ]
        else:
            parts.append(word_statement(step, dialogue))
            told.append((task, step.outcome))
            if step.outcome == "refused":
                queue[:0] = task.fallbacks()
            if task.other_intents and not queue and not step.asks and step.outcome in _DOUBTFUL:
                step = offer_others(task, dialogue.offers, step.focus)
                parts.append(step.text)
        last = step
    ask = last if isinstance(last, Question) else None
    if ask is None and not (isinstance(last, Statement) and last.asks):
        parts = close_answer(dialogue, parts)
    text = as_text([*about_reading(dialogue, answers=bool(told or ask)), *parts])
    return Answer(text, tuple(told), ask, forbidden, last.focus if last else "")


def _answers_meanwhile(
    queue: list[Task],
    told: list[tuple[Task, str]],
    dialogue: Dialogue,
    policy: str,
    skills: DomainSkills,
) -> list[str]:
    """What has been done so far, if a change needs an answer before it is made."""
    parts = []
    for each in [e for e in queue if e.intent == dialogue.reader.catalog.check]:
        step = step_for(each, dialogue, policy, skills)
        if isinstance(step, Statement):
            queue.remove(each)
            told.append((each, step.outcome))
            parts.append(step.text)
    return parts


def _is_doubted(task: Task, question: Question) -> bool:
    return bool(task.other_intents) and question.slot not in {"intent", "transfer"}


def _next(
    task: Task, queue: list[Task], dialogue: Dialogue, policy: str, skills: DomainSkills
) -> Call | Question | Statement:
    step = step_for(task, dialogue, policy, skills)
    if (
        isinstance(step, Call)
        and step.key in dialogue.declined_calls
        and not _is_wanted_after_all(task, dialogue)
    ):
        step = _ask_to_revise(task, dialogue)
        asked = dialogue.question is not None and dialogue.question.slot == "revise"
        if asked and dialogue.speaks_of_another_change and not dialogue.told_detail:
            step = Statement("I've left the change that you declined.", "dropped")
    if isinstance(step, Call):
        step = skills.find_conflict(step, queue, dialogue) or step
    return step
