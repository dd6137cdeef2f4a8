"""Where and when a customer wants to fly: of a booking, a search, a change of flights."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from datetime import date, timedelta

from agent.clerk.airline.language import meanings, number, pattern, says
from agent.clerk.airline.requests import Intent, Leg, Request
from agent.clerk.airline.slots.days import BACK, NEW, OLD, Day, days
from agent.clerk.airline.slots.places import ASIDE, AT, FROM, LEG, TO, Place, places
from agent.clerk.airline.slots.times import leg
from agent.clerk.airline.slots.trips import add_days, add_places

_WEEK = 7
_ELSEWHERE = {ASIDE, LEG}


def read_journey(request: Request, clause: str, today: date) -> None:
    """Fill in a booking or a search: places, days, times, one way or both."""
    _read_type(request, clause)
    for place in places(clause):
        _set_place(request, place)
    if says("as_good", clause):
        codes = [code for place in places(clause) for code in place.codes]
        request.destination = list(dict.fromkeys(codes))
    cut, again = _back_at(clause)
    request.out = leg(clause[:cut] + clause[again:])
    request.back = leg(clause[cut:again]) if cut < len(clause) else Leg()
    _read_days(request, clause, cut, today)
    if says("both_legs", clause) and request.back.empty:
        request.back = copy.deepcopy(replace(request.out, date="", dates=[]))
    if not request.back.empty and not says("home_way", clause):
        request.flight_type = request.flight_type or "round_trip"
    request.out.shift = None
    if says("which_day", clause) and request.out.date and request.back.date:
        request.out.dates = _between(request.out.date, request.back.date)
        request.back, request.flight_type = Leg(), ""
    if request.back.shift is not None:
        dated = bool(request.back.date)
        request.back.shift = 0 if says("same_day_back", clause) else max(request.back.shift, 0)
        request.back.shift = (
            None if dated else request.back.shift or (0 if says("same_day_back", clause) else None)
        )
    if says("home_way", clause) and request.out.empty and request.flight_type == "":
        request.out, request.back = request.back, Leg()
    nights = pattern("nights").search(clause)
    if nights and not request.back.date and request.back.shift is None:
        request.back.shift = number(nights.group("n") or "one")


def _between(first: str, last: str) -> list[str]:
    """The days after the first one, up to the last."""
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    many = min(_WEEK, (end - start).days)
    return [(start + timedelta(days=n)).isoformat() for n in range(1, many + 1)]


def _read_type(request: Request, clause: str) -> None:
    if says("one_way", clause) or says("no_way_back", clause):
        request.flight_type = "one_way"
    elif says("round_trip", clause):
        request.flight_type = "round_trip"


def settle_return(request: Request) -> None:
    """Read "back on the same day", where the day itself was told elsewhere."""
    later = request.back.shift
    booked = request.intent is Intent.BOOK or later == 0
    if later is not None and booked and request.out.date and not request.back.date:
        day = date.fromisoformat(request.out.date) + timedelta(days=later)
        request.back.date, request.back.shift = day.isoformat(), None


def _set_place(request: Request, place: Place) -> None:
    if not place.codes:
        if place.way not in _ELSEWHERE:
            request.unknown_places.append(place.name)
    elif place.way == FROM:
        request.origin = request.origin or list(place.codes)
    elif place.way not in _ELSEWHERE:
        request.destination = request.destination or list(place.codes)


def _back_at(clause: str) -> tuple[int, int]:
    """Where a clause comes to the way back, and where from there to the way out again."""
    hit = pattern("back_leg").search(clause)
    typed = pattern("round_trip").search(clause)
    if (
        hit
        and typed
        and typed.start() <= hit.start() < typed.end()
        and "and back" not in hit.group()
    ):
        hit = pattern("back_leg").search(clause, typed.end())
    if hit is None:
        return len(clause), len(clause)
    out = pattern("leaving").search(clause, hit.end())
    if out is None:
        return hit.start(), len(clause)
    more = pattern("back_leg").search(clause, out.end())
    if more is None:
        return hit.start(), out.start()
    return more.start(), len(clause)


def _read_days(request: Request, clause: str, cut: int, today: date) -> None:
    found = [day for day in days(clause, today) if not says("not_day", clause[: day.start])]
    out = [day for day in found if day.start < cut and day.way != BACK]
    back = [day for day in found if day.start >= cut or day.way == BACK]
    if len(back) > 1 and not out and _ranged(clause, back[0], back[1]):
        out, back = back[:1], back[1:]
    if back and not out and not says("back_leg", clause):
        out, back = back, []
    if len(out) > 1 and not back and _ranged(clause, out[0], out[1]):
        back = [out.pop(1)]
    if out:
        request.out.date, *more = (day.iso for day in out)
        request.out.dates = [each for each in more if each != request.out.date]
    if back:
        request.back.date = back[0].iso
    elif request.out.date and says("same_day_back", clause):
        request.back.date = request.out.date
    elif says("same_day_back", clause):
        request.back.shift = 0


def _ranged(clause: str, first: Day, second: Day) -> bool:
    return says("ranged", clause[first.end : second.start]) or second.way == NEW


def read_change(request: Request, clause: str, today: date) -> None:
    """Fill in a change of flights: what there is, and what it is to become."""
    both = _instead(request, clause, today)
    if not both:
        _read_places(request, clause)
        _part_days(request, clause, today)
    _read_type(request, clause) if says("target", clause) else None


def _instead(request: Request, clause: str, today: date) -> bool:
    """Read "to Atlanta instead of Chicago": what stands after is what there is."""
    hit = pattern("in_place_of").search(clause)
    if hit is None:
        return False
    now, comma, more = clause[hit.end() :].partition(",")
    wanted = clause[: hit.start()] + comma + more
    here, there = places(now), places(wanted)
    dated = days(now, today)
    if not (here or dated):
        return False
    _legs(request, wanted)
    ahead = days(wanted, today)
    if ahead:
        _target(request).date = ahead[0].iso
    for place in here:
        if place.way in {"", AT} and there:
            request.trip.destination = list(place.codes)
        else:
            add_places(request.trip, [place])
    add_days(request.trip, dated)
    for place in there:
        if place.way == FROM:
            request.origin = list(place.codes)
        elif place.way not in _ELSEWHERE:
            request.destination = list(place.codes)
    return True


def _read_places(request: Request, clause: str) -> None:
    """The first route describes what there is, a second one what is wanted."""
    found = places(clause)
    aims = [place for place in found if place.way == TO]
    for place in found:
        if not place.codes:
            request.unknown_places.append(place.name)
            continue
        instead = says("instead_new", clause) and place in aims[-1:]
        named = place.way == TO and bool(request.trip.place)
        wished = says("new_places", clause[: place.start]) or bool(request.origin)
        wished = wished or instead or named
        known = request.trip.origin if place.way == FROM else request.trip.destination
        if place.way in {FROM, TO} and (wished or known):
            if place.way == FROM:
                request.origin = list(place.codes)
            else:
                request.destination = list(place.codes)
        else:
            add_places(request.trip, [place])


def _part_days(request: Request, clause: str, today: date) -> None:
    target = pattern("target").search(clause)
    aim = target.start() if target else len(clause)
    old: list[Day] = []
    new: list[Day] = []
    for day in days(clause, today):
        (old if _is_old(clause, day, aim) else new).append(day)
    add_days(request.trip, old)
    _legs(request, clause)
    for day in new:
        aimed = request.back if day.way == BACK or _in_back(request, clause, day) else request.out
        if aimed.date:
            aimed.dates.append(day.iso)
        aimed.date = aimed.date or day.iso


def _is_old(clause: str, day: Day, aim: int) -> bool:
    if day.way in {OLD, NEW}:
        return day.way == OLD
    if day.start > aim:
        return False
    before = clause[: day.start]
    after = clause[day.end :]
    named = says("pointer", before) or any(each.way == AT for each in places(before))
    described = named and not says("wish_not_trip", before)
    return described or says("trip_next", after)


def _in_back(request: Request, clause: str, day: Day) -> bool:
    back, out = _ways(clause)
    if back is None:
        return False
    return out is None or day.start > back.start()


def _ways(clause: str) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """Where a clause speaks of the way back, and of the way out."""
    back, out = pattern("back_leg").search(clause), pattern("out_leg").search(clause)
    return back, out or (pattern("leaving").search(clause) if back else None)


def _target(request: Request) -> Leg:
    return request.back if request.back.wanted and not request.out.wanted else request.out


def _legs(request: Request, clause: str) -> None:
    """Wishes for the way out, the way back, or both; one of them may be kept as it is."""
    kept = meanings("keep_legs", clause)
    clause = pattern("keeping").sub(" ", clause)
    _wishes(request, clause)
    for name, way in (("out", request.out), ("back", request.back)):
        way.keep = name in kept


def _wishes(request: Request, clause: str) -> None:
    back, out = _ways(clause)
    if says("both_legs", clause):
        request.out = leg(clause)
        request.out.wanted = True
        request.back = copy.deepcopy(request.out)
    elif back and out:
        first, second = sorted((back.start(), out.start()))
        parts = {first: clause[:second], second: clause[second:]}
        request.out, request.back = leg(parts[out.start()]), leg(parts[back.start()])
        request.out.wanted = request.back.wanted = True
    elif back:
        request.back = leg(clause)
        request.back.wanted = True
    else:
        request.out = leg(clause)
        request.out.wanted = bool(out)
