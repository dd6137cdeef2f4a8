"""What the airline's changes do, as values that can be compared with what was said."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from domains.airline import fares, store, wording
from domains.airline.airports import CITIES
from domains.airline.cheaper import cheaper_flights
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.facts import Choice, Count, Facts, Keys, Leg, Money, Selection, Source, Ways
from domains.core.records import Preview
from domains.text.payment_ways import MONEY_BACK, payment_ways

CABINS: Ways = {
    "basic economy": frozenset({"basic_economy"}),
    "basic": frozenset({"basic_economy"}),
    "economy": frozenset({"economy"}),
    "business": frozenset({"business"}),
    "business days": frozenset(),
}

TRIPS: Ways = {
    "one way": frozenset({"one_way"}),
    "round trip": frozenset({"round_trip"}),
    "return trip": frozenset({"round_trip"}),
    "return flight": frozenset({"round_trip"}),
}

INSURED: Ways = {"insurance": frozenset({"yes"}), "insured": frozenset({"yes"})}

BAGS = frozenset(("bag", "baggage", "luggage", "suitcase"))

_ACTS = frozenset({"cancel", "book"})


def facts(draft: Draft, preview: Preview) -> Facts | None:
    """The facts of a call that was tried; None for a call with nothing to compare.

    ``draft`` has the records before the call.
    """
    tell = _BY_TOOL.get(preview.call.name)
    return None if tell is None else replace(tell(draft, preview), other_acts=_ACTS)


def _book(draft: Draft, preview: Preview) -> Facts:
    arguments = preview.call.arguments
    after = _new_reservation(preview)
    user = store.get_user(draft, arguments["user_id"])
    total = float(sum(row["amount"] for row in after["payment_history"]))
    people = len(after["passengers"])
    each = sum(flight["price"] for flight in after["flights"])
    insured = after["insurance"]
    choices = [
        _cabin(after["cabin"], frozenset()),
        _methods(user, [row["payment_id"] for row in after["payment_history"]], (), "pays with"),
        Choice("kind of trip", f"is a {wording.trip_type(after['flight_type'])}",
               frozenset({after["flight_type"]}), TRIPS),
        Choice("insurance", f"has {'' if insured == 'yes' else 'no '}travel insurance",
               frozenset({insured}), INSURED),
        _flights(draft, after["flights"], ()),
    ]  # fmt: skip
    return Facts(
        verbs=frozenset({"book", "reserve", "buy", "rebook", "fly", "get"}),
        about=_route_ways(after),
        choices=tuple(choices),
        money=Money(
            total, f"costs {wording.money(total)}", people,
            frozenset({*_sums(after["flights"], people), each * people, total / people}),
            tuple(float(row["amount"]) for row in after["payment_history"]),
        ),
        counts=(
            Count(f"has {wording.bags(after['total_baggages'], after['nonfree_baggages'])}",
                  after["total_baggages"], 0, BAGS, people),
            Count(f"is for {wording.count(people, 'passenger')}", people, 0,
                  frozenset(("passenger", "ticket", "seat"))),
        ),
        legs=tuple(_legs(draft, after["flights"], ())),
        sources=tuple(_people(user, after["passengers"], ())),
        cheaper=cheaper_flights(draft, after, after["flights"]),
    )  # fmt: skip


def _new_reservation(preview: Preview) -> Record:
    for change in preview.changes:
        if change.collection == "reservations" and change.before is None and change.after:
            return change.after
    raise LookupError("no reservation was made")


def _change_flights(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _reservation(draft, preview)
    people = len(before["passengers"])
    due = float(_sum_paid(after) - _sum_paid(before))
    kept = {(each["flight_number"], each["date"]) for each in before["flights"]}
    changed = kept != {(each["flight_number"], each["date"]) for each in after["flights"]}
    old, new = (sum(each["price"] for each in one["flights"]) for one in (before, after))
    choices = [_cabin(after["cabin"], frozenset({before["cabin"]}))]
    if due:
        method = preview.call.arguments["payment_id"]
        does = "charges" if due > 0 else "refunds to"
        choices.append(_methods(user, [method], _methods_paid_with(before), does))
    if changed:
        choices.append(_flights(draft, after["flights"], before["flights"]))
    words = f"charges {wording.money(due)}" if due >= 0 else f"refunds {wording.money(-due)}"
    return Facts(
        verbs=frozenset(
            {"change", "upgrade", "downgrade", "move", "switch", "reschedule", "modify", "update",
             "adjust", "push", "fly"}
        ),
        about=_about(before),
        others=_others(user, before),
        record=_which(user, before),
        choices=tuple(choices),
        money=Money(due, words, people, frozenset(
            {*_sums(after["flights"], people), *_sums(before["flights"], people),
             old * people, new * people, abs(due) / people}
        ), is_difference=True),
        legs=tuple(_legs(draft, after["flights"], kept)),
        dates_before=tuple(each["date"] for each in before["flights"]),
        cheaper=cheaper_flights(draft, after, after["flights"]) if changed else None,
    )  # fmt: skip


def _change_bags(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _reservation(draft, preview)
    due = float(_sum_paid(after) - _sum_paid(before))
    choices: tuple[Choice, ...] = ()
    if due:
        method = preview.call.arguments["payment_id"]
        choices = (_methods(user, [method], _methods_paid_with(before), "charges"),)
    bags = wording.bags(after["total_baggages"], after["nonfree_baggages"])
    return Facts(
        verbs=frozenset({"add", "bring", "check", "have", "need", "take"}),
        about=_about(before),
        others=_others(user, before),
        record=_which(user, before),
        choices=choices,
        money=Money(due, f"charges {wording.money(due)}", 1, frozenset({float(fares.EXTRA_BAG)}),
                    is_difference=True),
        counts=(
            Count(f"makes it {bags}", after["total_baggages"], before["total_baggages"], BAGS,
                  len(before["passengers"]), is_added=True),
        ),
    )  # fmt: skip


def _change_passengers(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _reservation(draft, preview)
    return Facts(
        verbs=frozenset({"change", "replace", "correct", "swap", "update", "rename", "fix"}),
        about=_about(before),
        others=_others(user, before),
        record=_which(user, before),
        sources=tuple(_people(user, after["passengers"], before["passengers"])),
        selections=(_passengers_replaced(before["passengers"], after["passengers"]),),
    )  # fmt: skip


def _passengers_replaced(before: Sequence[Record], after: Sequence[Record]) -> Selection:
    """The passengers who no longer fly, or whose names change."""
    names = {_name(each): wording.full_name(each) for each in before}
    ways: dict[str, Keys] = {}
    for each in before:
        for way in (_name(each), each["first_name"]):
            ways[way] = ways.get(way, frozenset()) | {_name(each)}
    chosen = names.keys() - {_name(each) for each in after}
    return Selection("replaces", frozenset(chosen), ways, names, is_final=True, refusable=False)


def _cancel(draft: Draft, preview: Preview) -> Facts:
    before, after, user = _reservation(draft, preview)
    due = float(_sum_paid(after) - _sum_paid(before))
    paid_with = _methods_paid_with(before)
    return Facts(
        verbs=frozenset({"cancel", "call off", "drop", "get rid of"}),
        acts=frozenset({"cancel"}),
        about=_about(before),
        others=_others(user, before),
        record=_which(user, before),
        choices=(_refund(user, paid_with),) if paid_with else (),
        money=Money(due, f"refunds {wording.money(-due)}", len(before["passengers"]), frozenset(
            float(abs(row["amount"])) for row in before["payment_history"]
        )),
    )  # fmt: skip


def _compensate(draft: Draft, preview: Preview) -> Facts:
    amount = float(preview.call.arguments["amount"])
    return Facts(
        verbs=frozenset({"compensate", "compensation", "certificate", "voucher", "make up"}),
        money=Money(-amount, f"gives {wording.money(amount)}"),
    )  # fmt: skip


_BY_TOOL: dict[str, Callable[[Draft, Preview], Facts]] = {
    "book_reservation": _book,
    "cancel_reservation": _cancel,
    "send_certificate": _compensate,
    "update_reservation_baggages": _change_bags,
    "update_reservation_flights": _change_flights,
    "update_reservation_passengers": _change_passengers,
}


def _reservation(draft: Draft, preview: Preview) -> tuple[Record, Record, Record]:
    """A reservation before and after the call, and the customer it belongs to."""
    key = preview.call.arguments["reservation_id"]
    before = store.get_reservation(draft, key)
    return (
        before,
        store.get_reservation(preview.after, key),
        store.get_user(draft, before["user_id"]),
    )


def _sum_paid(reservation: Record) -> int:
    paid: int = sum(row["amount"] for row in reservation["payment_history"])
    return paid


def _methods_paid_with(reservation: Record) -> list[str]:
    return [row["payment_id"] for row in reservation["payment_history"]]


def _sums(flights: Sequence[Record], people: int) -> Iterator[float]:
    """Yield prices that may be quoted: each flight's and the sum, for one passenger and for all."""
    whole = sum(flight["price"] for flight in flights)
    for price in (*(flight["price"] for flight in flights), whole):
        yield float(price)
        yield float(price * people)


