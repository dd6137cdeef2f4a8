"""Reading a message in the light of the answer before it: "add one more", "ok, do it"."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.clerk.airline.language import number, says
from agent.clerk.airline.replying import tells
from agent.clerk.airline.requests import (
    ACTIONS,
    AFTER_UPGRADE,
    WHETHER,
    WITH_PAYMENT,
    Intent,
    Person,
    Rename,
    Request,
    Said,
    Trip,
)
from agent.clerk.airline.succeeding import merged, overlay
from agent.clerk.airline.talk import Talk


def take_up(talk: Talk, said: Said) -> None:
    """Find the requests that a message makes only because of what was answered before it."""
    _read_questions(said)
    _read_further_bags(talk, said)
    _take_up_search(talk, said)
    _read_late_payment(talk, said)
    _take_up_price(talk, said)
    _take_up_birth(talk, said)
    _take_up_whether(talk, said)


def _read_questions(said: Said) -> None:
    """Read "what does economy cost?" as a question, and not as the wish for economy."""
    loose = said.loose
    if said.requests or "?" not in said.text:
        return
    if loose.cabin and re.search(r"\b(?:cost|costs|price|how much)\b", said.text):
        request = Request(Intent.PRICE, said.text, cabin=loose.cabin)
        loose.cabin = ""
    elif loose.payments and re.search(r"\bwhat\b.*\b(?:on|in|left)\b|\bhow much\b", said.text):
        request = Request(Intent.BALANCE, said.text, payments=loose.payments)
        loose.payments = []
    else:
        return
    said.requests.append(request)


def _read_late_payment(talk: Talk, said: Said) -> None:
    """Read "ok, put it on my visa", after a change was made, as a question how it was paid."""
    acted = [each for each in talk.requests if each.intent in ACTIONS]
    last = acted[-1] if acted else Request(None)
    moved = WITH_PAYMENT | {Intent.CANCEL}
    paid = last.intent in moved and last.outcome == "done" and talk.about is None
    told = replace(said.loose, payments=[], unwanted_payments=[], payments_only=False)
    if paid and not said.requests and said.loose.payments and not tells(told):
        said.requests.append(Request(Intent.OUTCOME, said.text, asks=["charge"]))


_FURTHER = re.compile(
    r"\b(?:add|take|want|need|get|give me|make it|i'll have|just|only) (?:me )?"
    r"(?P<n>another|an? (?:extra|additional|further)|one|two|three|\d)(?: (?:more|extra|of those))?"
    r"(?! (?:flight|ticket|way|seat|passenger|person|day)s?\b)"
)


_THAT_ONE = re.compile(
    r"\b(?:take|add|want|use|need|have|book) (?:it|that|this|the free one)(?: one| bag)?\b"
)


_STILL = re.compile(r"^\W*(?:(?:and|so|ok|but) )*(?:can|could|may) (?:i|we) (?:still|even|also)\b")


def _read_further_bags(talk: Talk, said: Said) -> None:
    """Read "great, add one more", after an answer about bags, as a bag to add."""
    about_bags = bool(talk.requests) and talk.requests[-1].intent in {Intent.ALLOWANCE, Intent.BAGS}
    if said.requests or not about_bags or talk.about is not None:
        return
    hit, told = _FURTHER.search(said.text), said.loose
    asked = hit is not None and said.text.rstrip().endswith("?") and _STILL.search(said.text)
    if asked or (hit is None and re.search(r"\bfree\b.*\?", said.text)):
        said.requests.append(Request(Intent.ALLOWANCE, said.text))
        return
    if hit is None and re.search(r"\bhow much\b|\bcosts?\b", said.text):
        said.requests.append(Request(Intent.PRICE, said.text, asks=["bags"]))
        return
    hit = hit or (_THAT_ONE.search(said.text) if "?" not in said.text else None)
    if (told.bags or told.bags_each) and "?" not in said.text:
        said.requests.append(Request(Intent.BAGS, said.text))
        overlay(said.requests[0], told)
        said.loose = Request(None, said.text)
    elif hit is not None:
        more = number((hit.groupdict().get("n") or "one").split()[0])
        more = -more if says("remove_bags", said.text) or " off" in said.text else more
        said.requests.append(Request(Intent.BAGS, said.text, bags_more=more))


def _take_up_whether(talk: Talk, said: Said) -> None:
    """Read "ok, do that", after it was told what a cancellation brings, as the wish for it."""
    last = talk.requests[-1] if talk.requests else Request(None)
    asked = last.intent is Intent.CANCEL and WHETHER in last.asks and last.outcome == "answered"
    if asked and talk.about is None and not said.requests and _DO_IT.search(said.text):
        trip = Trip(ids=[talk.focus]) if talk.focus else replace(last.trip)
        if AFTER_UPGRADE in last.asks:
            upgrade = Request(Intent.CABIN, said.text, replace(trip), cabin=last.cabin)
            upgrade.payments, said.loose.payments = said.loose.payments, []
            said.requests.append(upgrade)
        said.requests.append(Request(Intent.CANCEL, said.text, trip, reason=said.loose.reason))


def _take_up_birth(talk: Talk, said: Said) -> None:
    """Read "and she was born on …", after a name was corrected, as a correction of that as well."""
    last = talk.requests[-1] if talk.requests else Request(None)
    changed = last.intent is Intent.PASSENGERS and last.outcome == "done" and last.renames
    born = [each.dob for each in said.loose.people if each.dob and not each.first]
    if changed and born and talk.about is None and not said.requests:
        known = last.renames[-1]
        who = Person(known.new.first or known.old.first, known.new.last or known.old.last)
        renames = [Rename(who, Person(dob=born[0]))]
        said.requests.append(
            Request(Intent.PASSENGERS, said.text, replace(last.trip), renames=renames)
        )
        said.loose.people = []


def _take_up_search(talk: Talk, said: Said) -> None:
    """Read "one way, only me, with one bag" or "book it", after a search, as a booking of that."""
    last = talk.requests[-1] if talk.requests else Request(None)
    if last.intent is not Intent.SEARCH or talk.about is not None or not last.destination:
        return
    told = said.loose
    booked = next((each for each in said.requests if each.intent is Intent.BOOK), None)
    if booked is None and not said.requests and _speaks_of_booking(said):
        booked = Request(Intent.BOOK, said.text)
        overlay(booked, told)
        said.requests, said.loose = [booked], Request(None, said.text)
    if booked is None or booked.destination or booked.origin:
        return
    booked.origin, booked.destination = list(last.origin), list(last.destination)
    booked.out = merged(last.out, booked.out)
    booked.cabin = booked.cabin or last.cabin
    booked.count = booked.count or last.count


def _speaks_of_booking(said: Said) -> bool:
    """Whether details are told that only a booking needs, or what was found is to be taken."""
    told = said.loose
    named = told.people or told.count or told.payments or told.flight_type
    takes = re.search(r"\b(?:take|book|buy|want|get) (?:it|that|this|the)\b", said.text)
    return bool(named or told.bags is not None or told.insurance is not None or takes)


def _take_up_price(talk: Talk, said: Said) -> None:
    """Read "ok, do it", after what another cabin would cost, as the wish for that cabin."""
    last = talk.requests[-1] if talk.requests else Request(None)
    asked = last.intent in {Intent.PRICE, Intent.OUTCOME}
    priced = asked and last.cabin and talk.about is None
    asks_more = all(each.intent is Intent.OUTCOME for each in said.requests)
    alone = len(talk.requests) - talk.batch == 1
    paid = alone and said.loose.payments and "?" not in said.text
    agrees = _DO_IT.search(said.text) or paid
    if priced and asks_more and not (said.nothing or said.no) and agrees:
        said.requests.clear()
        trip = Trip(ids=[talk.focus]) if last.trip.empty and talk.focus else replace(last.trip)
        said.requests.append(
            Request(Intent.CABIN, said.text, trip, cabin=last.cabin, payments=said.loose.payments)
        )


_DO_IT = re.compile(r"\b(?:do (?:it|that|this|so)|go ahead|yes|sure|go for it|let's do|book it)\b")


_OWN_TRIP = re.compile(r"\bmy (?:\w+ )?(?:flight|trip)")


def of_own_trip(request: Request) -> None:
    """Read "what time does my flight to Denver leave?": not a search, the flight is booked."""
    searches = request.intent is Intent.SEARCH and _OWN_TRIP.search(request.text)
    if not searches or (request.origin and request.destination):
        return
    dates = [request.out.date] if request.out.date else []
    told = Trip(origin=request.origin, destination=request.destination, dates=dates)
    request.trip = merged(request.trip, told)
    request.intent, request.asks = Intent.RESERVATION, request.asks or ["times"]
