"""All that the clerk can tell at a moment, a sentence each: what questions are answered from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from agent.clerk.domain_skills import DomainSkills
from agent.clerk.questions.state_facts import (
    NOTHING_ELSE,
    SENDS_BACK,
    tell_said,
    tell_settled,
    tell_waiting,
)
from agent.clerk.questions.waiting_card import WaitingCard
from agent.clerk.state.steps import Call
from agent.clerk.understanding.tokens import tokens

_OTHERS = frozenset(
    ["other", "others", "else", "another", "rest", "both", "all", "orders", "trips", "bookings",
     "reservations", "anything"]
)  # fmt: skip
"""Words of questions about more than the record at hand."""

_OF_ALL = ("This changes nothing", "Nothing was changed", "You have ", "Still pending", "Your ")
"""How facts begin that tell of more than one record."""


def facts_at_card(card: WaitingCard, skills: DomainSkills, policy: str) -> list[str]:
    """What can be told while a card waits: of its change, the records, and the rules."""
    change = Call(card.tool, card.arguments)
    return _once(
        [
            *tell_waiting(card),
            *_as_far_as_known(skills.change_facts(change, card.dialogue.records, False)),
            *skills.record_facts(card.dialogue.records),
            *skills.rules.answers(policy),
        ]
    )


def facts_of_talk(
    dialogue: Any, skills: DomainSkills, policy: str, done: Sequence[str]
) -> list[str]:
    """What can be told while no card waits; ``done`` tells of the changes that were made."""
    said = dialogue.assistant_texts[-1] if dialogue.assistant_texts else ""
    waiting = [
        each.text
        for each in dialogue.open_tasks
        if dialogue.changes_records(each) and not each.written
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
            *skills.untouched_facts(
                {dialogue.record_written(each) for each in dialogue.changes}, dialogue.records
            ),
            *(tell_said(said) if dialogue.question is None else ()),  # else it is said again
            *skills.record_facts(dialogue.records),
            *skills.rules.answers(policy),
        ]
    )


def facts_about(
    question: str, facts: Sequence[str], dialogue: Any, skills: DomainSkills, own: str = ""
) -> list[str]:
    """The facts that may answer a question: none that is only about things it does not name.

    If it names nothing, it is about the record with the id ``own``, if there is one at hand.
    """
    named, known = skills.names_in(question, dialogue)
    if not named and own and _OTHERS.isdisjoint(tokens(question)):
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
