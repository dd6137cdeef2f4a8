"""Numbered offers of what a customer's words may have asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.clerk.state.records import HAND_OVER
from agent.clerk.state.steps import Ask, Call, Choice
from agent.clerk.state.task import Task
from agent.clerk.wording import number_lines, quote

NONE = "none of these"
OFFER = "offer:"
"""How the value of a choice begins that is an intent, beside choices of another kind."""

CONDITION = "condition"
"""The slot of a question whether a change is to be made whatever comes."""

MOST = 5
"""Choices that are offered at once."""

PAGES = 2
"""Offers after which it is left, or handed over."""


def ask_to_pick(
    text: str, slot: str, task: Task, choices: Sequence[Choice], focus: str = ""
) -> Ask:
    """A question with its answers numbered below it: the first few, where there are many."""
    lines = number_lines((each.words for each in choices), MOST)
    return Ask(f"{text}\n\n{lines}", slot, task, choices=tuple(choices[:MOST]), focus=focus)


def offer(task: Task, words: Mapping[str, str]) -> Ask:
    """What the words of a task may have meant, for the customer to choose."""
    page = int(task.chosen.get("page", "0"))
    if page >= PAGES:
        return ask_beyond(task, "I'm sorry, I still don't follow")
    names = task.doubts(words)
    choices = [*(Choice(each, words[each]) for each in names), Choice("", NONE)]
    text = f"I'm not sure what you mean by {quote(task.text)}. Would you like to"
    return ask_to_pick(text, "intent", task, choices)


def offer_others(task: Task, words: Mapping[str, str], focus: str) -> Ask:
    """What the words may have meant instead of what was answered."""
    other = Task(None, task.text, task.guesses, message=task.message, others=[*task.others])
    other.chosen["or"] = "yes"
    choices = [Choice(each, words[each]) for each in task.others]
    text = "If that is not what you meant, would you like to"
    return ask_to_pick(text, "intent", other, choices, focus)


def with_others(ask: Ask, task: Task, words: Mapping[str, str]) -> Ask:
    """A question whose choices end with what the words may have meant instead."""
    more = [Choice(f"{OFFER}{each}", words[each]) for each in task.others]
    lines = number_lines((each.words for each in more), first=len(ask.choices) + 1)
    tail = f"Or, if I misunderstood you, would you like to\n\n{lines}"
    return replace(ask, tail=tail, choices=(*ask.choices, *more))


def ask_beyond(task: Task, lead: str = "I can't do that myself") -> Ask:
    """What to do about something that no tool can do."""
    choices = (Choice("human", "talk to a human agent"), Choice("leave", "leave it"))
    return ask_to_pick(f"{lead}: {quote(task.text)}. Would you like to", "transfer", task, choices)


def ask_whatever_comes(task: Task, words: Mapping[str, str]) -> Ask:
    """Whether a change is to be made though nobody here can tell whether its condition holds."""
    act = words.get(str(task.intent), "go on")
    choices = (Choice("go", f"{act} now, whatever comes"), Choice("leave", "leave it for now"))
    text = f"I have no way to check {quote(task.condition)}. Would you like to"
    return ask_to_pick(text, CONDITION, task, choices)


def hand_over(task: Task, words: str) -> Call:
    """The call that hands a customer over to a human."""
    summary = f"The customer asks: {words.strip()[:300]}"
    return Call(HAND_OVER, {"summary": summary}, task)
