"""Mistakes that the clerk makes on request, to show what catches them.

They come from the papers' lists of failures. A mistake is made wherever it is possible, until it
has been put right: once the customer has declined such a change or has returned to what was left
out, or the tool itself has refused it, the clerk takes that step as it would without the mistake. A
mistake against the policy also gives way to a reminder that says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.clerk.deciding.next_step import next_step
from agent.clerk.domain_skills import DomainSkills, Mistake, Step
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.messages import NOTE, REMINDER, text_of
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Answer, Call, Question
from agent.clerk.state.task import Task
from agent.models.protocol import Message
from sessions.statistics.consenting import says_yes

MISTAKES: dict[str, str] = {
    "wrong-item": "changes to another available variant, or changes another item",
    "wrong-scope": "takes a whole order for one item, or leaves out an item or a passenger",
    "same-item": "exchanges an item for an identical one",
    "wrong-payment": "uses another of the customer's payment methods",
    "wrong-flight": "uses another bookable flight in a booking or a change",
    "wrong-reservation": "changes or cancels another of the customer's reservations",
    "wrong-cabin": "books or changes to a cabin other than the one requested",
    "wrong-order": "makes the last of several changes, or payments, first",
    "extra-bag": "adds a bag that nobody asked for, and charges for it",
    "lost-fallback": "forgets what the customer said to do if something is not possible",
    "ungranted-compensation": "sends a certificate to anyone who complains",
    "before-identity": "cancels what the customer named before they are identified",
    "asks-in-words": "asks in words for the consent that the card asks for, and waits for it",
    "asks-again": "asks again for a consent it already had, and repeats the change on the yes",
    "repeats-change": "repeats a change that the customer agreed to and that was already made",
    "skips-last-request": "forgets the last of several requests",
    "forgets-policy": "attempts what the policy forbids but the tools allow",
}
"""What each mistake does, by name; a mistake that a domain does not know changes nothing."""

AGAIN = "Just to be sure: shall I go ahead with that change? Please answer yes or no."
"""The question about a change that was already agreed to and made."""

AGAINST_POLICY = frozenset({"same-item", "ungranted-compensation"})
"""Mistakes that give way to a reminder in which a check fails."""

_FAILS = "\n✗ "
"""How a reminder begins the line of a failed check."""


def spoiled(argument: str, spoil: Callable[[Call, Any], Mapping[str, Any]]) -> Mistake:
    """A mistake in calls with a certain argument: ``spoil`` gives the arguments to replace."""

    def mistake(step: Step, dialogue: Any) -> Step:
        if not isinstance(step, Call) or argument not in step.arguments:
            return step
        return change(step, **spoil(step, dialogue))

    return mistake


def too_early(intent: str, tool: str, named: Callable[[str], Sequence[Json]]) -> Mistake:
    """A cancellation, before the customer is identified, of what they name.

    ``named`` gives the arguments for each record that the words of a task of the intent name.
    """

    def mistake(step: Step, dialogue: Any) -> Step:
        tasks = [each for each in dialogue.open_tasks if each.intent == intent]
        found = [told for each in tasks for told in named(each.all_words)]
        due = dialogue.records.user is None and isinstance(step, Answer) and not dialogue.changes
        return Call(tool, found[0]) if due and found else step

    return mistake


def change(step: Call, **arguments: Any) -> Call:
    """A call with other values for some arguments."""
    return replace(step, arguments={**step.arguments, **arguments})


def make_mistake(
    mistake: str, step: Step, dialogue: Dialogue, messages: list[Message], skills: DomainSkills
) -> Step:
    """The step with the named mistake in it, or unchanged if it offers no opportunity."""
    turn = _Turn(step, dialogue, messages, skills)
    if mistake in AGAINST_POLICY and _FAILS in turn.reminder:
        return step
    wrong = skills.mistakes[mistake](step, dialogue) if mistake in skills.mistakes else step
    if wrong == step and mistake in _SHARED:
        wrong = _SHARED[mistake](turn)
    return step if _is_put_right(wrong, step, dialogue) else wrong


def _is_put_right(spoiled: Step, step: Step, dialogue: Dialogue) -> bool:
    """Whether the customer or the tool has already put the mistake right.

    A goodbye does not count.
    """
    if isinstance(spoiled, Answer):
        return dialogue.spoke_out_of_turn and not dialogue.farewell
    names = {each.name for each in (spoiled, step) if isinstance(each, Call)}
    return bool(names & dialogue.rejected_tools)


@dataclass(frozen=True)
class _Turn:
    """A step that is due, with all that a mistake in it may depend on."""

    step: Step
    dialogue: Dialogue
    messages: list[Message]
    skills: DomainSkills

    @property
    def writes(self) -> bool:
        """Whether the step is a change."""
        return isinstance(self.step, Call) and self.step.name in self.skills.writes

    @property
    def reminder(self) -> str:
        """The reminder after the last words of the customer or the assistant, or empty."""
        for message in reversed(self.messages):
            text = text_of(message)
            if text.startswith(REMINDER):
                return text
            if message.get("role") in {"user", "assistant"}:
                break
        return ""

    def step_for(self, tasks: list[Task]) -> Step:
        """The step that would be due if these were the tasks."""
        return next_step(replace(self.dialogue, tasks=tasks), "", self.skills)

    def forget_policy(self) -> Step:
        """The call that the customer asked for and the policy forbids."""
        forbidden = self.step.forbidden if isinstance(self.step, Answer) else None
        return self.step if self.reminder else forbidden or self.step

    def skip_last_request(self) -> Step:
        """The step taken as if the last of several requests made together had not been made."""
        tasks = self.dialogue.tasks
        skips = len(tasks) - self.dialogue.batch > 1 and not tasks[-1].closed
        return self.step_for(tasks[:-1]) if skips else self.step

    def make_last_first(self) -> Step:
        """The step for the last of several requested changes."""
        acts = [e for e in self.dialogue.open_tasks if self.dialogue.changes_records(e)]
        if not self.writes or not isinstance(self.step, Call) or len(acts) < 2:
            return self.step
        again = self.step_for([each for each in acts if each is not self.step.task][-1:])
        return again if isinstance(again, Call) else again.forbidden or self.step

    def forget_fallback(self) -> Step:
        """Something other than the fallback that the customer gave for an impossible request."""
        tasks = self.dialogue.open_tasks
        plain = [replace(each, alternatives=[], fallback_tasks=[]) for each in tasks]
        forgotten = self.step_for(plain)
        same = isinstance(forgotten, Call) and forgotten.key == getattr(self.step, "key", "")
        if not self.writes or same:
            return self.step
        spoils = (self.skills.mistakes.get(each) for each in ("wrong-item", "wrong-payment"))
        wrong = (spoil(self.step, self.dialogue) for spoil in spoils if spoil is not None)
        return next((each for each in wrong if each != self.step), forgotten)

    def ask_in_words(self) -> Step:
        """A question in words whether to make the change, instead of the call."""
        if not isinstance(self.step, Call) or not self.writes:
            return self.step
        text = "Before I go on: shall I go ahead with that? Please answer yes or no."
        return Answer(text, (), Question(text, "revise", self.step.task))

    def repeat_change(self) -> Step:
        """The last change for a second time, but not for a third."""
        return self.step if isinstance(self.step, Call) else self.last_change or self.step

    def ask_again(self) -> Step:
        """Ask for a yes to each change that was made, and make the change again on that yes."""
        step, dialogue, again = self.step, self.dialogue, self.last_change
        if isinstance(step, Call) or again is None:
            return step
        asked = [AGAIN in text for text in dialogue.assistant_texts]
        said = (text_of(each) for each in reversed(self.messages) if each.get("role") == "user")
        last = next((text for text in said if not text.startswith((REMINDER, NOTE))), "")
        if any(asked[-1:]) and says_yes(last):
            return again
        changes = len({each.key for each in dialogue.changes})
        if sum(asked) >= changes or step.ask is not None or dialogue.farewell:
            return step
        return replace(step, text=f"{step.text}\n\n{AGAIN}")

    @property
    def last_change(self) -> Call | None:
        """The change made last, as a call that makes it a second time; None after that."""
        keys = [each.key for each in self.dialogue.changes]
        if not keys or keys.count(keys[-1]) > 1:
            return None
        return Call(self.dialogue.changes[-1].name, dict(self.dialogue.changes[-1].arguments))


_SHARED: Mapping[str, Callable[[_Turn], Step]] = {
    "forgets-policy": _Turn.forget_policy,
    "skips-last-request": _Turn.skip_last_request,
    "wrong-order": _Turn.make_last_first,
    "lost-fallback": _Turn.forget_fallback,
    "asks-in-words": _Turn.ask_in_words,
    "asks-again": _Turn.ask_again,
    "repeats-change": _Turn.repeat_change,
}
"""The mistakes of every domain, by name."""
