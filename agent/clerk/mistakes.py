"""Mistakes that the clerk makes on request, to show what catches them.

They come from the papers' lists of failures. A mistake is made wherever it is possible, until it
has been put right: once the customer has declined such a change or has returned to what was left
out, or the tool itself has refused it, the clerk takes that step as it would without the mistake. A
mistake against the policy also gives way to a reminder that says so.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agent.clerk.deciding.next_step import next_step
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.messages import NOTE, REMINDER, text_of
from agent.clerk.state.steps import Answer, Call, Question
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


def make_mistake(
    mistake: str,
    step: Call | Answer,
    dialogue: Dialogue,
    messages: list[Message],
    skills: DomainSkills,
) -> Call | Answer:
    """The step with the named mistake in it, or unchanged if it offers no opportunity."""
    reminder = _reminder(messages)
    if mistake in AGAINST_POLICY and _FAILS in reminder:
        return step
    if mistake == "forgets-policy":
        spoiled = step if reminder else _forbidden(step)
    elif mistake == "skips-last-request":
        spoiled = _without_last_request(step, dialogue, skills)
    elif mistake == "asks-in-words":
        spoiled = _ask_in_words(step, skills)
    elif mistake == "asks-again":
        spoiled = _ask_again(step, dialogue, messages)
    elif mistake == "repeats-change":
        spoiled = _repeat_last_change(step, dialogue)
    else:
        spoil = skills.mistakes.get(mistake)
        spoiled = spoil(step, dialogue, partial(next_step, skills=skills)) if spoil else step
    return step if _is_put_right(spoiled, step, dialogue) else spoiled


def _is_put_right(spoiled: Call | Answer, step: Call | Answer, dialogue: Dialogue) -> bool:
    """Whether the customer or the tool has already put the mistake right.

    A goodbye does not count.
    """
    if isinstance(spoiled, Answer):
        return dialogue.spoke_out_of_turn and not dialogue.farewell
    names = {each.name for each in (spoiled, step) if isinstance(each, Call)}
    return bool(names & dialogue.rejected_tools)


def _reminder(messages: list[Message]) -> str:
    """The reminder after the last words of the customer or the assistant, or an empty string."""
    for message in reversed(messages):
        text = text_of(message)
        if text.startswith(REMINDER):
            return text
        if message.get("role") in {"user", "assistant"}:
            break
    return ""


def _forbidden(step: Call | Answer) -> Call | Answer:
    """The call that the customer asked for and the policy forbids, or the step if there is none."""
    return step.forbidden if isinstance(step, Answer) and step.forbidden else step


def _without_last_request(
    step: Call | Answer, dialogue: Dialogue, skills: DomainSkills
) -> Call | Answer:
    """The step taken as if the last of several requests made together had not been made."""
    if len(dialogue.tasks) - dialogue.batch < 2 or dialogue.tasks[-1].closed:
        return step
    shorter = replace(dialogue, tasks=dialogue.tasks[:-1])
    return next_step(shorter, "", skills)


def _ask_in_words(step: Call | Answer, skills: DomainSkills) -> Call | Answer:
    """A question in words whether to make the change, instead of the call."""
    if not isinstance(step, Call) or step.name not in skills.writes:
        return step
    text = "Before I go on: shall I go ahead with that? Please answer yes or no."
    return Answer(text, (), Question(text, "revise", step.task))


def _repeat_last_change(step: Call | Answer, dialogue: Dialogue) -> Call | Answer:
    """The last change for a second time, but not for a third."""
    return step if isinstance(step, Call) else _last_change(dialogue) or step


def _ask_again(step: Call | Answer, dialogue: Dialogue, messages: list[Message]) -> Call | Answer:
    """Ask for a yes to each change that was made, and make the change again on that yes."""
    again = _last_change(dialogue)
    if isinstance(step, Call) or again is None:
        return step
    asked = [AGAIN in text for text in dialogue.assistant_texts]
    if any(asked[-1:]) and says_yes(_last_words(messages)):
        return again
    changes = len({each.key for each in dialogue.changes})
    if sum(asked) >= changes or step.ask is not None or dialogue.farewell:
        return step
    return replace(step, text=f"{step.text}\n\n{AGAIN}")


def _last_change(dialogue: Dialogue) -> Call | None:
    """The change made last, as a call that makes it a second time; None after that."""
    keys = [each.key for each in dialogue.changes]
    if not keys or keys.count(keys[-1]) > 1:
        return None
    return Call(dialogue.changes[-1].name, dict(dialogue.changes[-1].arguments))


def _last_words(messages: list[Message]) -> str:
    """The customer's last message, or an empty string."""
    said = (text_of(each) for each in reversed(messages) if each.get("role") == "user")
    return next((text for text in said if not text.startswith((REMINDER, NOTE))), "")
