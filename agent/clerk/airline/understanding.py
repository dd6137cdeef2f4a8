"""From what an airline customer typed to requests with slots, without any context.

``agent.clerk.understanding`` finds the wishes in a message and how they are meant. The modules of
``slots`` read what the words of a wish tell: ``codes`` and ``places``, ``days`` and ``times``,
``trips`` (which reservation) and ``journeys`` (where to and when), ``people`` and ``renaming``,
``bags``, ``payments`` and ``money``; ``details`` puts them together. ``filling`` adds what the
sentences beside a wish tell of it, ``attaching`` hangs the fallbacks on.
"""

from __future__ import annotations

import copy
import re
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from agent.clerk.airline.attaching import attach
from agent.clerk.airline.filling import as_description, fill, merge
from agent.clerk.airline.language import LANGUAGE, says
from agent.clerk.airline.relating import elsewhere, more_bags, names_a_place, only_back
from agent.clerk.airline.replying import tells
from agent.clerk.airline.requests import (
    ABOUT_RESERVATIONS,
    ACTIONS,
    WHETHER,
    WITH_PAYMENT,
    Intent,
    Request,
    Said,
    Trip,
)
from agent.clerk.airline.settling import settled
from agent.clerk.airline.slots.codes import reservation_ids
from agent.clerk.airline.slots.details import Context, details, without_pronoun
from agent.clerk.airline.slots.journeys import settle_return
from agent.clerk.airline.slots.names import Names
from agent.clerk.airline.slots.people import completed
from agent.clerk.airline.slots.renaming import named_change, with_births
from agent.clerk.airline.succeeding import overlay
from agent.clerk.english import LONGEST, plain, sentences
from agent.clerk.fallbacks import UNNAMED, Fallback, split_fallbacks
from agent.clerk.identity import Identity, identity
from agent.clerk.understanding.manners import reader_of
from agent.clerk.understanding.reading import Reader
from agent.clerk.understanding.tokens import tokens
from agent.clerk.understanding.wishes import Message, Wish

TODAY = date(2024, 5, 15)
"""The day it is in the airline's records where the policy says no other."""

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
_ASKED_AS_PRICE: dict[Intent | None, str] = {
    Intent.CABIN: "", Intent.FLIGHTS: "", Intent.BAGS: "bags", Intent.INSURANCE: "insurance",
}  # fmt: skip
_USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d{3,5}\b", re.IGNORECASE)


def reader() -> Reader:
    """Reads the messages of an airline's customer."""
    return reader_of(Path(__file__).parent)


def understand(text: str, today: date | str = TODAY) -> Said:
    """What a message asks for; days are reckoned from ``today`` (a date, or ``2024-05-15``)."""
    day = date.fromisoformat(today[:10]) if isinstance(today, str) else today
    return copy.deepcopy(_understood(text, day))


@lru_cache(maxsize=256)
def _understood(text: str, today: date) -> Said:
    fixed = LANGUAGE.corrected(plain(text))
    context = Context(reservation_ids(text), Names(text), today)
    message = _Message(context, Request(None, fixed))
    message.hear(fixed)
    said = message.said(plain(text), LANGUAGE.ordinals(fixed))
    said.identity = _without_passengers(identity(text, LANGUAGE), message)
    said.cut, said.typed = len(text) > LONGEST, text[:LONGEST]
    return said


def ask_only(request: Request) -> None:
    """Make a question of a change that is only supposed."""
    if request.intent in _ASKED_AS_PRICE:
        what = _ASKED_AS_PRICE[request.intent]
        request.intent, request.asks = Intent.PRICE, [what] if what else []
    elif request.intent is Intent.BOOK:
        request.intent = Intent.SEARCH
    elif request.intent is not Intent.CANCEL:
        request.intent = Intent.POLICY
    request.asks = [*request.asks, *([] if WHETHER in request.asks else [WHETHER])]


_OF_PAYMENT = {Intent.BALANCE, Intent.METHODS, Intent.OUTCOME, Intent.PROFILE}


def asks_something(text: str, message: str) -> bool:
    """Whether a part of a message is a question."""
    ended = f"{text[-12:]}?" in message or f"{text[-12:]} ?" in message
    return ended or "?" in text or says("question", text) or bool(_ASKING & {*tokens(text)[:3]})


_ASKING = frozenset("how what whats what's which when who where why".split())  # noqa: SIM905


