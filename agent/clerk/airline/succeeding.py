"""What takes a request's place where it turned out to be impossible: "if not, then …"."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

from agent.clerk.airline.requests import Leg, Otherwise, Request, Trip

_D = TypeVar("_D", Leg, Trip)
_KEPT = frozenset({"intent", "text", "closed", "outcome", "wait", "written", "otherwise"})
_DEFAULT = Request(None)


def successors(request: Request) -> list[Request]:
    """What a refused request leaves to be done: its first fallback, the others after that one."""
    if not request.otherwise:
        return []
    first, *others = request.otherwise
    if first.give_up and not first.requests:
        return []
    if not first.requests:
        first.requests = [_changed(request, first)]
    for each in first.requests:
        inherit(each, request)
    last = first.requests[-1]
    last.otherwise += [each for each in others if not any(each is one for one in last.otherwise)]
    return first.requests


def _changed(request: Request, fallback: Otherwise) -> Request:
    """The same request with the fallback's details in place of its own."""
    again = replace(
        request,
        trip=replace(request.trip),
        out=replace(request.out),
        back=replace(request.back),
        otherwise=[],
        closed=False,
        outcome="",
        wait="",
        written=list(request.written),
        give_up=request.give_up or fallback.give_up,
    )
    overlay(again, fallback.details)
    return again


def overlay(request: Request, details: Request) -> bool:
    """Put details in place of a request's own; True where they make a difference."""
    before = repr(request)
    for each in fields(Request):
        value = getattr(details, each.name)
        if each.name in _KEPT or value == getattr(_DEFAULT, each.name):
            continue
        own = getattr(request, each.name)
        if isinstance(value, Leg | Trip) and own is not None:
            value = merged(own, value)
        setattr(request, each.name, value)
    return repr(request) != before


def merged(old: _D, new: _D) -> _D:
    """A leg or trip in which what is newly said takes the place of what was said before."""
    blank: Any = type(new)()
    told = {
        each.name: getattr(new, each.name)
        for each in fields(new)
        if getattr(new, each.name) != getattr(blank, each.name)
    }
    base = old
    if isinstance(old, Leg) and isinstance(new, Leg):
        base = _without_overruled(old, told)
    return replace(base, **told)


_TIMES = ("after", "before", "around", "relative", "rank", "arrive_after", "arrive_before")
"""Ways to say when a flight should be: a new one takes the place of all old ones."""


def _without_overruled(old: Leg, told: dict[str, Any]) -> Leg:
    """A leg without the wishes that new ones contradict; a flight chosen before goes first."""
    gone: dict[str, Any] = {}
    if told.keys() & {*_TIMES, "date", "shift", "stops"}:
        gone["numbers"] = []
    if told.keys() & set(_TIMES) or "numbers" in told:
        gone.update({name: "" for name in _TIMES}, nth=1)
    if told.keys() & {"date", "shift"}:
        gone.update(date="", dates=[], shift=None, keep=False)
    return replace(old, **gone)


def inherit(request: Request, before: Request) -> Request:
    """Take from an earlier request what a later one leaves out: which reservation, who pays."""
    if request.trip.which in {"", "same"} and replace(request.trip, which="").empty:
        request.trip = replace(before.trip)
    if not request.payments:
        request.payments = list(before.payments)
    return request


def book_like(request: Request, before: Request) -> Request:
    """Read "no, a new booking": what described a reservation is what is wanted of a new one."""
    told, out = before.trip, replace(before.out)
    out.date = out.date or next(iter(told.dates), "")
    known = replace(
        before,
        trip=Trip(),
        origin=before.origin or list(told.origin),
        destination=before.destination or [*told.destination, *told.place],
        flight_type=before.flight_type or told.flight_type,
        cabin=before.cabin or told.cabin,
        out=out,
        bags=before.bags if before.bags_more is None else before.bags_more,
        bags_more=None,
    )
    wished = replace(request)
    overlay(request, known)
    overlay(request, wished)
    request.limit, request.reason, request.asks = wished.limit, "", []
    return request
