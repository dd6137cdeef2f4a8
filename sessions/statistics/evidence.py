"""Measure what cards say against right and wrong changes, and which reviewers refused them.

A card speaks against its change by a failing check (✗), or by a line that compares what was said
with what the change does (a disagreement). A question, which is left for the person to judge,
speaks for neither side, but is counted too. All are counted over the same changes, so that the
lines of a table can be compared.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from sessions.events import Card, Form, Reviewed
from sessions.scoring.card_calls import CallVerdict, Verdict
from sessions.statistics.facts import SessionFacts
from sessions.statistics.grouping import By, groups, pooling_remarks
from sessions.statistics.intervals import Share, share
from sessions.views.writes import Origin

Kind = Literal["check", "disagreement", "question"]
Mark = tuple[Kind, str]
"""What stands out on a card: a failing check, a kind of disagreement, or a question."""

_ORDER: tuple[Kind, ...] = ("check", "disagreement", "question")


@dataclass(frozen=True, slots=True)
class JudgedCard:
    """A change of a session: its card, whether it was right, and the reviews of it."""

    card: Card
    seq: int
    origin: Origin
    verdict: CallVerdict
    reviews: tuple[Reviewed, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionEvidence:
    """The changes of one session."""

    facts: SessionFacts
    cards: tuple[JudgedCard, ...]


@dataclass(frozen=True, slots=True)
class Caught:
    """How often something fires on wrong changes, and on right ones that the policy allows."""

    wrong: Share
    right: Share


@dataclass(frozen=True, slots=True)
class Line:
    """A check, a kind of disagreement, or a question, and how often it fires."""

    kind: Kind
    name: str
    caught: Caught


@dataclass(frozen=True, slots=True)
class Reader:
    """A reviewer, what they were shown, and how often they refused, that is, did not approve."""

    name: str
    form: Form
    caught: Caught


@dataclass(frozen=True, slots=True)
class CardReport:
    """What the cards of a group of sessions show."""

    name: str
    remarks: tuple[str, ...]
    sessions: int
    """The number of sessions with at least one change."""

    recorded: int
    """Cards that were made afterwards."""

    live: int
    """Cards that were shown in their session."""

    wrong: int
    right: int
    against_the_policy: int
    """Changes that the task expects but the policy forbids; they are in no share."""

    not_decidable: int
    lines: tuple[Line, ...]
    any_check: Caught
    any_disagreement: Caught
    any_speaks_against: Caught
    """Any ✗ or disagreement."""

    any_question: Caught
    readers: tuple[Reader, ...]
    all_readers: tuple[Reader, ...]
    """All reviewers of a form together, if there are several; every decision counts."""


def card_reports(sessions: Iterable[SessionEvidence], by: By = "model") -> list[CardReport]:
    """A report for each group of sessions that may be counted together."""
    held = [each for each in sessions if each.cards]
    cards = {each.facts.session: each.cards for each in held}
    return [
        card_report(name, members, [card for row in members for card in cards[row.session]])
        for name, members in groups((each.facts for each in held), by)
    ]


def card_report(
    name: str, sessions: Sequence[SessionFacts], cards: Sequence[JudgedCard]
) -> CardReport:
    """A report on these cards."""
    return CardReport(
        name=name,
        remarks=tuple(pooling_remarks(sessions)),
        sessions=len(sessions),
        recorded=sum(each.origin == "recorded" for each in cards),
        live=sum(each.origin == "live" for each in cards),
        wrong=len(_of(cards, "wrong")),
        right=len(_of(cards, "right")),
        against_the_policy=len(_of(cards, "against the policy")),
        not_decidable=len(_of(cards, "not decidable")),
        lines=tuple(_lines(cards)),
        any_check=_shares_caught(cards, lambda each: _has(each, "check")),
        any_disagreement=_shares_caught(cards, lambda each: _has(each, "disagreement")),
        any_speaks_against=_shares_caught(cards, speaks_against),
        any_question=_shares_caught(cards, lambda each: _has(each, "question")),
        readers=tuple(_readers(cards)),
        all_readers=tuple(_all_readers(cards)),
    )


def marks_of(card: Card) -> Iterator[Mark]:
    """Yield the lines that stand out on a card, in the card's order."""
    for each in card.before:
        if each.verdict != "holds":
            asks = each.verdict != "fails"
            yield ("question", _without_values(each.name)) if asks else ("check", each.name)
    for disagreement in card.disagreements:
        yield "disagreement", disagreement.kind


def _without_values(question: str) -> str:
    """The general form of a question, without the quotations, ids and numbers of this change."""
    return _VALUES.sub("…", question)


_MONTHS = "|".join(calendar.month_name[1:])
_VALUES = re.compile(rf"“[^”]*”|\S*\d\S*(?: (?:{_MONTHS})\b)?|\b[A-Z]{{6}}\b")


def speaks_against(judged: JudgedCard) -> bool:
    """Whether a card has a ✗ or a disagreement."""
    return _has(judged, "check") or _has(judged, "disagreement")


def _has(judged: JudgedCard, kind: Kind) -> bool:
    return any(each == kind for each, _ in marks_of(judged.card))


def _of(cards: Iterable[JudgedCard], verdict: Verdict) -> list[JudgedCard]:
    return [each for each in cards if each.verdict.verdict == verdict]


def _shares_caught(cards: Sequence[JudgedCard], fires: Callable[[JudgedCard], bool]) -> Caught:
    wrong, right = _of(cards, "wrong"), _of(cards, "right")
    return Caught(
        share(sum(map(fires, wrong)), len(wrong)), share(sum(map(fires, right)), len(right))
    )


def _lines(cards: Sequence[JudgedCard]) -> Iterator[Line]:
    """Yield every line that fires anywhere, and every policy check that never fires."""
    found: set[Mark] = set()
    for judged in cards:
        found.update(marks_of(judged.card), _checks(judged.card))
    for mark in sorted(found, key=lambda mark: (_ORDER.index(mark[0]), mark[1])):
        yield Line(*mark, _shares_caught(cards, partial(_fires, mark)))


def _checks(card: Card) -> Iterator[Mark]:
    for each in card.before:
        if each.source == "policy" and each.verdict != "judge":
            yield "check", each.name


def _fires(mark: Mark, judged: JudgedCard) -> bool:
    return mark in marks_of(judged.card)


def _readers(cards: Sequence[JudgedCard]) -> Iterator[Reader]:
    """Yield each reviewer in each form, counting the changes known to be right or wrong."""
    decided = {(review.form, review.by) for each in cards for review in each.reviews}
    for form, name in sorted(decided):
        yield _reader(cards, form, name, frozenset({name}))


def _all_readers(cards: Sequence[JudgedCard]) -> Iterator[Reader]:
    forms: tuple[Form, ...] = ("card", "raw")
    for form in forms:
        people = {review.by for each in cards for review in each.reviews if review.form == form}
        if len(people) > 1:
            yield _reader(cards, form, "all of them", people)


def _reader(cards: Sequence[JudgedCard], form: Form, name: str, people: Collection[str]) -> Reader:
    refused: dict[Verdict, list[bool]] = {"wrong": [], "right": []}
    for each in cards:
        for review in each.reviews:
            if review.form == form and review.by in people and each.verdict.verdict in refused:
                refused[each.verdict.verdict].append(review.decision != "approve")
    wrong, right = refused["wrong"], refused["right"]
    caught = Caught(share(sum(wrong), len(wrong)), share(sum(right), len(right)))
    return Reader(name, form, caught)