class _Message:
    """A message while its sentences are being read."""

    def __init__(self, context: Context, loose: Request) -> None:
        self.context = context
        self.loose = loose
        self.told = Message(loose.text)
        self.requests: list[Request] = []
        self.main: list[str] = []
        self.aside: list[str] = []
        self.pending: Request | None = None
        self.unread: list[str] = []

    def hear(self, text: str) -> None:
        """Read a message: its wishes, then sentence by sentence what there is beside them."""
        spans: list[tuple[int, int, list[Fallback]]] = []
        for sentence in sentences(text):
            main, fallbacks = split_fallbacks(sentence, LANGUAGE)
            start = len(self.told.order)
            if says("after_upgrade", main):
                wish = Wish("cancel_reservation", main, 1.0, (), has_verb=True)
                self.told.order.append(wish)
                self.told.wishes.append(wish)
            elif plain_main := _USER_ID.sub(" ", main).strip(" ,:.-"):
                reader().take(plain_main, self.told)
            self.main.append(main)
            spans.append((start, len(self.told.order), fallbacks))
        reader().weigh(self.told)
        for start, end, fallbacks in spans:
            for part in self.told.order[start:end]:
                self._take(part)
            self._attach(fallbacks)
        self.settle()

    def said(self, text: str, ordinals: list[int]) -> Said:
        """What the message says."""
        meant = [each for each in self.told.wishes if each.mode == "meant"]
        return Said(
            text,
            self.requests,
            self.loose,
            "\n".join(each for each in self.aside if each),
            Identity(),
            unread=self.unread,
            ordinals=ordinals,
            denied=[each for each in self.told.wishes if each.mode == "denied"],
            unsure=[each for each in meant if each.unsure],
            asides=[each for each in self.told.asides if each],
            **_flags("\n".join(self.main)),
        )

    def _attach(self, fallbacks: list[Fallback]) -> None:
        measured = False
        for fallback in fallbacks:
            inner = understand_part(fallback.then, self.context)
            plain_else = not (inner.requests or inner.forget)
            if measured and fallback.condition == UNNAMED and plain_else:
                fill(self._target(), inner.loose)
            else:
                measured = attach(fallback, inner, self._target())

    def _take(self, part: Wish | str) -> None:
        """Make a request of a wish; read all else as a detail, but for what is denied."""
        text = part if isinstance(part, str) else part.text
        if not isinstance(part, str) and any(each is part for each in self.told.wishes):
            booked = bool(self.requests) and self.requests[-1].intent is Intent.BOOK
            if part.mode == "denied" and not booked:
                return
            if part.mode != "denied" and not part.unsure:
                self._make(text, Intent(part.intent), what_if=part.mode == "what_if")
                return
        if named_change(text, self.context.names) and not self.requests:
            self._make(text, Intent.PASSENGERS, what_if=False)
            return
        self.aside.append(text)
        if f"{text[-12:]}?" in self.loose.text and not tells(details(text, None, self.context)):
            self.unread.append(text)
        self._take_detail(text, self.requests[-1] if self.requests else None)

    def _make(self, text: str, intent: Intent, *, what_if: bool) -> None:
        paying = any(each.intent in WITH_PAYMENT for each in self.requests)
        if intent in _OF_PAYMENT and paying and not asks_something(text, self.loose.text):
            self._take_detail(text, self.requests[-1])
            return
        if intent is Intent.FLIGHTS and named_change(text, self.context.names):
            intent = Intent.PASSENGERS
        made = details(text, intent, self.context)
        before = self.requests[-1] if self.requests else None
        if before and self._continues(before, made):
            fill(before, made)
            return
        self._take_up(made)
        self._take_up_pending(made)
        if what_if:
            ask_only(made)
        self.requests.append(made)

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

    def _take_detail(self, clause: str, before: Request | None) -> None:
        """Read a sentence that asks for nothing by itself."""
        if says("untouched", clause):
            return
        if before is not None and before.adding:
            told = details(clause, None, self.context)
            before.adding = completed(before.adding, told.people)
        reads_on = before is not None and before.intent in _READ_ON and not before.adding
        made = details(clause, before.intent if before and reads_on else None, self.context)
        if before is not None and elsewhere(made, before):
            self.pending = made
            return
        if before is not None and more_bags(made, before):
            self.requests.append(details(f"add {clause}", Intent.BAGS, self.context))
            return
        if says("engagement", clause) and not names_a_place(made):
            made.out.date, made.back.date, made.trip.dates = "", "", []
        made.trip.which = "" if made.trip.which == "same" else made.trip.which
        if before is not None and before.intent is Intent.BOOK and says("correction", clause):
            overlay(before, made)
        fill(self._spoken_of(made), made)

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


def understand_part(text: str, context: Context) -> Said:
    """What a part of a message asks for, as if it had been typed alone."""
    message = _Message(context, Request(None, text))
    message.hear(text)
    return message.said(text, [])


def _flags(text: str) -> dict[str, Any]:
    return {name: says(name, text) for name in _FLAGS}


def _without_passengers(who: Identity, message: _Message) -> Identity:
    """Who flies with the customer is not who is speaking."""
    named = [*message.loose.people, *(each for r in message.requests for each in r.people)]
    named += [each for r in message.requests for each in (*r.adding, *r.removing)]
    others = {(each.first, each.last) for each in named if each.dob or each.relation}
    who.names = [each for each in who.names if each not in others]
    return who
