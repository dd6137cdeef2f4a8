"""From what an airline customer typed to requests with slots, without any context.

A message is cut into sentences, their fallbacks ("if not, …") and clauses; each clause asks for
something or tells more of what another asks for. The modules of ``slots`` read what a clause tells:
``codes`` and ``places``, ``days`` and ``times``, ``trips`` (which reservation) and ``journeys``
(where to and when), ``people`` and ``renaming``, ``bags``, ``payments`` and ``money``; ``details``
puts a clause together. ``filling`` adds one clause to another, ``attaching`` hangs the fallbacks
on, and ``settling`` ends it.
"""

from __future__ import annotations

import copy
from datetime import date
from functools import lru_cache

from agent.clerk.airline.attaching import attach
from agent.clerk.airline.filling import as_description, fill, merge
from agent.clerk.airline.language import LANGUAGE, pattern, says
from agent.clerk.airline.relating import elsewhere, more_bags, names_a_place, only_back
from agent.clerk.airline.requests import (
    ABOUT_RESERVATIONS,
    ACTIONS,
    WITH_PAYMENT,
    Intent,
    Request,
    Said,
    Trip,
)
from agent.clerk.airline.settling import settled
from agent.clerk.airline.slots.codes import reservation_ids
from agent.clerk.airline.slots.details import Context, details, says_where, without_pronoun
from agent.clerk.airline.slots.journeys import settle_return
from agent.clerk.airline.slots.names import Names
from agent.clerk.airline.slots.people import completed
from agent.clerk.airline.slots.renaming import named_change, with_births
from agent.clerk.airline.slots.times import leg
from agent.clerk.airline.succeeding import overlay
from agent.clerk.airline.unheard import unheard
from agent.clerk.english import LONGEST, plain, sentences
from agent.clerk.fallbacks import UNNAMED, split_fallbacks
from agent.clerk.identity import Identity, identity
from agent.clerk.intents import intent_named

TODAY = date(2024, 5, 15)
"""The day it is in the airline's records where the policy says no other."""

_FIRST = (
    "help", "undo", "other_person", "advice", "transfer", "out_of_scope", "compensation",
)  # fmt: skip
_ACTIONS = frozenset(map(str, ACTIONS | {Intent.COMPLAINT}))
_FLAGS = (
    "correction", "only", "also", "nothing", "yes", "no", "forget", "anything", "unknown",
    "insists", "profile",
)  # fmt: skip
_READ_ON = {Intent.PASSENGERS, Intent.BAGS}
_PAYABLE = WITH_PAYMENT | {Intent.CANCEL}
_MAY_COME_ALONG = {Intent.BAGS, Intent.INSURANCE}
"""Only details where a journey is wished for in the same breath: "a flight with 2 bags"."""

_ASIDE = {Intent.ALLOWANCE, Intent.POLICY, Intent.METHODS, Intent.BALANCE, Intent.MEMBERSHIP}
"""Questions that may stand between the details of a booking, which stay details of that."""

_TAKES_NOTHING = {Intent.OUT_OF_SCOPE, Intent.TRANSFER}
"""What no tool can do leaves what was told beside it to what a tool can."""

_PART_OF_BOOKING = {Intent.BAGS, Intent.INSURANCE, Intent.CABIN, Intent.FLIGHTS, Intent.PASSENGERS}


def understand(text: str, today: date | str = TODAY) -> Said:
    """What a message asks for; days are reckoned from ``today`` (a date, or ``2024-05-15``)."""
    day = date.fromisoformat(today[:10]) if isinstance(today, str) else today
    return copy.deepcopy(_understood(text, day))


@lru_cache(maxsize=256)
def _understood(text: str, today: date) -> Said:
    fixed = LANGUAGE.corrected(plain(text))
    context = Context(reservation_ids(text), Names(text), today)
    message = _Message(context, Request(None, fixed))
    for sentence in sentences(fixed):
        message.hear(sentence)
    message.settle()
    who = identity(text, LANGUAGE)
    return Said(
        plain(text),
        message.requests,
        message.loose,
        "\n".join(each for each in message.aside if each),
        _without_passengers(who, message),
        cut=len(text) > LONGEST,
        unread=message.unread,
        ordinals=LANGUAGE.ordinals(fixed),
        **_flags("\n".join(message.main)),
    )