def _cabin(cabin: str, before: Keys) -> Choice:
    return Choice(
        "cabin", f"is in {wording.cabin(cabin)}", frozenset({cabin}), CABINS, before=before
    )


def _methods(user: Record, used: Iterable[str], original: Iterable[str], does: str) -> Choice:
    chosen = list(dict.fromkeys(used))
    named = wording.listing([wording.by_method(user, each) for each in chosen])
    return Choice(
        "payment method",
        f"{does} {named}",
        frozenset(chosen),
        payment_ways(user, tuple(original)),
        usual=frozenset(original),
    )


def _refund(user: Record, paid_with: Iterable[str]) -> Choice:
    return replace(_methods(user, paid_with, paid_with, "refunds to"), topic=MONEY_BACK)


def _flights(draft: Draft, listed: Sequence[Record], before: Sequence[Record]) -> Choice:
    named = [wording.flight_and_day(each) for each in listed]
    return Choice(
        "flight",
        f"is on {wording.listing(named)}",
        frozenset(each["flight_number"] for each in listed),
        {},
        before=frozenset(each["flight_number"] for each in before),
        whole=True,
        lookup=partial(_flight_number, draft),
    )


def _flight_number(draft: Draft, word: str) -> str | None:
    """The flight number that a word spells, in any letter case; None if there is no such flight."""
    number = word.upper()
    has_digit = any(each.isdigit() for each in number)
    return number if has_digit and draft.get("flights", number) is not None else None


