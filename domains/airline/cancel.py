"""Cancelling a reservation: the tool, and what its card says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from domains.airline import checks, effects, evidence, flight_effects, seats, store, wording
from domains.airline.look_ups import ReservationId
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import (
    Arguments,
    Check,
    Effect,
    Finding,
    Question,
    Tool,
    WriteDeclaration,
    writes,
)

CHANGE_OF_MIND = timedelta(hours=24)
"""How long after booking any reservation may be cancelled."""

BY_INSURANCE = "its travel insurance, for health or weather reasons only"

ABOUT_THE_REASON = (
    *("reason", "because", "due to", "change of plan", "plans", "no longer need"),
    *("sick", "ill", "illness", "health", "medical", "doctor", "hospital", "surgery", "injury"),
    *("pregnant", "weather", "storm", "hurricane", "snow", "flood"),
)


def tool(quirks: Quirks, now: str) -> Tool:
    """The tool ``cancel_reservation``; ``now`` is the current time, written as in the records."""

    @writes(_notes(quirks, now))
    def cancel_reservation(draft: Draft, reservation_id: ReservationId) -> Record:
        """Cancel a whole reservation and refund what was paid to where it came from.

        Nothing is checked of whether the policy lets it be cancelled. The customer must have
        confirmed it beforehand.
        """
        quirks.check_standing(store.get_reservation(draft, reservation_id))
        reservation = draft.edit("reservations", reservation_id)
        reservation["payment_history"] += [
            {**row, "amount": -row["amount"]} for row in reservation["payment_history"]
        ]
        reservation["status"] = "cancelled"
        if not quirks.keeps_seats:
            passengers = len(reservation["passengers"])
            seats.take(draft, reservation["flights"], reservation["cabin"], -passengers)
        return reservation

    return cancel_reservation


def _notes(quirks: Quirks, now: str) -> WriteDeclaration:
    def find_grounds(draft: Draft, arguments: Arguments) -> Finding:
        reservation = checks.reservation_of(draft, arguments)
        grounds = _grounds(draft, reservation, now)
        booked = f"booked {_booking_time(reservation)}, more than 24 hours ago"
        cabin = wording.cabin(reservation["cabin"])
        none = f"{booked}; {cabin}, not business; no travel insurance; no flight cancelled"
        return Finding(bool(grounds), "; ".join(grounds) or none)

    def questions(draft: Draft, arguments: Arguments) -> Iterator[Question]:
        if _grounds(draft, checks.reservation_of(draft, arguments), now) == [BY_INSURANCE]:
            words = "Is your reason for cancelling health or weather? Otherwise the travel"
            yield Question(f"{words} insurance does not allow it.", ABOUT_THE_REASON, decisive=True)

    return WriteDeclaration(
        sentence=_sentence,
        effects=_effects,
        checks=(
            checks.RESERVATION_EXISTS,
            checks.not_cancelled(quirks),
            checks.NONE_FLOWN,
            Check("There are grounds to cancel it", "policy", find_grounds),
        ),
        questions=questions,
        closes=lambda *_: ("this reservation can no longer be changed or restored",),
        guards=evidence.OF_RESERVATION,
    )


def _grounds(draft: Draft, reservation: Record, now: str) -> list[str]:
    """The grounds on which the policy allows the cancellation, each in words.

    The travel insurance counts only if there is no other ground, because it requires a reason of
    health or weather and the others require none.
    """
    age = datetime.fromisoformat(now) - datetime.fromisoformat(reservation["created_at"])
    called_off = [
        f"{wording.flight_and_day(flight)} is cancelled by the airline"
        for flight in reservation["flights"]
        if store.status_of(draft, flight) == "cancelled"
    ]
    free = [
        *(
            [f"booked within 24 hours: {_booking_time(reservation)}"]
            if age <= CHANGE_OF_MIND
            else []
        ),
        *called_off,
        *(["business"] if reservation["cabin"] == "business" else []),
    ]
    return free or ([BY_INSURANCE] if reservation["insurance"] == "yes" else [])


def _booking_time(reservation: Record) -> str:
    """The time of booking in words: ``2024-05-06 at 23:58``."""
    date, _, time = reservation["created_at"].partition("T")
    return f"{date} at {time[:5]}"


def _sentence(draft: Draft, arguments: Arguments) -> str:
    reservation, user = checks.reservation_of(draft, arguments), checks.owner_of(draft, arguments)
    days = wording.days(flight["date"] for flight in reservation["flights"])
    people = wording.count(len(reservation["passengers"]), "passenger")
    paid: Counter[str] = Counter()
    for row in reservation["payment_history"]:
        paid[row["payment_id"]] += row["amount"]
    back = [
        f"{wording.money(amount)} back to {wording.by_method(user, method_id)}"
        for method_id, amount in paid.items()
        if amount
    ]
    refund = wording.listing(back) if back else "nothing to refund"
    called = wording.value(reservation["reservation_id"])
    return f"Cancel reservation {called}, {wording.route(reservation)}, {days}, {people}; {refund}."


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [
        *effects.status(changes),
        *_flights_given_up(draft, changes),
        *effects.payments(draft, changes, "within 5 to 7 business days"),
        *effects.seats(changes),
    ]


def _flights_given_up(draft: Draft, changes: effects.Changes) -> Iterator[Effect]:
    """Yield each flight of the cancelled reservation, so that the card shows which trip it is."""
    for _, _, after in effects.changed_records(changes, "reservations"):
        for flight in after["flights"]:
            called = flight_effects.name_of_flight(draft, flight)
            yield Effect(f"given up: {called}, {wording.cabin(after['cabin'])}")