def intent_of(clause: str) -> Intent | None:
    """What a clause asks for; "I don't want to cancel" and "no bags" ask for nothing."""
    clause = pattern("negated_detail").sub(" ", pattern("own_id").sub("", clause))
    name = intent_named(clause, LANGUAGE, _FIRST, _ACTIONS)
    intent = Intent(name) if name else None
    if says("after_upgrade", clause):
        return Intent.CANCEL
    if says("engagement_off", clause) and intent in {Intent.STATUS, Intent.COMPLAINT}:
        return None
    if intent in _MAY_COME_ALONG and says("journey_wish", clause) and not says("pointer", clause):
        return Intent.BOOK
    moved = says_where(leg(clause)) or says("day_moved", clause)
    if intent is Intent.CABIN and says("moving", clause) and moved:
        return Intent.FLIGHTS
    return intent


class _Message:
    """A message while its sentences are being read."""

    def __init__(self, context: Context, loose: Request) -> None:
        self.context = context
        self.loose = loose
        self.requests: list[Request] = []
        self.main: list[str] = []
        self.aside: list[str] = []
        self.pending: Request | None = None
        self.unread: list[str] = []

    def hear(self, sentence: str) -> None:
        """Read one sentence: its clauses, then what is to be done otherwise."""
        main, fallbacks = split_fallbacks(sentence, LANGUAGE)
        self.main.append(main)
        taken = [(each, self._take(each)) for each in _clauses(main)]
        self.aside.append(", ".join(each for each, asks in taken if not asks))
        self.unread += unheard(main, lambda part: self._intent(part) is not None, self.context)
        measured = False
        for fallback in fallbacks:
            inner = understand_part(fallback.then, self.context)
            plain_else = not (inner.requests or inner.forget)
            if measured and fallback.condition == UNNAMED and plain_else:
                fill(self._target(), inner.loose)
            else:
                measured = attach(fallback, inner, self._target())

    def settle(self) -> None:
        """What can only be told when the whole message was read."""
        self.requests, self.loose = settled(self.requests, self.loose)
        if self.pending is not None:
            fill(self._spoken_of(self.pending), self.pending)
        for request in self.requests:
            if request.intent is Intent.PASSENGERS and says("birth", self.loose.text):
                today = self.context.today.isoformat()
                request.trip.dates = [each for each in request.trip.dates if each >= today]
            without_pronoun(request)
            only_back(request, self.aside)
            settle_return(request)
            request.renames = with_births(request.renames)

    def _target(self) -> Request:
        actions = [each for each in self.requests if each.intent in ACTIONS]
        return (actions or self.requests or [self.loose])[-1]

    def _take(self, clause: str) -> bool:
        """Make a request of a clause, or read it as a detail; True where it asks for something."""
        intent = self._intent(clause)
        before = self.requests[-1] if self.requests else None
        if intent is None:
            return self._take_detail(clause, before)
        made = details(clause, intent, self.context)
        if before and self._continues(before, made):
            fill(before, made)
        else:
            self._take_up(made)
            self._take_up_pending(made)
            self.requests.append(made)
        return True

    def _take_detail(self, clause: str, before: Request | None) -> bool:
        """Read a clause without a verb of its own; True where it makes a request all the same."""
        if says("untouched", clause):
            return False
        if before is not None and before.adding:
            told = details(clause, None, self.context)
            before.adding = completed(before.adding, told.people)
        reads_on = before is not None and before.intent in _READ_ON and not before.adding
        made = details(clause, before.intent if before and reads_on else None, self.context)
        if before is not None and elsewhere(made, before):
            self.pending = made
            return False
        if before is not None and more_bags(made, before):
            self.requests.append(details(f"add {clause}", Intent.BAGS, self.context))
            return True
        if says("engagement", clause) and not names_a_place(made):
            made.out.date, made.back.date, made.trip.dates = "", "", []
        made.trip.which = "" if made.trip.which == "same" else made.trip.which
        if before is not None and before.intent is Intent.BOOK and says("correction", clause):
            overlay(before, made)
        fill(self._spoken_of(made), made)
        return False

    def _intent(self, clause: str) -> Intent | None:
        """What a clause asks for; only the capitals tell that it is about passengers."""
        intent = intent_of(clause)
        if intent in {None, Intent.FLIGHTS} and named_change(clause, self.context.names):
            return Intent.PASSENGERS
        return intent

    def _spoken_of(self, made: Request) -> Request:
        """What a clause that asks for nothing is about: how to pay is about a change."""
        payable = [each for each in self.requests if each.intent in _PAYABLE]
        if made.payments and payable:
            return payable[-1]
        return self.requests[-1] if self.requests else self.loose

    def _continues(self, before: Request, made: Request) -> bool:
        """Whether a clause with its own verb only says more of the request before it."""
        apart = made.trip.ids and before.trip.ids and made.trip.ids != before.trip.ids
        if made.intent is before.intent:
            return not apart and not says("also_another", made.text)
        goes_back = before.insurance_off or before.intent is Intent.BAGS
        if goes_back and made.intent is Intent.CANCEL and "cancel" not in made.text:
            return True
        if before.intent is Intent.BOOK and made.intent in _PART_OF_BOOKING:
            inner = details(made.text, Intent.BOOK, self.context)
            plain_part = made.trip == Trip(which=made.trip.which, cabin=made.trip.cabin)
            if plain_part and not says("pointer", made.text):
                made.__dict__.update(inner.__dict__)
                return True
        return False

    def _take_up(self, made: Request) -> None:
        """Read "I fly to Denver on May 18. Can I go a day later?": told before the verb."""
        told = self.loose
        if made.intent in _TAKES_NOTHING:
            return
        if self.requests or (made.intent in _MAY_COME_ALONG and any(p.dob for p in told.people)):
            return
        kept = Request(None, told.text, reason=told.reason)
        if made.intent in _ASIDE:
            kept.cabin, kept.bags, kept.insurance = told.cabin, told.bags, told.insurance
            kept.flight_type = told.flight_type
        if made.intent is Intent.CANCEL:
            kept.reason = ""
        else:
            told.reason = ""
        if made.intent in ABOUT_RESERVATIONS:
            as_description(
                told, keep_wishes=made.intent is Intent.FLIGHTS and bool(told.trip.dates)
            )
        if made.cabin and told.cabin:
            before = told.cabin if told.cabin != made.cabin else ""
            told.trip.cabin, told.cabin = told.trip.cabin or before, ""
        if made.intent not in WITH_PAYMENT:
            kept.payments, told.payments = told.payments, []
        fill(made, told)
        self.loose = kept

    def _take_up_pending(self, made: Request) -> None:
        """Read "I also go to Miami on May 20. Upgrade that one": a further trip, then the verb."""
        told, self.pending = self.pending, None
        if told is not None and made.intent in ABOUT_RESERVATIONS:
            as_description(told, keep_wishes=False)
            if not (made.trip.ids or made.trip.destination or made.trip.place):
                made.trip.which = "" if made.trip.which == "same" else made.trip.which
                merge(made.trip, told.trip)


def _clauses(sentence: str) -> list[str]:
    return [sentence] if says("after_upgrade", sentence) else LANGUAGE.clauses(sentence)


def understand_part(text: str, context: Context) -> Said:
    """What a part of a message asks for, as if it had been typed alone."""
    message = _Message(context, Request(None, text))
    message.hear(text)
    message.settle()
    return Said(
        text,
        message.requests,
        message.loose,
        text,
        Identity(),
        unread=message.unread,
        ordinals=[],
        **_flags(text),
    )


def _flags(text: str) -> dict[str, bool]:
    return {name: says(name, text) for name in _FLAGS}


def _without_passengers(who: Identity, message: _Message) -> Identity:
    """Who flies with the customer is not who is speaking."""
    named = [*message.loose.people, *(each for r in message.requests for each in r.people)]
    named += [each for r in message.requests for each in (*r.adding, *r.removing)]
    others = {(each.first, each.last) for each in named if each.dob or each.relation}
    who.names = [each for each in who.names if each not in others]
    return who
