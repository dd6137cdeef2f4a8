"""All that the clerk can tell at a moment, a sentence each: what questions are answered from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from agent.clerk.domain_skills import DomainSkills
from agent.clerk.questions.state_facts import (
    NOTHING_ELSE,
    SENDS_BACK,
    tell_asked,
    tell_said,
    tell_settled,
    tell_waiting,
)
from agent.clerk.questions.waiting_card import WaitingCard
from agent.clerk.state.steps import Call

_OTHERS = frozenset(
    ["other", "others", "else", "another", "rest", "both", "all", "orders", "trips", "bookings",
     "reservations", "anything"]
)  # fmt: skip
"""Words of questions about more than the record at hand."""

_NO_FEES = "I have no information on"
"""How a rule begins on what nobody here knows."""

_OF_ALL = ("This changes nothing", "Nothing was changed", "You have ", "Still pending", "Your ")
"""How facts begin that tell of more than one record."""


def facts_at_card(card: WaitingCard, skills: DomainSkills, policy: str) -> list[str]:
    """What can be told while a card waits: of its change, the records, and the rules."""
    change = facts_of_change(Call(card.tool, card.arguments), card.dialogue, skills)
    return _once(
        [
            *tell_waiting(card),
            *change,
            *skills.record_facts(card.dialogue.records),
            *without_overruled(skills.rules.answers(policy), change),
        ]
    )


def facts_of_talk(
    dialogue: Any, skills: DomainSkills, policy: str, done: Sequence[str]
) -> list[str]:
    """What can be told while no card waits; ``done`` tells of the changes that were made."""
    said = dialogue.assistant_texts[-1] if dialogue.assistant_texts else ""
    asked = dialogue.question
    if asked is not None and asked.task is not None and asked.task.closed:
        asked = None
    waiting = [
        each.text
        for each in dialogue.open_tasks
        if dialogue.changes_records(each) and not each.written
        if dialogue.last is None or each.message != dialogue.last.text  # else it is served just now
    ]
    made = [
        fact
        for each in dialogue.changes
        for fact in _as_far_as_known(skills.change_facts(each, dialogue.records, True))
    ]
    return _once(
        [
            *tell_settled(done, waiting, sends_back=any(map(SENDS_BACK.__eq__, made))),
            *made,
            *(_untouched(dialogue, skills) if dialogue.changes else ()),
            *(tell_said(said) if asked is None else ()),  # else it is said again
            *tell_asked(asked),
            *skills.record_facts(dialogue.records),
            *skills.rules.answers(policy),
        ]
    )


def facts_of_change(change: Call, dialogue: Any, skills: DomainSkills) -> list[str]:
    """What can be told of a change that is about to be proposed."""
    return _once([*_as_far_as_known(skills.change_facts(change, dialogue.records, False))])


def without_overruled(facts: Sequence[str], change: Sequence[str]) -> list[str]:
    """Facts without that nothing is known of fees, if it is known what a change costs."""
    known = any(" fee" in each for each in change)
    return [each for each in facts if not (known and each.startswith(_NO_FEES) and "fee" in each)]


def _untouched(dialogue: Any, skills: DomainSkills) -> Iterator[str]:
    """Yield which records stand as they did, once others were changed."""
    changed = {dialogue.record_written(each) for each in dialogue.changes}
    return skills.untouched_facts(changed, dialogue.records)


def facts_about(
    question: str, facts: Sequence[str], dialogue: Any, skills: DomainSkills, own: str = ""
) -> list[str]:
    """The facts that may answer a question: none that is only about things it does not name.

    If it names nothing, it is about the record with the id ``own``, if there is one at hand.
    """
    named, known = skills.names_in(question, dialogue)
    said = {each.strip("?,.!;:'\"") for each in question.lower().split()}  # a plural tells more
    if not named and own and _OTHERS.isdisjoint(said):
        named = {own}
        known = {each for each in known if each.isupper()}  # ids, not names of things
    return [
        each
        for each in facts
        if not (named and each.startswith(NOTHING_ELSE))
        and (
            not named
            or any(name in each for name in named)
            or not any(name in each for name in known)
            or each.startswith(_OF_ALL)
        )
    ]


def _as_far_as_known(facts: Iterator[str]) -> Iterator[str]:
    """Yield facts up to one that cannot be worked out, as a call has arguments too unusual."""
    with suppress(LookupError, TypeError, ValueError, AttributeError):
        yield from facts


def _once(facts: Sequence[str]) -> list[str]:
    return [*dict.fromkeys(filter(None, facts))]
