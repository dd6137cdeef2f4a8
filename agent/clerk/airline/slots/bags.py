"""Bags and insurance in what a customer typed."""

from __future__ import annotations

import re

from agent.clerk.airline.language import number, pattern, says
from agent.clerk.airline.requests import Intent, Request

_ASKING = {Intent.RESERVATION, Intent.POLICY, Intent.PRICE}


def read_bags(request: Request, clause: str) -> None:
    """Fill in the bags that a clause speaks of."""
    request.bags_free = says("bags_free", clause)
    if says("no_bags", clause):
        request.bags = 0
        return
    if request.bags_free:
        return
    if request.intent is Intent.BAGS:
        _read_change(request, clause)
        return
    hit = _told(clause)
    total = pattern("bags_in_all").search(clause) if says("bags_alone", clause) else None
    if hit and says("bags_each", clause[hit.end() :]):
        request.bags_each = number(hit.group("n"))
    elif hit:
        request.bags = number(hit.group("n"))
    elif total:
        request.bags = number(total.group("n") or total.group("m"))


def _read_change(request: Request, clause: str) -> None:
    """Fill in how many bags a reservation is to have, or how many it gets or loses."""
    total = pattern("bags_in_all").search(clause)
    hit = _told(clause)
    bare = None if hit else pattern("bags_more_bare").search(clause)
    removing = says("remove_bags", clause)
    if total:
        request.bags = number(total.group("n") or total.group("m"))
    elif bare and not removing:
        request.bags_more = number(bare.group("n") or bare.group("m"))
    elif removing and (hit or says("bags_bare", clause)):
        request.bags_more = -(number(hit.group("n")) if hit else 1)
    elif hit and says("bags_each", clause[hit.end() :]):
        request.bags_each = number(hit.group("n"))
    elif hit and says("add_bags", clause) and not says("bags_total", clause):
        request.bags_more = number(hit.group("n"))
    elif hit:
        request.bags = number(hit.group("n"))


def _told(clause: str) -> re.Match[str] | None:
    """The bags that are wanted, not those that there are already."""
    hits = pattern("bags_count").finditer(clause)
    return next((hit for hit in hits if not says("bags_had", clause[: hit.start()])), None)


def read_insurance(request: Request, clause: str) -> None:
    """Fill in whether insurance is wanted, or is to be taken out again."""
    if "insur" not in clause or request.intent in _ASKING:
        return
    if request.intent is Intent.INSURANCE:
        request.insurance_off = says("insurance_off", clause)
        request.insurance = None if request.insurance_off else True
    elif says("insured", clause):
        request.trip.insured = True
    elif says("no_insurance", clause):
        request.insurance = False
    elif says("with_insurance", clause):
        request.insurance = True


_MORE = re.compile(
    r"(?:(?:just|only|and|please|i want|i need|add) )*(?P<n>\d|one|two|three|four|five|another)"
    r"(?: more|(?<=another))(?: please| one)?$"
)


def further(word: str) -> int | None:
    """The bags that a short answer adds: "two more"; None where it says no such thing."""
    hit = _MORE.match(word)
    return number(hit.group("n")) if hit else None
