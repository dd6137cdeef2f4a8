"""Hanging "if that is not possible, …" on the request it speaks of."""

from __future__ import annotations

from agent.clerk.airline.filling import merge
from agent.clerk.airline.language import first_meaning, says
from agent.clerk.airline.requests import Intent, Limit, Otherwise, Pay, Request, Said
from agent.clerk.airline.slots.money import amount
from agent.clerk.airline.slots.payments import payments
from agent.clerk.fallbacks import Fallback

_IMPOSSIBLE = "impossible"
_MEASURED = {"over", "under"}


def attach(fallback: Fallback, inner: Said, target: Request) -> bool:
    """Take a fallback into its request; True where its condition is a sum of money."""
    when = first_meaning("conditions", fallback.condition) or _IMPOSSIBLE
    sum_named = amount(fallback.condition) if when in _MEASURED else None
    if when == "under" and sum_named is not None and _goes_on(inner):
        target.limit = Limit(sum_named)
        return True
    if when == _IMPOSSIBLE and target.out.stops and _only_of_flight(inner):
        merge(target.out, inner.loose.out)
        return False
    leave = inner.forget and not inner.requests
    then = Otherwise(when, sum_named, fallback.condition, fallback.then, give_up=leave)
    booked = inner.requests[0] if len(inner.requests) == 1 else None
    if booked is not None and booked.intent is Intent.BOOK and not _whole(booked):
        booked.intent, then.details = None, booked
    elif inner.requests:
        then.requests = inner.requests
    elif not leave:
        then.details = inner.loose
    _name_kinds(then.details, [*payments(fallback.condition)[0], *target.payments])
    if not (leave or then.requests or then.details != Request(None, then.details.text)):
        return False
    target.otherwise.append(then)
    target.give_up = target.give_up or (leave and when == _IMPOSSIBLE)
    return when in _MEASURED


def _name_kinds(details: Request, known: list[Pay]) -> None:
    """Read "both certificates; if only one works, the larger one"."""
    for pay in details.payments:
        if not pay.kind and known:
            pay.kind = known[0].kind


def _whole(booking: Request) -> bool:
    """Whether a booking says where to or when, not only who flies or how it is paid."""
    return bool(booking.origin or booking.destination or booking.out.date or booking.like)


def _goes_on(inner: Said) -> bool:
    return not inner.requests and says("proceed", inner.text)


def _only_of_flight(inner: Said) -> bool:
    """Whether only another number of stops is told, as in "otherwise with one stop"."""
    rest = Request(None, inner.loose.text, out=inner.loose.out)
    return bool(rest.out.stops) and inner.loose == rest and not inner.requests