def _about(reservation: Record) -> Ways:
    itself = frozenset({reservation["reservation_id"]})
    return {reservation["reservation_id"]: itself, **_route_ways(reservation)}


def _route_ways(reservation: Record) -> Ways:
    """The cities and airport codes at both ends of a trip."""
    ends = {reservation["origin"], reservation["destination"]}
    names = {name for code in ends for name in (code, CITIES.get(code, code))}
    return {str(name): frozenset({"route"}) for name in names}


def _others(user: Record, reservation: Record) -> Ways:
    mine = reservation["reservation_id"]
    return {each: frozenset({each}) for each in user["reservations"] if each != mine}


def _which(user: Record, reservation: Record) -> Choice:
    mine = reservation["reservation_id"]
    ways = {each: frozenset({each}) for each in user["reservations"]}
    does = f"is about reservation {wording.value(mine)}"
    return Choice("reservation", does, frozenset({mine}), ways, things="replaced")


def _legs(
    draft: Draft, listed: Sequence[Record], kept: Collection[tuple[str, str]]
) -> Iterator[Leg]:
    for each in listed:
        flight = store.get_flight(draft, each["flight_number"])
        yield Leg(
            each["flight_number"],
            each["date"],
            flight["scheduled_departure_time_est"][:5],
            flight["scheduled_arrival_time_est"][:5],
            (each["flight_number"], each["date"]) not in kept,
        )


def _people(user: Record, listed: Sequence[Record], before: Sequence[Record]) -> Iterator[Source]:
    """Yield the names and dates of birth that were not on the reservation before."""
    known = {_name(each): each["dob"] for each in user["saved_passengers"]}
    known[_name(user["name"])] = user["dob"]
    for each in listed:
        if each in before or not isinstance(each, dict):
            continue
        name, called = _name(each), wording.full_name(each)
        yield Source("name", name, f"has {called} fly")
        does = f"has {called} born {wording.value(each['dob'])}"
        yield Source("date of birth", each["dob"], does, known.get(name, ""), is_date=True)


def _name(record: Record) -> str:
    """The full name as people say it."""
    return f"{record['first_name']} {record['last_name']}"
