"""Mistakes that the clerk makes when it is told to, so that it shows what catches them.

They are those of the papers' lists of failures. A mistake is made where it can be, and yields:
once the customer has sent such a change back, or has come back to what was left out, and once the
tool itself has refused it, the clerk takes that step as it would have without the mistake. What is
against the policy also yields to a reminder that says so.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agent.clerk.deciding.serving import next_step
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.messages import NOTE, REMINDER, text_of
from agent.clerk.state.steps import Answer, Ask, Call
from agent.clerk.trade import Trade
from agent.models.protocol import Message
from sessions.statistics.consenting import says_yes

MISTAKES: dict[str, str] = {
    "wrong-item": "puts another available variant, or another item, into the change",
    "wrong-scope": "takes a whole order for one item, or leaves out an item or a passenger",
    "same-item": "exchanges an item for the very same one",
    "wrong-payment": "uses another of the customer's payment methods",
    "wrong-flight": "puts another flight that can be booked into a booking or a change",
    "wrong-reservation": "changes or cancels another of the customer's reservations",
    "wrong-cabin": "books or changes into another cabin than was asked for",
    "wrong-order": "takes the last of several changes, or payments, first",
    "extra-bag": "adds a bag that nobody asked for, and charges for it",
    "lost-fallback": "forgets what the customer said to do where something is not possible",
    "ungranted-compensation": "sends a certificate to whoever complains",
    "before-identity": "cancels what was named before anybody knows who is asking",
    "asks-in-words": "asks in words for a consent that the card asks for, and waits for it",
    "asks-again": "asks again for a consent that it had, and makes the change again on the yes",
    "repeats-change": "makes a change once more that the customer agreed to and that was made",
    "skips-last-request": "forgets the last of several requests",
    "forgets-policy": "tries what the policy forbids but the tools would do",
}
"""Names of the mistakes and what each does; one that a trade does not know changes nothing."""

AGAIN = "Just to be sure: shall I go ahead with that change? Please answer with yes or no."
"""What is asked about a change that was agreed to and made."""

AGAINST_POLICY = frozenset({"same-item", "ungranted-compensation"})
"""Mistakes that yield to a reminder by which a check fails."""

_FAILS = "\n✗ "
"""How a reminder begins the line of a check that does not hold."""


def make_mistake(
    mistake: str, step: Call | Answer, talk: Dialogue, messages: list[Message], trade: Trade
) -> Call | Answer:
    """The step with the named mistake in it, where it offers an opportunity."""
    reminder = _reminder(messages)
    if mistake in AGAINST_POLICY and _FAILS in reminder:
        return step
    if mistake == "forgets-policy":
        spoiled = step if reminder else _forbidden(step)
    elif mistake == "skips-last-request":
        spoiled = _skipping(step, talk, trade)
    elif mistake == "asks-in-words":
        spoiled = _asking(step, trade)
    elif mistake == "asks-again":
        spoiled = _asking_again(step, talk, messages)
    elif mistake == "repeats-change":
        spoiled = _repeating(step, talk)
    else:
        spoil = trade.mistakes.get(mistake)
        spoiled = spoil(step, talk, partial(next_step, trade=trade)) if spoil else step
    return step if _is_put_right(spoiled, step, talk) else spoiled


def _is_put_right(spoiled: Call | Answer, step: Call | Answer, talk: Dialogue) -> bool:
    """Whether the customer or the tool has put the mistake right before.

    A goodbye puts nothing right.
    """
    if isinstance(spoiled, Answer):
        return talk.spoke_out_of_turn and not talk.farewell
    names = {each.name for each in (spoiled, step) if isinstance(each, Call)}
    return bool(names & talk.sent_back)


def _reminder(messages: list[Message]) -> str:
    """The reminder that came after the customer's last words, if one did."""
    for message in reversed(messages):
        text = text_of(message)
        if text.startswith(REMINDER):
            return text
        if message.get("role") in {"user", "assistant"}:
            break
    return ""


def _forbidden(step: Call | Answer) -> Call | Answer:
    """Tries what the customer asked for though the policy forbids it."""
    return step.forbidden if isinstance(step, Answer) and step.forbidden else step


def _skipping(step: Call | Answer, talk: Dialogue, trade: Trade) -> Call | Answer:
    """Drops the last of the requests that were made together."""
    if len(talk.requests) - talk.batch < 2 or talk.requests[-1].closed:
        return step
    shorter = replace(talk, requests=talk.requests[:-1])
    return next_step(shorter, "", trade)


def _asking(step: Call | Answer, trade: Trade) -> Call | Answer:
    """Asks in words whether to make the change."""
    if not isinstance(step, Call) or step.name not in trade.writes:
        return step
    text = "Before I go on: shall I go ahead with that? Please answer with yes or no."
    return Answer(text, (), Ask(text, "revise", step.request))


def _repeating(step: Call | Answer, talk: Dialogue) -> Call | Answer:
    """Makes the last change a second time, and not a third."""
    return step if isinstance(step, Call) else _last_change(talk) or step


def _asking_again(step: Call | Answer, talk: Dialogue, messages: list[Message]) -> Call | Answer:
    """Asks for a yes to each change that was made, and takes it for a yes to one more."""
    again = _last_change(talk)
    if isinstance(step, Call) or again is None:
        return step
    asked = [AGAIN in text for text in talk.spoken]
    if any(asked[-1:]) and says_yes(_last_words(messages)):
        return again
    changes = len({each.key for each in talk.changes})
    if sum(asked) >= changes or step.ask is not None or talk.farewell:
        return step
    return replace(step, text=f"{step.text}\n\n{AGAIN}")


def _last_change(talk: Dialogue) -> Call | None:
    """The change that was made last, to be made a second time; None after that."""
    keys = [each.key for each in talk.changes]
    if not keys or keys.count(keys[-1]) > 1:
        return None
    return Call(talk.changes[-1].name, dict(talk.changes[-1].arguments))


def _last_words(messages: list[Message]) -> str:
    """What the customer said last."""
    said = (text_of(each) for each in reversed(messages) if each.get("role") == "user")
    return next((text for text in said if not text.startswith((REMINDER, NOTE))), "")
