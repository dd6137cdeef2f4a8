"""Builds numbered offers of what a customer's words may have meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.clerk.state.records import HAND_OVER
from agent.clerk.state.steps import Call, Choice, Question
from agent.clerk.state.task import Task
from agent.clerk.wording import TRANSFER, number_lines, quote

NONE = "none of these"
OFFER = "offer:"
"""The prefix of a choice's value that is an intent, among choices of another kind."""

CONDITION = "condition"
"""The slot of the question whether to make a change regardless of its condition."""

AFTER_ALL = "Shall I make that change after all, or leave it?"
"""The question when something was only asked about a change that was declined."""

MOST = 5
"""How many choices are offered at once."""

_BRIEF = 5
"""How many words of what cannot be done tell what it is; the clauses after them are not quoted."""

_ASKED = "The customer's request:"
PAGES = 2
"""How many pages of intents are offered before the clerk offers to stop or to transfer."""


def ask_to_pick(
    text: str, slot: str, task: Task, choices: Sequence[Choice], focus: str = ""
) -> Question:
    """A question with its choices numbered below it, at most ``MOST`` of them."""
    lines = number_lines((each.words for each in choices), MOST)
    return Question(f"{text}\n\n{lines}", slot, task, choices=tuple(choices[:MOST]), focus=focus)


def offer(task: Task, words: Mapping[str, str]) -> Question:
    """A question that offers the intents that a task's words may have meant."""
    page = int(task.chosen.get("page", "0"))
    if page >= PAGES:
        return ask_beyond(task, "I'm sorry, I still don't follow")
    names = task.intents_to_offer(words)
    choices = [*(Choice(each, words[each]) for each in names), Choice("", NONE)]
    text = f"I'm not sure what you mean by {quote(task.text)}. Would you like to"
    return ask_to_pick(text, "intent", task, choices)


def ask_to_rephrase(task: Task) -> str:
    """The sentence about words that were not understood beside others that were."""
    return f"If {quote(task.text)} meant anything more, please put it another way."


def offer_others(task: Task, words: Mapping[str, str], focus: str) -> Question:
    """A question that offers what the words may have meant instead of what was answered."""
    other = Task(
        None, task.text, task.guesses, message=task.message, other_intents=[*task.other_intents]
    )
    other.chosen["or"] = "yes"
    choices = [Choice(each, words[each]) for each in task.other_intents]
    text = "If that is not what you meant, would you like to"
    return ask_to_pick(text, "intent", other, choices, focus)


def with_others(question: Question, task: Task, words: Mapping[str, str]) -> Question:
    """The question with choices appended for what the words may have meant instead."""
    more = [Choice(f"{OFFER}{each}", words[each]) for each in task.other_intents]
    more = more[: max(0, MOST - len(question.choices))]
    if not more:
        return question
    lines = number_lines((each.words for each in more), first=len(question.choices) + 1)
    tail = f"Or, if I misunderstood you, would you like to\n\n{lines}"
    return replace(question, tail=tail, choices=(*question.choices, *more))


def ask_beyond(task: Task, lead: str = "I can't do that myself") -> Question:
    """A question whether to transfer the customer or to leave what no tool can do."""
    choices = (Choice("human", "talk to a human agent"), Choice("leave", "leave it"))
    text = f"{lead}: {quote_briefly(task)}. Would you like to"
    return ask_to_pick(text, "transfer", task, choices)


def quote_briefly(task: Task) -> str:
    """The words that tell what a task wants, without the clauses after them."""
    parts = task.text.split(",")
    known = (",".join(parts[: n + 1]) for n in range(len(parts)))
    return quote(next((each for each in known if len(each.split()) >= _BRIEF), task.text))


def ask_despite_condition(task: Task, words: Mapping[str, str], told: str = "") -> Question:
    """A question whether to make a change although its condition cannot be checked.

    ``told`` is what the change would do, by which the customer can tell whether it is met.
    """
    act = words.get(str(task.intent), "go on")
    choices = (Choice("go", f"{act} now in any case"), Choice("leave", "leave it for now"))
    text = f"I have no way to check {quote(task.condition)}. Would you like to"
    if told:
        text = f"You said {quote(task.condition)}. Would you like to"
    return replace(ask_to_pick(text, CONDITION, task, choices), lead=told)


def ask_if_meant(task: Task, words: Mapping[str, str]) -> Question:
    """A question whether a change is wanted that was perhaps meant by an earlier message."""
    act = words.get(str(task.intent), "go on")
    choices = (Choice("go", act), Choice("leave", "leave it"))
    return ask_to_pick(
        f"You also wrote {quote(task.text)}. Would you like to", CONDITION, task, choices
    )


def hand_over(task: Task, words: str) -> Call:
    """The call that transfers the customer to a human agent."""
    return Call(HAND_OVER, {"summary": f"{_ASKED} {words.strip()[:300]}"}, task)


def tell_transfer(summary: str) -> str:
    """What is said with a transfer: its reason, unless that is what the customer asked for."""
    return TRANSFER if summary.startswith(_ASKED) else f"{summary}\n\n{TRANSFER}".strip()
